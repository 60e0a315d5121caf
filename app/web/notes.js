// Notes and lists: ticked, added to and edited where they stand.

import { post } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, icon, toast, uuid } from "./dom.js";
import { change as changed, drop, save } from "./edit.js";
import * as format from "./format.js";
import * as store from "./store.js";
import { undoChange } from "./undo.js";

const SHOWN = [["summary", "Title"], ["content", "Text"], ["items", "Lines", (items) => items.map((line) => line.text).join(", ")], ["deadline", "Due", format.when]];
let box = null, editing = null;

export function notes(where = box) {
  box = where;
  if (!box?.isConnected || (editing && box.querySelector(".editor"))) return;
  const active = store.records("note").filter((one) => one.status === "active").sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  fill(box, el("h2", { text: "Notes and lists" }), quickAdd(), active.length ? el("ul", { class: "items" }, active.map(note)) : store.read("note") && empty("No notes yet. Say “note that the spare key is with Ana”.", "note"));
}

function quickAdd() {
  const words = el("input", { type: "text", placeholder: "Add a note", "aria-label": "Add a note", maxlength: "100000" });
  return el("form", { class: "row", onsubmit: async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return;
    await post("/v1/notes", { content: words.value.trim() }, { headers: { "Idempotency-Key": uuid() } }).then((made) => store.keep("note", made), failed);
    box.querySelector("input")?.focus();
  } }, words);
}

const titleOf = (one) => one.summary || one.content.split("\n")[0] || "List";

function note(one) {
  const title = titleOf(one);
  return el("li", { class: "item", "data-id": one.id }, editing === one.id ? editor(one) : [
    el("span", { class: "badge badge-note" }, icon(one.category === "list" ? "list" : "note")),
    el("div", { class: "item-body" }, el("button", { type: "button", class: "item-title button-text", "aria-label": `Edit: ${title}`, onclick: () => edit(one.id) }, title),
      one.content && one.content !== title && el("p", { class: "quiet small-text", text: one.content }),
      one.items.length > 0 && el("ul", { class: "lines" }, one.items.map((line, at) => row(one, line, at))),
      one.category === "list" && another(one),
      el("p", { class: "item-meta" }, !["note", "list"].includes(one.category) && el("span", { text: one.category }), one.deadline && el("span", {}, icon("clock"), format.near(one.deadline)),
        one.priority && el("span", {}, icon("flag"), one.priority), one.tags.map((tag) => el("span", { text: `#${tag}` })))),
    button(`Archive: ${title}`, () => archive(one, title), { symbol: "archive", hidden: true, kind: "bare" })]);
}

function row(one, line, at) {
  const tick = el("input", { type: "checkbox", checked: line.done, onchange: () => { const done = tick.checked; return change(one, ({ items }) => ({ items: items.map((other, place) => (place === at && other.text === line.text ? { ...other, done } : other)) })); } });
  return el("li", {}, el("label", { class: line.done ? "row over" : "row" }, tick, el("span", { text: line.text })));
}

// A line is added to the list as it is now, whoever changed it meanwhile.
function another(one) {
  const words = el("input", { type: "text", class: "slim", placeholder: "Add a line", "aria-label": `Add to ${titleOf(one)}`, maxlength: "500" });
  const add = async (event) => {
    event.preventDefault();
    const text = words.value.trim();
    if (!text) return;
    const longer = ({ items }) => ({ items: [...items, { text, done: false }] });
    if (!(await change(one, longer, false))) await change(one, longer);
    box.querySelector(`[data-id="${CSS.escape(one.id)}"] .slim`)?.focus();
  };
  return el("form", { onsubmit: add }, words);
}

async function change(one, fields, tell = true) {
  try {
    return await changed("note", one, fields);
  } catch (problem) {
    if (tell || problem.status !== 412) { failed(problem); notes(); }
    return null;
  }
}

async function archive(one, title) {
  const id = (await change(one, { status: "archived" }))?.headers.get("X-Change-Id")?.split(", ")[0];
  const note = id && toast(`Archived: ${title}`, button("Undo", () => { note.remove(); undoChange(id); }, { kind: "small" }));
}

function edit(id) {
  const before = editing;
  editing = null;
  if (before) notes();
  editing = id;
  const row = box.querySelector(`[data-id="${CSS.escape(id)}"]`);
  row.replaceWith(note(store.record("note", id)));
  box.querySelector(".editor input")?.focus();
}

function editor(one) {
  const due = one.deadline ?? "", both = el("div", { class: "both", hidden: true });
  const summary = el("input", { value: one.summary, maxlength: "200" }), content = el("textarea", { rows: "3", maxlength: "100000", value: one.content });
  const lines = el("textarea", { rows: String(Math.min(12, one.items.length + 2)), value: one.items.map((line) => line.text).join("\n") });
  const day = el("input", { type: "date", value: due ? format.dayKey(format.moment(due)) : "" });
  const close = () => { editing = null; notes(); box.querySelector(`[data-id="${CSS.escape(one.id)}"] .item-title`)?.focus(); };
  const wanted = () => ({ summary: summary.value.trim(), content: content.value, items: itemsOf(lines.value, one.items),
    deadline: day.value === (due && format.dayKey(format.moment(due))) ? one.deadline : day.value || null });
  const submit = (event) => { event.preventDefault(); save("note", one, wanted, { both, shown: SHOWN, close }); };
  const gone = async () => {
    if (!(await confirmed(`Delete “${titleOf(one)}”? It can be brought back in History.`, "Delete"))) return;
    editing = null;
    await drop("note", one, titleOf(one));
    notes();
  };
  return el("form", { class: "editor", onsubmit: submit, onkeydown: (event) => event.key === "Escape" && close() },
    field("Title", summary), one.category === "list" ? field("Lines", lines, "One a line.") : field("Text", content), el("div", { class: "fields" }, field("Due", day)), both,
    el("div", { class: "row spread" }, button("Delete", gone, { symbol: "trash", kind: "small bare" }),
      el("div", { class: "row" }, button("Cancel", close, { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Save"))));
}

// What was ticked stays ticked as long as its words stay.
function itemsOf(text, before) {
  const done = new Set(before.filter((line) => line.done).map((line) => line.text));
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => ({ text: line, done: done.has(line) }));
}
