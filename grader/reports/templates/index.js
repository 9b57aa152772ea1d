"use strict";
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

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const tags = boxes.filter((box) => box.checked).map((box) => box.value);
  let shown = 0;
  for (const each of rows) {
    const fits = words.every((word) => each.text.includes(word))
      && tags.every((tag) => each.tags.has(tag))
      && (!failed.value || each.failed.has(failed.value));
    if (each.row.hidden === fits) each.row.hidden = !fits;
    shown += fits;
  }
  count.textContent = shown === rows.length ? `${shown} students` : `${shown} of ${rows.length} students`;
}

const collator = new Intl.Collator(undefined, { numeric: true });

function sort(header) {
  const headers = Array.from(header.parentElement.children);
  const column = headers.indexOf(header);
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const other of headers) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
  const keyed = rows.map((each) => [value(each.row), each]);
  const isNumber = keyed.every(([key]) => key === "" || !Number.isNaN(Number(key)));
  const compare = isNumber ? (a, b) => number(a) - number(b) : collator.compare;
  keyed.sort(([a, one], [b, other]) => (ascending ? compare(a, b) : compare(b, a)) || one.place - other.place);
  body.append(...keyed.map(([, each]) => each.row));
}

function number(text) {
  return text === "" ? -Infinity : Number(text);
}

for (const button of document.querySelectorAll(".students th button")) {
  button.addEventListener("click", () => sort(button.parentElement));
}
for (const control of [search, failed, ...boxes]) control.addEventListener("input", filter);
document.querySelector(".finder").hidden = false;
filter();
