// Today and the week: what takes place, what is due, and what Summit told you of.

import { get, patch, post, remove } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, icon, section, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";
import { instant, local } from "./preview.js";
import * as store from "./store.js";

const OPEN = new Set(["not started", "in progress"]), HOUR = 46, FIRST = 7, LAST = 21, AHEAD = 14;
const RANK = { high: 0, medium: 1, low: 2 };
const GROUPS = ["Overdue", "Today", "Habits", "Tomorrow", "This week", "Later", "Some day"];
const rows = new Map(), lists = new Map();
const nothing = empty("Nothing is open. Tell Summit what to remember, or add it here.", "todo");
let main = null, parts = null, offset = 0, happening = [], notices = [], scheduled = false, editing = null;

export function show(where) {
  main = where;
  parts = { notices: el("div", { class: "stack" }), lists: el("div", { class: "stack tight" }), agenda: el("div"), week: el("div") };
  lists.clear();
  fill(main, el("div", { class: "page" }, el("h1", { text: format.longDay(new Date()) }), el("div", { id: "day-body", class: "stack" },
    parts.notices, el("div", { class: "columns" }, section("To do", quickAdd(), parts.lists), parts.agenda), parts.week)));
  draw();
  Promise.all([store.load("todo"), store.load("event"), readWeek(), readNotices()]).then(draw, failed);
}

const body = () => main?.querySelector("#day-body");
const monday = () => {
  const today = new Date(), start = format.addDays(today, -((today.getDay() + 6) % 7));
  return format.addDays(start, offset * 7);
};

async function readWeek() {
  const start = monday(), end = format.addDays(offset ? start : new Date(), AHEAD);
  const query = `from=${format.dayKey(start)}&to=${format.dayKey(end)}`;
  happening = (await get(`/v1/occurrences?${query}`)).items.map((one) => {
    const own = one.event_id && store.record("event", one.event_id);
    return { ...one, hue: own?.color ?? (one.event_id ? "#1a73e8" : "#7a7f87"), place: own?.location };
  });
}

async function readNotices() {
  notices = (await get("/v1/notifications?unacknowledged=true&limit=20")).items;
}

function draw() {
  if (!body()) return;
  fill(parts.notices, notices.map(notice));
  parts.notices.hidden = !notices.length;
  todos();
  fill(parts.agenda, agenda());
  fill(parts.week, week());
}

function notice(one) {
  const settle = (how, bodyOf) => async () => {
    try {
      await post(`/v1/notifications/${one.id}/${how}`, bodyOf, { headers: { "Idempotency-Key": uuid() } });
      notices = notices.filter((other) => other.id !== one.id);
      draw();
    } catch (problem) { failed(problem); }
  };
  return el("div", { class: "notice", "data-notice": one.id }, icon("bell"), el("p", { text: one.text }),
    el("div", { class: "row" }, one.kind === "question" && el("a", { class: "button small", href: "#work", text: "Answer" }),
      one.record_kind === "todo" && button("Done", settle("done", {}), { kind: "small" }),
      ["todo", "note"].includes(one.record_kind) && button("In 15 min", settle("snooze", { minutes: 15 }), { kind: "small" }),
      button("Seen", settle("ack", {}), { kind: "small" })));
}

export function remind(data, tell) {
  if (!notices.some((one) => one.id === data.id)) notices = [data, ...notices];
  if (body()) draw();
  else tell(data.text, el("a", { class: "button small", href: data.kind === "question" ? "#work" : "#day", text: "Open" }));
}

export function answered(id) {
  notices = notices.filter((one) => one.id !== id);
  if (body()) draw();
}

// What is open, by when it is due. A row is built once for each version of its task, and only what differs is touched.
function todos() {
  const today = format.dayKey(new Date()), groups = new Map(GROUPS.map((name) => [name, []]));
  const open = store.records("todo").filter((one) => OPEN.has(one.status)).map((one) => ({ one, due: dueTime(one) }));
  open.sort((first, second) => first.due - second.due || (RANK[first.one.priority] ?? 3) - (RANK[second.one.priority] ?? 3));
  open.forEach(({ one }) => groups.get(groupOf(one, today)).push(one));
  groups.forEach(showGroup);
  nothing.remove();
  if (!open.length) parts.lists.append(nothing);
}

