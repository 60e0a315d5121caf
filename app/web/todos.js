// What is open, by when it is due. A row is built once for each version of its task, and only what differs is touched.

import { post } from "./api.js";
import { button, confirmed, el, empty, failed, field, icon, inStep, toast, uuid } from "./dom.js";
import { change as changed, drop, save } from "./edit.js";
import * as format from "./format.js";
import * as habits from "./habits.js";
import { menu } from "./menu.js";
import { instant, local } from "./preview.js";
import { howOften } from "./rules.js";
import * as store from "./store.js";
import { undoChange } from "./undo.js";

const OPEN = new Set(["not started", "in progress"]), RANK = { high: 0, medium: 1, low: 2 };
const GROUPS = ["Overdue", "Today", "Habits", "Tomorrow", "Next 7 days", "Later", "Some day", "Done today"];
const SHOWN = [["task", "Task"], ["deadline", "Due", format.when], ["priority", "Priority"], ["list", "List"]];
const rows = new Map(), lists = new Map();
const nothing = empty("Nothing is open. Tell Summit what to remember, or add it here.", "todo");
let box = null, editing = null;

export const busy = () => editing !== null;

export function into(where) {
  box = where;
  lists.clear();
}

export function todos() {
  const today = format.dayKey(new Date()), groups = new Map(GROUPS.map((name) => [name, []]));
  const all = store.records("todo"), open = all.filter((one) => OPEN.has(one.status)).map((one) => ({ one, due: dueTime(one) }));
  open.sort((first, second) => first.due - second.due || (RANK[first.one.priority] ?? 3) - (RANK[second.one.priority] ?? 3));
  open.forEach(({ one }) => groups.get(groupOf(one, today)).push(one));
  groups.get("Done today").push(...all.filter((one) => one.status === "done" && format.dayKey(new Date(one.updated_at)) === today));
  groups.forEach(showGroup);
  nothing.remove();
  if (!open.length && store.read("todo")) box.prepend(nothing);
}

function showGroup(items, name) {
  if (!lists.has(name)) lists.set(name, group(name));
  const { title, list, count } = lists.get(name);
  count.textContent = `${name} · ${items.length}`;
  title.hidden = list.hidden = !items.length;
  inStep(list, items.map(todoRow));
}

function group(name) {
  const list = el("ul", { class: "items" }), kind = `group-title ${name === "Overdue" ? "late" : ""}`;
  const title = name === "Done today" ? el("details", { class: "done-today" }, el("summary", { class: kind }), list) : el("h3", { class: kind });
  box.append(title);
  if (!title.contains(list)) box.append(list);
  return { title, list, count: title.querySelector("summary") ?? title };
}

const dueOf = (one) => one.deadline ?? one.remind_at ?? one.snooze_until;

function dueTime(one) {
  const due = dueOf(one);
  return due ? format.moment(due).getTime() : Number.MAX_SAFE_INTEGER;
}

function groupOf(one, today) {
  const due = dueOf(one);
  if (one.kind === "habit") return "Habits";
  if (!due) return "Some day";
  if (overdue(due, today)) return "Overdue";
  const days = Math.round((format.moment(format.dayKey(format.moment(due))) - format.moment(today)) / 86400000);
  return days === 0 ? "Today" : days === 1 ? "Tomorrow" : days < 7 ? "Next 7 days" : "Later";
}

const overdue = (due, today) => format.dayKey(format.moment(due)) < today || (!format.isDay(due) && format.moment(due) < new Date());

// Words about time are read as they are in a message; whatever else is typed becomes a task as it stands.
export function quickAdd() {
  const words = el("input", { type: "text", placeholder: "Water the plants tomorrow at 9", "aria-label": "Add a task", maxlength: "500" });
  return el("form", { class: "row", onsubmit: async (event) => {
    event.preventDefault();
    const task = words.value.trim();
    if (!task) return;
    words.value = "";
    try {
      const made = await post("/v1/todos", await fieldsOf(task), { headers: { "Idempotency-Key": uuid() } });
      store.keep("todo", made);
      if (dueOf(made)) toast(`Added: ${made.task}, ${format.near(dueOf(made))}`);
    } catch (problem) {
      words.value = task;
      failed(problem);
    }
  } }, words);
}

async function fieldsOf(task) {
  const { proposals } = await post("/v1/understand", { text: task, timezone: format.zone }).catch(() => ({ proposals: [] }));
  const [only] = proposals;
  return proposals.length === 1 && only.op === "create" && only.kind === "todo" ? only.fields : { task };
}

function todoRow(one) {
  const kept = rows.get(one.id), version = stamp(one);
  if (kept?.version === version) return kept.node;
  const node = el("li", { class: `item ${one.status === "done" ? "over" : ""}`, "data-id": one.id }, editing === one.id ? editor(one) : parts(one));
  rows.set(one.id, { version, node });
  return node;
}

// What a row shows beside its task: what is late now was not an hour ago.
function stamp(one) {
  const due = dueOf(one), today = format.dayKey(new Date());
  return [one.version, editing === one.id, today, due && overdue(due, today), one.kind === "habit" && [...habits.doneOn(one.id).keys()].join()].join("/");
}

