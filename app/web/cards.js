// A change as a card: what was done, to what, with the way back.

import { patch, post } from "./api.js";
import { announce, button, el, failed, icon, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";

export const KINDS = { todo: "task", event: "event", note: "note", profile: "profile", instruction: "instruction", memo: "memo" };
const DONE = { create: "Added", update: "Changed", complete: "Done", archive: "Archived", delete: "Deleted", undo: "Taken back" };
const WANTED = { create: "New", update: "Change", complete: "Mark done", archive: "Archive", delete: "Delete", undo: "Take back" };
const HIDDEN = new Set(["task", "title", "summary", "text", "kind", "category", "status", "zone", "all_day", "color", "content", "busy", "exdates", "policy", "task_id", "end", "solutions", "done_steps", "transcript_id"]);
const LABELS = { time_to_complete: "takes", snooze_until: "later", remind_at: "reminder", deadline: "due", list: "list" };
const SYMBOLS = {
  deadline: "clock", start: "clock", captured_at: "clock", remind_at: "bell", snooze_until: "wait", recurrence: "repeat", location: "place",
  list: "list", priority: "flag", items: "list", time_to_complete: "wait", title: "edit", task: "edit",
};
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
  if (name === "recurrence") return format.rule(value);
  if (name === "time_to_complete") return format.minutes(value);
  if (name === "items") return value.map((line) => line.text ?? line).join(", ");
  if (name === "facts") return Object.entries(value).map(([key, fact]) => `${key}: ${fact}`).join(", ");
  if (name === "since") return Object.values(value).map(format.when).join(", ");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object") return Object.values(value).join(", ");
  return String(value);
}

export function details(fields, before = {}) {
  return Object.entries(fields)
    .filter(([name, value]) => !HIDDEN.has(name) && !(value === null && !before?.[name]) && !(Array.isArray(value) && !value.length))
    .filter(([, value]) => !(value && typeof value === "object" && !Array.isArray(value) && !Object.keys(value).length))
    .map(([name, value]) => ({ name, symbol: SYMBOLS[name], label: LABELS[name] ?? name.replaceAll("_", " "), text: valueText(name, value, fields) }))
    .filter(({ text }) => text);
}

export function chip({ symbol, label, text, name }) {
  const level = name === "priority" ? `level-${text}` : "";
  return el("span", { class: `chip ${level}` }, symbol ? icon(symbol) : el("span", { class: "chip-label", text: label }), el("span", { text: clip(text) }));
}

const clip = (text) => (text.length > 90 ? `${text.slice(0, 88)}…` : text);

export function changeCard(change, { onchange } = {}) {
  const node = el("article", { class: "card", "data-change": change.id });
  const show = () => draw(node, cards.get(change.id).change, onchange);
  cards.set(change.id, { change, show });
  show();
  return node;
}

function draw(node, change, onchange) {
  const { kind, op, status, fields } = change, record = change.after ?? change.before ?? {};
  node.dataset.status = status;
  const name = status === "undone" ? "Undone" : status === "failed" ? "Not done" : status === "needs_confirmation" ? "Waits for your yes" : DONE[op] ?? op;
  const shown = details(fields, change.before ?? {});
  node.replaceChildren(
    el("span", { class: `badge badge-${kind}` }, kindIcon(kind, record)),
    el("div", { class: "card-body" },
      el("p", { class: "card-head" }, el("span", { class: "card-op", text: `${name} ${kindName(kind, record)}` })),
      el("p", { class: "card-title", text: change.title })),
    back(change, onchange),
    el("div", { class: "card-more" },
      shown.length > 0 && el("p", { class: "chips" }, shown.map(chip)),
      status === "failed" && el("p", { class: "reason" }, icon("alert"), change.error ?? change.reason),
      conflicts(change)),
  );
}

function conflicts(change) {
  const { conflicts: clashes = [], alternatives = [], status } = change;
  if (!clashes.length || status === "undone") return null;
  const named = clashes.map((one) => `“${one.title}” (${format.span(one.start, one.end)})`).join(", ");
  const to = moved.get(change.id);
  if (to) return el("div", { class: "clash" }, el("p", { class: "quiet", text: `Moved to ${format.span(to.start, to.end)}` }));
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
  const undo = change.status === "undone" && undone.get(change.id);
  return undo ? button("Redo", (event) => reverse(event.currentTarget, { ...change, id: undo, redo: change.id }, onchange), { symbol: "repeat", kind: "small" }) : "";
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

on("change.applied", ({ data }) => mark(data));
