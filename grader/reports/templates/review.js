"use strict";
const byId = (id) => document.getElementById(id);
const pdf = byId("pdf"), search = byId("search"), filter = byId("filter"), help = byId("help");
const rows = Array.from(document.querySelectorAll("#places li")).map((item) => ({
  item, link: item.firstElementChild, tags: item.dataset.tags.split(" "), text: item.dataset.text.toLowerCase(),
}));
const at = rows.findIndex((row) => row.link.hasAttribute("aria-current"));

function sift() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    row.item.hidden = !(words.every((word) => row.text.includes(word)) && (!filter.value || row.tags.includes(filter.value)));
    shown += row.item.hidden ? 0 : 1;
  }
  byId("count").textContent = shown === rows.length ? `${shown} hand-ins` : `${shown} of ${rows.length} hand-ins`;
  sessionStorage.setItem("sift", JSON.stringify([search.value, filter.value]));
}

function walk(step) {
  for (let place = at + step; place >= 0 && place < rows.length; place += step) {
    if (!rows[place].item.hidden) return rows[place].link.click();
  }
}

const forms = Array.from(document.querySelectorAll("form[method=post]"));
const changes = [];

function differs(form) {
  return "kept" in form.dataset
    || Array.from(form.querySelectorAll("input:not([type=checkbox]), textarea")).some((field) => field.value !== field.defaultValue);
}

function noteChange(form) {
  if (changes.includes(form)) changes.splice(changes.indexOf(form), 1);
  changes.push(form);
  delete form.dataset.sent;
  showStored(form);
}

function showStored(form) {
  const said = form.querySelector(".unstored");
  if (said) said.hidden = !differs(form);
}

function lastChanged(among) {
  return changes.findLast((form) => form.matches(among) && differs(form));
}

function openForm() {
  return (line.contains(document.activeElement) ? line : null) ?? lastChanged("form.mark") ?? document.querySelector("form.mark[data-open]") ?? document.querySelector("form.mark");
}

function toField(name, value) {
  const field = openForm()?.elements[name];
  if (!field || field.type === "hidden") return;
  if (value !== undefined) { field.value = value; noteChange(field.form); }
  field.focus();
  if (value === undefined) field.select();
}

function store(field) {
  const form = lastChanged("form") ?? field?.form;
  if (form?.method === "post") form.requestSubmit();
  else toField(openForm()?.elements.points?.type === "hidden" ? "comment" : "points");
}

function enlarge(large) {
  pdf.classList.toggle("large", large);
  sessionStorage.setItem("large", large ? "1" : "");
}

const code = byId("code"), line = byId("line"), lines = Array.from(code.querySelectorAll(".code > li"));
const remarks = JSON.parse(line.dataset.there), main = document.querySelector("main");
let chosen = lines[0];

function keyOf(item) {
  const list = item.parentElement;
  return `${list.dataset.file}:${Array.prototype.indexOf.call(list.children, item) + 1}@${list.dataset.digest}`;
}

function showCode(shown) {
  main.dataset.shown = shown ? "code" : "pdf";
  sessionStorage.setItem("code", shown ? "1" : "");
}

function toLine(item) {
  if (!item) return;
  chosen?.classList.remove("chosen");
  chosen = item;
  item.classList.add("chosen");
  item.closest("details").open = true;
  item.scrollIntoView({ block: "nearest" });
}

const step = (by) => toLine(lines[Math.min(lines.length - 1, Math.max(0, lines.indexOf(chosen) + by))]);
const isCode = () => main.dataset.shown === "code" && lines.length > 0;

function nextFound() {
  showCode(true);
  toLine(lines.slice(lines.indexOf(chosen) + 1).find((item) => item.matches(".found")) ?? lines.find((item) => item.matches(".found")));
}

function writeOn(item, kept) {
  if (!item) return;
  if (!kept && !line.hidden && differs(line)) return line.elements.comment.focus();
  const key = keyOf(item), [text, student] = remarks[key] ?? ["", ""], { comment } = line.elements;
  line.elements.check.value = key;
  line.elements.student.value = student;
  line.querySelector("[name=withdraw]").hidden = !student;
  byId("line-number").value = key.slice(0, key.lastIndexOf("@"));
  const typed = kept ? comment.value : text;
  comment.defaultValue = text;
  comment.value = typed;
  toLine(item);
  item.append(line);
  line.hidden = false;
  if (line.querySelector(".reusable")) tick(line);
  showStored(line);
  comment.focus();
  line.scrollIntoView({ block: "nearest" });
}