function parts(one) {
  const due = dueOf(one), late = due && overdue(due, format.dayKey(new Date())) && one.status !== "done";
  return [tick(one), el("div", { class: "item-body" },
    el("button", { type: "button", class: "item-title button-text", "aria-label": `Edit: ${one.task}`, onclick: () => edit(one.id) }, one.task),
    el("p", { class: "item-meta" },
      due && one.kind !== "habit" && el("span", { class: late ? "late" : "" }, icon(one.kind === "reminder" ? "bell" : "clock"), format.near(due)),
      one.recurrence && el("span", {}, icon("repeat"), howOften(one.recurrence)),
      one.priority && el("span", { class: one.priority === "high" ? "late" : "" }, icon("flag"), one.priority),
      one.list && el("span", {}, icon("list"), one.list),
      one.time_to_complete && el("span", { text: format.minutes(one.time_to_complete) }),
      one.kind === "habit" && habits.record(one)),
    one.solutions.length > 0 && steps(one)),
  button(`More: ${one.task}`, (event) => menu(event.currentTarget, choices(one)), { symbol: "more", hidden: true, kind: "bare", "aria-haspopup": "menu" })];
}

function tick(one) {
  const today = one.kind === "habit" && habits.doneToday(one.id);
  if (today) return el("button", { type: "button", class: "tick done", "aria-label": `Done today: ${one.task}. Take back`, onclick: () => undoChange(today) }, icon("todo"));
  if (one.status === "done") return el("button", { type: "button", class: "tick done", "aria-label": `Open again: ${one.task}`, onclick: () => change(one, { status: "not started" }, "Open again") }, icon("todo"));
  return el("button", { type: "button", class: "tick", "aria-label": `Mark done: ${one.task}`, onclick: () => change(one, { status: "done" }, "Done") }, icon("todo"));
}

function choices(one) {
  const off = (words, until) => [words, () => change(one, { snooze_until: until }, "Put off"), "wait"];
  return [
    ...(one.status === "done" ? [] : [off("In three hours", instant(new Date(Date.now() + 3 * 3600000))), off("Tomorrow morning", morning(1)), off("Next week", morning(7))]),
    ["Edit", () => edit(one.id), "edit"],
    ["Delete", () => gone(one), "trash"],
  ];
}

function morning(days) {
  const at = format.addDays(new Date(), days);
  at.setHours(9);
  return instant(at);
}

const gone = (one) => drop("todo", one, one.task);

function steps(one) {
  const done = new Set(one.done_steps), count = one.solutions.filter((step) => done.has(step)).length;
  const open = rows.get(one.id)?.node.querySelector("details")?.open;
  return el("details", { open: Boolean(open) }, el("summary", { class: "quiet small-text", text: count ? `${count} of ${format.plural(one.solutions.length, "step")} done` : format.plural(one.solutions.length, "step") }),
    el("ul", { class: "steps" }, one.solutions.map((step) => stepRow(one, step, done))));
}

function stepRow(one, step, done) {
  const tick = el("input", { type: "checkbox", checked: done.has(step), onchange: () => {
    const on = tick.checked, ticked = (now) => now.solutions.filter((other) => (other === step ? on : now.done_steps.includes(other)));
    return change(one, (now) => ({ done_steps: ticked(now) }), on ? "Step done" : "Step open again");
  } });
  return el("li", {}, el("label", { class: done.has(step) ? "row quiet" : "row" }, tick, el("span", { text: step })));
}

async function change(one, fields, words) {
  try {
    const id = (await changed("todo", one, fields)).headers.get("X-Change-Id")?.split(", ")[0];
    const note = toast(`${words}: ${one.task}`, id && button("Undo", () => { note.remove(); undoChange(id); }, { kind: "small" }));
  } catch (problem) {
    failed(problem);
    todos();
  }
}

function edit(id) {
  editing = id;
  todos();
  box.querySelector(".editor input")?.focus();
}

function editor(one) {
  const due = one.deadline ?? "", timed = due && !format.isDay(due);
  const task = el("input", { value: one.task, maxlength: "500" });
  const day = el("input", { type: "date", value: due ? format.dayKey(format.moment(due)) : "" });
  const clock = el("input", { type: "time", value: timed ? local(due).slice(11) : "" });
  const priority = el("select", {}, ["", "low", "medium", "high"].map((level) => el("option", { value: level, text: level || "none", selected: level === (one.priority ?? "") })));
  const list = el("input", { value: one.list ?? "", maxlength: "200" }), both = el("div", { class: "both", hidden: true });
  const close = () => { editing = null; todos(); box.querySelector(`[data-id="${CSS.escape(one.id)}"] .item-title`)?.focus(); };
  const wanted = () => ({ task: task.value, deadline: !day.value ? null : clock.value ? instant(`${day.value}T${clock.value}`) : day.value, priority: priority.value || null, list: list.value || null });
  const submit = (event) => { event.preventDefault(); save("todo", one, wanted, { both, shown: SHOWN, close }); };
  const remove = async () => { if (await confirmed(`Delete “${one.task}”? It can be brought back in History.`, "Delete") && await gone(one)) editing = null; };
  return el("form", { class: "editor", onsubmit: submit, onkeydown: (event) => event.key === "Escape" && close() },
    field("Task", task), el("div", { class: "fields" }, field("Due", day), field("Time", clock), field("Priority", priority), field("List", list)), both,
    el("div", { class: "row spread" }, button("Delete", remove, { symbol: "trash", kind: "small bare" }),
      el("div", { class: "row" }, button("Cancel", close, { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Save"))));
}
