// A change as a card: what was done, to what, with the way back.

import { get, patch, post, Problem } from "./api.js";
import { over } from "./clashes.js";
import { announce, button, el, failed, icon, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";
import { howOften } from "./rules.js";

export const KINDS = { todo: "task", event: "event", note: "note", profile: "profile", instruction: "instruction", memo: "memo" };
const DONE = { create: "Added", update: "Changed", complete: "Done", archive: "Archived", delete: "Deleted", undo: "Taken back" };
const WANTED = { create: "New", update: "Change", complete: "Mark done", archive: "Archive", delete: "Delete", undo: "Take back" };
const HIDDEN = new Set(["task", "title", "summary", "text", "kind", "category", "status", "zone", "all_day", "color", "content", "busy", "policy", "task_id", "end", "solutions", "done_steps", "transcript_id"]);
// What a yes writes is shown whole; what is left out is told by another field of it.
const TOLD = new Set(["task", "title", "summary", "text", "kind", "category", "zone", "end", "policy", "task_id", "transcript_id"]);
const LABELS = { time_to_complete: "takes", snooze_until: "later", remind_at: "reminder", deadline: "due", list: "list", exdates: "not on", solutions: "steps", done_steps: "steps done", content: "text" };
const SYMBOLS = {
  deadline: "clock", start: "clock", captured_at: "clock", remind_at: "bell", snooze_until: "wait", recurrence: "repeat", location: "place",
  list: "list", priority: "flag", items: "list", time_to_complete: "wait", title: "edit", task: "edit",
};
const LAST = 9007199254740991;
const cards = new Map(), undone = new Map(), moved = new Map();

export function kindName(kind, fields = {}) {
  if (kind === "note" && fields.category && fields.category !== "note") return fields.category;
  if (kind === "todo" && fields.kind && fields.kind !== "todo") return fields.kind;
  return KINDS[kind] ?? kind;
}

export function kindIcon(kind, fields = {}) {
  return icon(kind === "note" && fields.category === "list" ? "list" : kind);
}

export const wanted = (op, kind, fields) => `${WANTED[op] ?? op} ${kindName(kind, fields)}`;

export function valueText(name, value, fields = {}) {
  if (value === null || value === "") return `no ${LABELS[name] ?? name}`;
  if (name === "start") return format.span(value, fields.end);
  if (["deadline", "remind_at", "snooze_until", "end", "captured_at"].includes(name)) return format.when(value);
  if (name === "recurrence") return howOften(value);
  if (name === "time_to_complete") return format.minutes(value);
  if (name === "exdates") return value.map(format.when).join(", ");
  if (name === "all_day") return value ? "all day" : "at a time";
  if (name === "items") return value.map((line) => line.text ?? line).join(", ");
  if (name === "facts") return Object.entries(value).map(([key, fact]) => `${key}: ${fact}`).join(", ");
  if (name === "since") return Object.values(value).map(format.when).join(", ");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object") return Object.values(value).join(", ");
  return String(value);
}

export function details(fields, before = {}, hidden = HIDDEN) {
  return Object.entries(fields)
    .map(([name, value]) => [name, name === "exdates" ? (value ?? []).filter((day) => !before?.exdates?.includes(day)) : value])
    .filter(([name, value]) => !hidden.has(name) && !(value === null && !before?.[name]) && !(Array.isArray(value) && !value.length))
    .filter(([, value]) => !(value && typeof value === "object" && !Array.isArray(value) && !Object.keys(value).length))
    .map(([name, value]) => ({ name, symbol: SYMBOLS[name], label: LABELS[name] ?? name.replaceAll("_", " "), text: valueText(name, value, fields) }))
    .filter(({ text }) => text);
}

export function chip({ symbol, label, text, name }) {
  const level = name === "priority" ? `level-${text}` : "";
  return el("span", { class: `chip ${level}` }, symbol ? icon(symbol) : el("span", { class: "chip-label", text: label }), el("span", { text: clip(text) }));
}

const clip = (text) => (text.length > 90 ? `${text.slice(0, 88)}…` : text);

// `said` are the words of the message: steps that are not in them are nobody's but Summit's.
export function changeCard(change, { onchange, said = "" } = {}) {
  const node = el("article", { class: "card", "data-change": change.id });
  const show = () => draw(node, cards.get(change.id).change, onchange, said);
  cards.set(change.id, { change, show });
  show();
  look(change);
  return node;
}

// An overlap is told as it was when the change was made; what was moved since is shown as it is.
async function look(change) {
  if (!change.conflicts?.length || change.status !== "applied") return;
  const now = await over(change).catch(() => null);
  if (now) moved.set(change.id, now);
  else if (!moved.delete(change.id)) return;
  cards.get(change.id)?.show();
}

function draw(node, change, onchange, said) {
  const { kind, op, status, fields } = change, held = status === "needs_confirmation", record = { ...(change.after ?? change.before), ...(held ? fields : {}) };
  node.dataset.status = status;
  const name = status === "undone" ? "Undone" : status === "failed" ? "Not done" : DONE[op] ?? op;
  const shown = details(fields, change.before ?? {}, held ? TOLD : HIDDEN).filter(({ text }) => text !== change.title);
  node.replaceChildren(
    el("span", { class: `badge badge-${kind}` }, kindIcon(kind, record)),
    el("div", { class: "card-body" },
      el("p", { class: "card-head" }, el("span", { class: "card-op", text: held ? `Needs confirmation: ${wanted(op, kind, record).toLowerCase()}` : `${name} ${kindName(kind, record)}` })),
      el("p", { class: "card-title", text: change.title })),
    back(change, onchange),
    el("div", { class: "card-more" },
      shown.length > 0 && el("p", { class: "chips" }, shown.map(chip)),
      status === "applied" && steps(change, said),
      status === "failed" && el("p", { class: "reason" }, icon("alert"), change.error ?? change.reason),
      conflicts(change)),
  );
}

// Steps that nobody said are a suggestion, and look like one.
function steps(change, said) {
  const found = change.op === "create" && change.kind === "todo" ? change.fields.solutions ?? [] : [];
  if (!found.length || said.toLowerCase().includes(found[0].toLowerCase())) return null;
  return el("details", { class: "suggested" }, el("summary", { class: "quiet small-text", text: `Suggested: ${format.plural(found.length, "step")}` }),
    el("ul", { class: "steps" }, found.map((text) => el("li", { text }))), button("Leave the steps out", () => leaveOut(change), { kind: "small bare" }));
}

async function leaveOut({ id, record_id }) {
  try {
    await patch(`/v1/todos/${record_id}`, { solutions: [] });
    const card = cards.get(id);
    card.change = { ...card.change, fields: { ...card.change.fields, solutions: [] } };
    card.show();
    announce("The steps are left out.");
  } catch (problem) { failed(problem); }
}

function conflicts(change) {
  const { conflicts: clashes = [], alternatives = [], status } = change;
  if (!clashes.length || status === "undone") return null;
  const named = clashes.map((one) => `“${one.title}” (${format.span(one.start, one.end)})`).join(", ");
  const to = moved.get(change.id);
  if (to) return to.start ? el("div", { class: "clash" }, el("p", { class: "quiet", text: `Moved to ${format.span(to.start, to.end)}` })) : null;
  const free = alternatives.length > 0 && el("p", { class: "chips" }, el("span", { class: "quiet small-text", text: "Free:" }),
    alternatives.map((one) => el("button", { type: "button", class: "chip chip-edit", "aria-label": `Move to ${format.span(one.start, one.end)}`, onclick: (event) => move(event.currentTarget, change, one), text: format.span(one.start, one.end) })));
  return el("div", { class: "clash" }, el("p", { class: "reason" }, icon("alert"), `Overlaps with ${named}`), free);
}

async function move(pressed, change, { start, end }) {
  pressed.disabled = true;
  try {
    await patch(`/v1/events/${change.record_id}`, { start, end });
    announce(`Moved to ${format.span(start, end)}`);
    moved.set(change.id, { start, end });
    cards.get(change.id).show();
  } catch (problem) {
    pressed.disabled = false;
    failed(problem);
  }
}

function back(change, onchange) {
  if (change.status === "applied" && change.op !== "undo") {
    return button("Undo", (event) => reverse(event.currentTarget, change, onchange), { symbol: "undo", kind: "small", "aria-label": `Undo: ${change.title}` });
  }
  return change.status === "undone" ? button("Redo", (event) => redo(event.currentTarget, change, onchange), { symbol: "repeat", kind: "small" }) : "";
}

// What was undone before the page was opened is undone by a change that has to be looked for.
async function redo(pressed, change, onchange) {
  const id = undone.get(change.id) ?? await undoOf(change).catch(() => null);
  if (!id) return failed(new Problem(0, { detail: "It cannot be done again: how it was undone is not known any more." }));
  return reverse(pressed, { ...change, id, redo: change.id }, onchange);
}

async function undoOf(change) {
  const { items } = await get(`/v1/changes?record_id=${change.record_id}&before=${LAST}&limit=200`);
  const undo = items.find((one) => one.undo_of === change.id && one.status === "applied");
  if (undo) undone.set(change.id, undo.id);
  return undo?.id;
}

async function reverse(pressed, change, onchange) {
  pressed.disabled = true;
  try {
    const row = await post(`/v1/changes/${change.id}/undo`, {}, { headers: { "Idempotency-Key": uuid() } });
    mark(row);
    announce(change.redo ? `Done again: ${change.title}` : `Undone: ${change.title}`);
    onchange?.(row);
  } catch (problem) {
    pressed.disabled = false;
    failed(problem);
  }
}

export function mark(row) {
  if (!row.undo_of || row.status !== "applied") return;
  const redone = [...undone].find(([, undo]) => undo === row.undo_of)?.[0];
  const target = redone ?? row.undo_of;
  if (redone) undone.delete(redone);
  else undone.set(target, row.id);
  const card = cards.get(target);
  if (!card) return;
  card.change = { ...card.change, status: redone ? "applied" : "undone" };
  card.show();
}

on("change.applied", ({ data }) => {
  mark(data);
  if (data.kind !== "event") return;
  const about = ({ change }) => change.record_id === data.record_id || change.conflicts?.some((one) => one.record_id === data.record_id);
  [...cards.values()].filter(about).forEach(({ change }) => look(change));
});