code.addEventListener("click", (event) => {
  const item = event.target.closest(".code > li");
  if (!item || event.target.closest("a, form") || !getSelection().isCollapsed) return;
  if (item === chosen) writeOn(item);
  else toLine(item);
});

const turn = (share) => pdf.scrollBy({ top: share * pdf.clientHeight });
const keys = {
  n: () => walk(1), j: () => walk(1), p: () => walk(-1), k: () => walk(-1), o: () => byId("next-open")?.click(),
  m: () => toField("points"), c: () => toField("comment"), r: () => byId("report")?.click(),
  z: () => enlarge(!pdf.classList.contains("large")), "/": () => { search.focus(); search.select(); }, "?": () => help.showModal(),
  PageDown: () => isCode() ? step(20) : turn(0.9), PageUp: () => isCode() ? step(-20) : turn(-0.9),
  ArrowDown: () => isCode() ? step(1) : turn(0.1), ArrowUp: () => isCode() ? step(-1) : turn(-0.1),
  v: () => { showCode(main.dataset.shown !== "code"); if (isCode()) step(0); }, f: nextFound,
};

function act(event) {
  if (event.shiftKey && /^Digit[1-9]$/.test(event.code)) return () => openForm()?.querySelectorAll(".reusable input")[event.code.at(-1) - 1]?.click();
  if (/^[0-9]$/.test(event.key)) return () => toField("points", event.key);
  if (event.key === "Enter") return isCode() && !event.target.closest("button, a, summary, input") ? () => writeOn(chosen) : null;
  if (event.key === " ") return event.target.closest("button, a, summary, input") ? null : () => turn(event.shiftKey ? -0.9 : 0.9);
  return keys[event.key];
}

function toComment(form, text) {
  const comment = form?.elements.comment;
  if (!comment) return false;
  comment.focus();
  comment.setRangeText(text, comment.value.length, comment.value.length, "end");
  noteChange(form);
  return true;
}

function pointsOfComments(form) {
  const start = Number(form.querySelector(".reusable").dataset.start), most = Number(form.elements.points.dataset.most ?? 0);
  const chosen = Array.from(form.querySelectorAll(".reusable input:checked"), (box) => Number(box.dataset.points));
  return Math.min(most, Math.max(0, chosen.reduce((sum, points) => sum + points, start)));
}

function isMeant(form) {
  if (!form.querySelector(".reusable input:checked")) return true;
  const chosen = pointsOfComments(form), points = Number(form.elements.points.value.replace(",", "."));
  return points === chosen || confirm(`The chosen comments make ${chosen} points, and ${points} are typed. Store ${points}?`);
}

function choose(box) {
  const form = box.form, lines = form.elements.comment.value.split("\n").filter((line) => line && line !== box.dataset.text);
  if (box.checked) lines.push(box.dataset.text);
  form.elements.comment.value = lines.join("\n");
  form.elements.points.value = pointsOfComments(form);
  noteChange(form);
}

function tick(form) {
  const lines = form.elements.comment.value.split("\n");
  for (const box of form.querySelectorAll(".reusable input")) box.checked = lines.includes(box.dataset.text);
}

for (const form of forms) {
  form.addEventListener("input", () => noteChange(form));
  showStored(form);
  if (!form.querySelector(".reusable")) continue;
  for (const box of form.querySelectorAll(".reusable input")) box.addEventListener("change", () => choose(box));
  form.elements.comment.addEventListener("input", () => tick(form));
  tick(form);
}
byId("question").addEventListener("change", (event) => event.currentTarget.requestSubmit());
byId("question").querySelector("button").hidden = true;
document.addEventListener("beforeinput", (event) => {
  const text = event.data ?? event.dataTransfer?.getData("text") ?? "";
  if (event.target.name !== "points" || /^[0-9.,+-]*$/.test(text.trim()) && text.trim()) return;
  if (text && toComment(event.target.form, text.trimStart())) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const field = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (help.open || event.altKey) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (!event.repeat) store(field);
  } else if (field === line.elements.comment && !field.value && event.shiftKey && /^Digit[1-9]$/.test(event.code)) {
    event.preventDefault();
    line.querySelectorAll(".reusable input")[event.code.at(-1) - 1]?.click();
  } else if (field && event.key === "Escape") {
    field.blur();
    if (line.contains(field) && !differs(line)) line.hidden = true;
  } else if (field === search && event.key === "Enter") {
    rows.find((row) => !row.item.hidden)?.link.click();
  } else if (!field && !event.ctrlKey && !event.metaKey && act(event)) {
    event.preventDefault();
    act(event)();
  }
});