function showGroup(items, name) {
  if (!lists.has(name)) {
    lists.set(name, { title: el("h3", { class: `group-title ${name === "Overdue" ? "late" : ""}` }), list: el("ul", { class: "items" }) });
    parts.lists.append(lists.get(name).title, lists.get(name).list);
  }
  const { title, list } = lists.get(name), shown = items.map(todoRow), kept = new Set(shown);
  title.textContent = `${name} · ${items.length}`;
  title.hidden = list.hidden = !items.length;
  [...list.children].forEach((row) => kept.has(row) || row.remove());
  shown.forEach((row, at) => list.children[at] === row || list.insertBefore(row, list.children[at] ?? null));
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
  return days === 0 ? "Today" : days === 1 ? "Tomorrow" : days < 7 ? "This week" : "Later";
}

const overdue = (due, today) => format.dayKey(format.moment(due)) < today || (!format.isDay(due) && format.moment(due) < new Date());

function quickAdd() {
  const box = el("input", { type: "text", placeholder: "Add a task", "aria-label": "Add a task", maxlength: "500" });
  return el("form", { class: "row", onsubmit: async (event) => {
    event.preventDefault();
    const task = box.value.trim();
    if (!task) return;
    try {
      store.keep("todo", await post("/v1/todos", { task }, { headers: { "Idempotency-Key": uuid() } }));
    } catch (problem) { failed(problem); }
    main.querySelector('[aria-label="Add a task"]')?.focus();
  } }, box);
}

function todoRow(one) {
  const kept = rows.get(one.id);
  if (kept?.version === one.version && editing !== one.id && !kept.edited) return kept.node;
  const due = dueOf(one), late = due && overdue(due, format.dayKey(new Date()));
  const node = el("li", { class: "item", "data-id": one.id },
    editing === one.id ? editor(one) : [
      el("button", { type: "button", class: "tick", "aria-label": `Mark done: ${one.task}`, onclick: () => change(one, { status: "done" }, "Done") }, icon("todo")),
      el("div", { class: "item-body" },
        el("button", { type: "button", class: "item-title button-text", "aria-label": `Edit: ${one.task}`, onclick: () => edit(one.id) }, one.task),
        el("p", { class: "item-meta" },
          due && el("span", { class: late ? "late" : "" }, icon("clock"), format.near(due)),
          one.recurrence && el("span", {}, icon("repeat"), format.rule(one.recurrence)),
          one.priority && el("span", { class: one.priority === "high" ? "late" : "" }, icon("flag"), one.priority),
          one.list && el("span", {}, icon("list"), one.list),
          one.time_to_complete && el("span", { text: format.minutes(one.time_to_complete) })),
        one.solutions.length > 0 && steps(one)),
      button(`Tomorrow: ${one.task}`, () => change(one, { snooze_until: tomorrow() }, "Put off until tomorrow"), { symbol: "wait", hidden: true, kind: "bare" })]);
  rows.set(one.id, { version: one.version, node, edited: editing === one.id });
  return node;
}

function steps(one) {
  const done = new Set(one.done_steps), count = one.solutions.filter((step) => done.has(step)).length;
  const open = rows.get(one.id)?.node.querySelector("details")?.open;
  return el("details", { open: Boolean(open) }, el("summary", { class: "quiet small-text", text: count ? `${count} of ${format.plural(one.solutions.length, "step")} done` : format.plural(one.solutions.length, "step") }),
    el("ul", { class: "steps" }, one.solutions.map((step) => stepRow(one, step, done))));
}

function stepRow(one, step, done) {
  const tick = el("input", { type: "checkbox", checked: done.has(step), onchange: () => {
    const now = one.solutions.filter((other) => (other === step ? tick.checked : done.has(other)));
    change(one, { done_steps: now }, tick.checked ? "Step done" : "Step open again");
  } });
  return el("li", {}, el("label", { class: done.has(step) ? "row quiet" : "row" }, tick, el("span", { text: step })));
}

function tomorrow() {
  const at = format.addDays(new Date(), 1);
  at.setHours(9);
  return instant(at);
}

