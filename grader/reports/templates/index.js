"use strict";
const ALL_AT_ONCE = 1500;
const CHUNK = 300;
const body = document.querySelector(".students tbody");
const rows = Array.from(body.rows, (row, place) => ({
  row, place,
  text: row.textContent.toLowerCase(),
  tags: new Set((row.dataset.t || "").split(" ")),
  failed: new Set((row.dataset.x || "").split(" ")),
}));
const search = document.querySelector("#search");
const failed = document.querySelector("#failed");
const boxes = Array.from(document.querySelectorAll(".finder input[type=checkbox]"));
const count = document.querySelector("#count");
const more = document.querySelector("#more");
let shown = rows;
let drawn = rows.length;

function draw() {
  drawn = rows.length <= ALL_AT_ONCE ? shown.length : Math.min(CHUNK, shown.length);
  body.replaceChildren(...shown.slice(0, drawn).map((each) => each.row));
  more.hidden = drawn >= shown.length;
}

function grow() {
  body.append(...shown.slice(drawn, drawn + CHUNK).map((each) => each.row));
  drawn += CHUNK;
  more.hidden = drawn >= shown.length;
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const tags = boxes.filter((box) => box.checked).map((box) => box.value);
  shown = rows.filter((each) => words.every((word) => each.text.includes(word))
    && tags.every((tag) => each.tags.has(tag))
    && (!failed.value || each.failed.has(failed.value)));
  count.textContent = shown.length === rows.length
    ? `${rows.length} students` : `${shown.length} of ${rows.length} students`;
  draw();
}

const collator = new Intl.Collator(undefined, { numeric: true });

function sort(header) {
  const headers = Array.from(header.parentElement.children);
  const column = headers.indexOf(header);
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const other of headers) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
  const keys = new Map(rows.map((each) => [each, value(each.row)]));
  const isNumber = Array.from(keys.values()).every((key) => key === "" || !Number.isNaN(Number(key)));
  const compare = isNumber ? (a, b) => number(a) - number(b) || 0 : collator.compare;
  const sign = ascending ? 1 : -1;
  rows.sort((a, b) => sign * compare(keys.get(a), keys.get(b)) || a.place - b.place);
  filter();
}

function number(text) {
  return text === "" ? -Infinity : Number(text);
}

for (const button of document.querySelectorAll(".students th button")) {
  button.addEventListener("click", () => sort(button.parentElement));
}
for (const control of [search, failed, ...boxes]) control.addEventListener("input", filter);
for (const link of document.querySelectorAll(".rates [data-failed]")) {
  link.addEventListener("click", () => {
    failed.value = link.dataset.failed;
    filter();
    document.querySelector("#students").scrollIntoView();
  });
}
new IntersectionObserver((seen) => {
  if (!more.hidden && seen.some((each) => each.isIntersecting)) grow();
}, { rootMargin: "1500px" }).observe(more);
more.addEventListener("click", grow);
document.querySelector(".finder").hidden = false;
filter();
