"use strict";
const go = (id) => document.getElementById(id)?.click();
const keys = { j: () => go("next"), k: () => go("previous"), n: () => go("next-open"), m: () => document.querySelector("input[name=points]")?.focus() };
document.addEventListener("keydown", (event) => {
  const field = event.target.closest("input, textarea");
  if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    field.form.requestSubmit();
  } else if (field && event.key === "Escape") {
    field.blur();
  } else if (!field && !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
window.addEventListener("beforeunload", (event) => {
  const changed = Array.from(document.querySelectorAll("form.mark")).some((form) => !form.dataset.sent
    && Array.from(form.elements).some((field) => field.defaultValue !== undefined && field.value !== field.defaultValue));
  if (changed) event.preventDefault();
});
for (const form of document.querySelectorAll("form.mark")) {
  form.addEventListener("submit", () => { form.dataset.sent = "1"; });
}