async function change(one, fields, words) {
  try {
    const answer = await patch(`/v1/todos/${one.id}`, fields, { headers: { "If-Match": `"${one.version}"` }, raw: true });
    const id = answer.headers.get("X-Change-Id")?.split(", ")[0];
    store.keep("todo", await answer.json());
    const note = toast(`${words}: ${one.task}`, id && button("Undo", () => undo(id, note), { kind: "small" }));
  } catch (problem) {
    failed(problem);
    if (problem.document.current) store.keep("todo", problem.document.current);
  }
}

async function undo(id, note) {
  note.remove();
  await post(`/v1/changes/${id}/undo`, {}, { headers: { "Idempotency-Key": uuid() } }).catch(failed);
}

function edit(id) {
  editing = id;
  draw();
  main.querySelector(".editor input")?.focus();
}

// Edits carry the version that was read: what somebody else changed meanwhile is shown beside them, never overwritten.
function editor(one) {
  const due = one.deadline ?? "", timed = due && !format.isDay(due);
  const task = el("input", { value: one.task, maxlength: "500" });
  const day = el("input", { type: "date", value: due ? format.dayKey(format.moment(due)) : "" });
  const clock = el("input", { type: "time", value: timed ? local(due).slice(11) : "" });
  const priority = el("select", {}, ["", "low", "medium", "high"].map((level) => el("option", { value: level, text: level || "none", selected: level === (one.priority ?? "") })));
  const list = el("input", { value: one.list ?? "", maxlength: "200" });
  const both = el("div", { class: "both", hidden: true });
  const close = () => { editing = null; draw(); main.querySelector(`[data-id="${CSS.escape(one.id)}"] .item-title`)?.focus(); };
  const wanted = () => ({ task: task.value, deadline: !day.value ? null : clock.value ? instant(`${day.value}T${clock.value}`) : day.value, priority: priority.value || null, list: list.value || null });
  const save = async (event, version = one.version) => {
    event?.preventDefault();
    try {
      store.put("todo", await patch(`/v1/todos/${one.id}`, wanted(), { headers: { "If-Match": `"${version}"` } }));
      close();
    } catch (problem) {
      if (problem.status === 412) clash(both, problem.document.current, wanted(), (current) => save(null, current.version), (current) => { store.put("todo", current); close(); });
      else failed(problem);
    }
  };
  const gone = async () => {
    if (!(await confirmed(`Delete “${one.task}”? It can be brought back in History.`, "Delete"))) return;
    await remove(`/v1/todos/${one.id}`).then(() => { editing = null; }, failed);
  };
  return el("form", { class: "editor", onsubmit: save, onkeydown: (event) => event.key === "Escape" && close() },
    field("Task", task), el("div", { class: "fields" }, field("Due", day), field("Time", clock), field("Priority", priority), field("List", list)), both,
    el("div", { class: "row spread" }, button("Delete", gone, { symbol: "trash", kind: "small bare" }),
      el("div", { class: "row" }, button("Cancel", close, { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Save"))));
}

function clash(box, current, mine, keepMine, keepTheirs) {
  const side = (title, record, label, act) => el("div", {}, el("h3", { text: title }), ["task", "deadline", "priority", "list"].map((name) =>
    el("p", { class: "small-text", text: `${name}: ${record[name] ? (name === "deadline" ? format.when(record[name]) : record[name]) : "none"}` })), button(label, act, { kind: "small" }));
  fill(box, el("p", { class: "reason", role: "alert" }, icon("alert"), "It was changed elsewhere while you edited it."), side("Yours", mine, "Keep mine", () => keepMine(current)), side("As it is now", current, "Keep that", () => keepTheirs(current)));
  box.hidden = false;
}

function agenda() {
  const today = format.dayKey(new Date()), now = new Date();
  const coming = happening.filter((one) => new Date(one.end) > now).slice(0, 12);
  if (offset) return section("Coming up", empty("Go back to this week to see what is next.", "event"));
  return section("Coming up", coming.length ? el("ul", { class: "agenda" }, coming.map((one) =>
    el("li", { class: "slot" }, el("i", { style: { "--hue": one.hue } }), el("div", {}, el("p", { class: "item-title", text: one.title }),
      el("p", { class: "item-meta" }, el("span", { text: whenOf(one, today) }), one.place && el("span", {}, icon("place"), one.place), one.calendar && el("span", { text: one.calendar }),
        clashing(one) && el("span", { class: "late" }, icon("alert"), "overlaps")))))) : empty("Nothing is planned.", "event"));
}

function whenOf(one) {
  if (one.all_day) return lasting(one);
  return `${format.near(one.start)} to ${format.time(one.end)}`;
}

function lasting(one) {
  const first = one.start.slice(0, 10), last = format.dayKey(format.addDays(format.moment(one.end.slice(0, 10)), -1));
  return first === last ? format.near(first) : `${format.near(first)} to ${format.near(last)}`;
}

function clashing(one) {
  return one.busy && !one.all_day && happening.some((other) => other !== one && other.busy && !other.all_day && new Date(other.start) < new Date(one.end) && new Date(one.start) < new Date(other.end));
}

function week() {
  const start = monday(), days = Array.from({ length: 7 }, (_, at) => format.addDays(start, at)), today = format.dayKey(new Date());
  const move = (by) => async () => { offset = by ? offset + by : 0; await readWeek().catch(failed); draw(); };
  const head = days.map((date) => el("div", { class: `week-day ${format.dayKey(date) === today ? "today" : ""}`, text: format.day(date).replace(/ \d{4}$/, "") }));
  const timed = happening.filter((one) => !one.all_day);
  const first = Math.min(FIRST, ...timed.map((one) => new Date(one.start).getHours())), last = Math.max(LAST, ...timed.map((one) => new Date(one.end).getHours() + 1));
  const tall = `${(last - first) * HOUR}px`;
  const hours = Array.from({ length: last - first - 1 }, (_, at) => el("span", { style: { top: `${(at + 1) * HOUR}px` }, text: `${first + at + 1}:00` }));
  const grid = el("div", { class: "week", role: "group", tabindex: "0", "aria-label": "Week", style: { "--tall": tall, "--hour": `${HOUR}px` } },
    el("div", { class: "week-corner" }), head, el("div", { class: "whole" }), days.map(whole), el("div", { class: "hours" }, hours), days.map((date) => lane(date, first)));
  return el("section", { class: "panel" }, el("div", { class: "row spread" }, el("h2", { text: "Week" }),
    el("div", { class: "row" }, button("Week before", move(-1), { symbol: "left", hidden: true, kind: "small" }), button("This week", move(0), { kind: "small" }), button("Week after", move(1), { symbol: "right", hidden: true, kind: "small" }))), grid);
}

const onDay = (one, date) => new Date(one.start) < format.addDays(date, 1) && new Date(one.end) > format.moment(format.dayKey(date));

function whole(date) {
  return el("div", { class: "whole" }, happening.filter((one) => one.all_day && onDay(one, date)).map((one) => el("span", { title: one.title, text: one.title, style: { "--hue": one.hue } })));
}

function lane(date, first) {
  const found = happening.filter((one) => !one.all_day && onDay(one, date)), from = format.moment(format.dayKey(date));
  return el("div", { class: "lane" }, placed(found).map(({ one, left, width }) => {
    const begin = Math.max(0, (new Date(one.start) - from) / 3600000), end = Math.min(24, (new Date(one.end) - from) / 3600000);
    const place = { "--top": `${(begin - first) * HOUR}px`, "--length": `${(end - begin) * HOUR - 2}px`, "--left": left, "--width": width, "--hue": one.hue };
    return el("div", { class: `block ${clashing(one) ? "clashing" : ""}`, style: place, title: `${one.title}, ${whenOf(one)}`, text: one.title });
  }));
}

// Side by side where they overlap.
function placed(found) {
  const lanes = [], out = found.map((one) => {
    let at = lanes.findIndex((end) => end <= new Date(one.start));
    if (at < 0) at = lanes.push(0) - 1;
    lanes[at] = new Date(one.end);
    return { one, at };
  });
  return out.map(({ one, at }) => (clashing(one) ? { one, left: at / lanes.length, width: 1 / lanes.length } : { one, left: 0, width: 1 }));
}

function later() {
  if (scheduled || !body()) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; if (!editing && body()) todos(); });
}

on("records", async (kind) => {
  if (!body()) return;
  if (kind === "todo") return later();
  if (kind !== "event") return;
  await readWeek().catch(() => {});
  if (body() && !editing) draw();
});