function draw(found) {
  byId("drawing").remove();
  if (found.problem) pdf.prepend(make("p", { className: "text", textContent: found.problem }));
  const pages = found.pages.map((page, index) => {
    const figure = make("figure", {});
    const src = `${pdf.dataset.page}/${index + 1}`;
    figure.append(make("img", { src, width: page.width, height: page.height, alt: `Page ${index + 1} of ${found.count}` }));
    if (page.text.trim()) {
      const text = make("details", {});
      text.append(make("summary", { textContent: `Text of page ${index + 1}` }), make("p", { className: "text", dir: "auto", textContent: page.text }));
      figure.append(text);
    }
    return figure;
  });
  pdf.prepend(...pages);
  if (pdf.dataset.after) fetch(pdf.dataset.after).then((answer) => answer.text()).catch(() => undefined);
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

async function load(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    draw(await answer.json());
  } catch (error) {
    byId("drawing")?.replaceChildren(`The pages did not come (${error.message}): is grader review still running? Load the page again.`);
  }
}

window.addEventListener("beforeunload", (event) => {
  if (!forms.some((form) => form.matches(".mark") && !form.dataset.sent && differs(form))) return;
  event.preventDefault();
  for (const form of forms) delete form.dataset.sent;
});

async function storeFirst(other) {
  const body = new URLSearchParams(new FormData(other));
  const answer = await fetch(other.action, { method: "POST", body, redirect: "manual" });
  if (answer.type !== "opaqueredirect") throw new Error(`${other.getAttribute("aria-label")} was refused (${answer.status}): store it alone to see why`);
  other.dataset.sent = "1";
}

function alsoTyped(form) {
  const others = forms.filter((other) => other !== form && other.matches(".mark") && !other.dataset.sent && differs(other) && other.checkValidity());
  if (!others.length) return [];
  const names = others.map((other) => other.getAttribute("aria-label")).join(", ");
  return confirm(`Not stored yet: ${names}. OK stores that as well; Cancel leaves it.`) ? others : [];
}

async function send(form, submitter) {
  form.dataset.sent = "soon";
  try {
    for (const other of alsoTyped(form)) await storeFirst(other);
    await fetch(form.action, { method: "OPTIONS", signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    delete form.dataset.sent;
    const why = error.name === "Error" ? error.message : `is grader review still running? (${error.message})`;
    alert(`Not everything is stored: ${why}. What you typed stays on this page.`);
    return;
  }
  form.dataset.sent = "1";
  form.requestSubmit(submitter);
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent === "1") return;
    event.preventDefault();
    if (form.dataset.sent) return;
    const withdraws = event.submitter?.name === "withdraw";
    if (withdraws || !form.matches(".mark") || isMeant(form)) send(form, event.submitter);
  });
}
byId("help-button").addEventListener("click", () => help.showModal());
byId("help-button").hidden = false;
document.querySelector(".finder").hidden = false;
[search.value, filter.value] = JSON.parse(sessionStorage.getItem("sift") ?? '["", ""]');
enlarge(Boolean(sessionStorage.getItem("large")));
pdf.addEventListener("click", (event) => { if (event.target.matches("img")) keys.z(); });
const theme = byId("theme");
theme.checked = Boolean(sessionStorage.getItem("theme"));
theme.addEventListener("change", () => sessionStorage.setItem("theme", theme.checked ? "1" : ""));
for (const control of [search, filter]) control.addEventListener("input", sift);
showCode(Boolean(sessionStorage.getItem("code")) || !pdf.dataset.pdf && lines.length > 0);
const begun = lines.find((item) => `#${item.id}` === location.hash);
if (begun) { showCode(true); toLine(begun); } else if (isCode()) step(0);
if ("kept" in line.dataset) { showCode(true); writeOn(lines.find((item) => keyOf(item) === line.elements.check.value), true); }
sift();
rows[at]?.link.scrollIntoView({ block: "nearest" });
if (pdf.dataset.pdf) load(pdf.dataset.pdf);
