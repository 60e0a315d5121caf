// What was recorded and noted, and questions about it that are answered with their sources.

import { all, patch, post, remove } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, icon, section, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";
import * as store from "./store.js";
import { topics } from "./topics.js";

const stateOf = (one) => one.state === "transcribing" && one.segments.length && one.duration_ms
  ? `${STATES.transcribing}: ${Math.round((100 * one.segments.at(-1).end_ms) / one.duration_ms)} %` : STATES[one.state] ?? one.state;
const STATES = {
  receiving: "Arriving", received: "Waiting to be written down", transcribing: "Being written down", transcribed: "Written down",
  indexed: "Searchable", acted: "Acted on", needs_you: "Needs you", failed: "Not written down",
};
let main = null, memos = [], correcting = null;

export function show(where) {
  main = where;
  fill(main, el("div", { class: "page" }, el("h1", { text: "Memory" }), el("div", { id: "ask" }), el("div", { id: "topics" }),
    el("div", { class: "columns" }, el("section", { class: "panel", id: "notes" }), el("section", { class: "panel", id: "memos" }))));
  ask();
  notes();
  topics(part("topics"), citation).catch(failed);
  Promise.all([store.load("note"), loadMemos()]).then(() => { notes(); recordings(); }, failed);
}

const part = (name) => main?.querySelector(`#${name}`);

async function loadMemos() {
  memos = await all("/v1/memos", 400);
}

function ask() {
  const box = part("ask");
  if (!box) return;
  const words = el("input", { type: "search", "aria-label": "Ask or search your memory", placeholder: "What did I say about the plumber?" });
  const found = el("div", { "aria-live": "polite", class: "items" });
  const seek = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return;
    try {
      fill(found, await answer(words.value));
    } catch (problem) { failed(problem); }
  };
  fill(box, section("Ask your memory", el("form", { class: "row one-line", onsubmit: seek }, words, el("button", { class: "button primary", type: "submit" }, icon("search"), el("span", { text: "Ask" }))), found));
}

async function answer(question) {
  const told = await post("/v1/memory/ask", { question });
  return [el("p", { text: told.answer }), ...(told.citations ?? []).map(citation)];
}

function citation(one) {
  const play = one.source === "memo" && one.start_ms !== null && one.start_ms !== undefined;
  return el("div", { class: "item" }, el("div", { class: "item-body" }, el("p", { text: `“${one.quote ?? one.text}”` }), el("p", { class: "item-meta", text: one.captured_at ? format.near(one.captured_at) : "" })),
    play && button("Play from there", () => playFrom(one.id, one.start_ms), { symbol: "play", kind: "small" }));
}

function playFrom(id, ms) {
  const player = part("memos")?.querySelector(`audio[data-memo="${CSS.escape(id)}"]`) ?? el("audio", { src: `/v1/memos/${id}/audio` });
  player.currentTime = ms / 1000;
  player.play();
}

function notes() {
  const box = part("notes");
  if (!box) return;
  const active = store.records("note").filter((one) => one.status === "active").sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  fill(box, el("h2", { text: "Notes and lists" }), active.length ? el("ul", { class: "items" }, active.map(note)) : empty("No notes yet. Say “note that the spare key is with Ana”.", "note"));
}

function note(one) {
  const title = one.summary || one.content.split("\n")[0];
  return el("li", { class: "item", "data-id": one.id }, el("span", { class: "badge badge-note" }, icon(one.category === "list" ? "list" : "note")),
    el("div", { class: "item-body" }, el("p", { class: "item-title", text: title }), one.content && one.content !== title && el("p", { class: "quiet small-text", text: one.content }),
      one.items.length > 0 && el("ul", { class: "items" }, one.items.map((line, at) => row(one, line, at))),
      el("p", { class: "item-meta" }, one.category !== "note" && one.category !== "list" && el("span", { text: one.category }), one.deadline && el("span", {}, icon("clock"), format.near(one.deadline)), one.tags.map((tag) => el("span", { text: `#${tag}` })))),
    button(`Archive: ${title}`, () => save(one, { status: "archived" }), { symbol: "trash", hidden: true, kind: "bare" }));
}

function row(one, line, at) {
  const tick = el("input", { type: "checkbox", checked: line.done, "aria-label": line.text, onchange: () => save(one, { items: one.items.map((other, place) => (place === at ? { ...other, done: tick.checked } : other)) }) });
  return el("li", { class: "row" }, tick, el("span", { class: line.done ? "quiet" : "", text: line.text }));
}

async function save(one, fields) {
  try {
    store.keep("note", await patch(`/v1/notes/${one.id}`, fields, { headers: { "If-Match": `"${one.version}"` } }));
  } catch (problem) {
    failed(problem);
    if (problem.document.current) store.keep("note", problem.document.current);
  }
}

function recordings() {
  const box = part("memos");
  if (!box) return;
  fill(box, el("h2", { text: "Recordings" }), memos.length ? el("ul", { class: "items" }, memos.map(memo)) : empty("What you record is kept here with its words.", "mic"));
}

function memo(one) {
  const player = one.container && one.container !== "text" && el("audio", { controls: true, preload: "none", src: `/v1/memos/${one.id}/audio`, "data-memo": one.id, "aria-label": one.title || "Recording" });
  const words = one.segments.length ? el("p", {}, one.segments.map((said) => el("button", { type: "button", class: "sentence", onclick: () => playFrom(one.id, said.start_ms), text: said.text }))) : one.transcript && el("p", { text: one.transcript });
  const again = one.state === "failed" && one.retryable;
  return el("li", { class: "item" }, el("div", { class: "item-body" },
    el("p", { class: "item-meta" }, el("span", { class: ["failed", "needs_you"].includes(one.state) ? "late" : "", text: stateOf(one) }), el("span", { text: format.near(one.captured_at) }), one.duration_ms && el("span", { text: format.elapsed(one.duration_ms) })),
    correcting === one.id ? corrector(one) : words, one.reason && el("p", { class: "reason" }, icon("alert"), one.reason), player,
    again && button("Try again", () => post(`/v1/memos/${one.id}/retry`, {}, { headers: { "Idempotency-Key": uuid() } }).then(reload, failed), { kind: "small" })),
  one.transcript && correcting !== one.id && button(`Correct: ${one.title || "recording"}`, () => { correcting = one.id; recordings(); part("memos").querySelector("textarea").focus(); }, { symbol: "edit", hidden: true, kind: "bare" }),
  button(`Delete: ${one.title || "recording"}`, () => drop(one), { symbol: "trash", hidden: true, kind: "bare" }));
}

// What was misheard is put right by hand: memory finds the new words, and the change can be undone.
function corrector(one) {
  const words = el("textarea", { rows: "3", maxlength: "100000", value: one.transcript });
  const close = () => { correcting = null; recordings(); };
  const save = async (event) => {
    event.preventDefault();
    await patch(`/v1/memos/${one.id}`, { transcript: words.value }).then(() => { correcting = null; return reload(); }, failed);
  };
  return el("form", { class: "editor", onsubmit: save, onkeydown: (event) => event.key === "Escape" && close() }, field("What was said", words),
    el("div", { class: "row" }, button("Cancel", close, { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Save")));
}

async function drop(one) {
  if (!(await confirmed("Delete this recording with its words? It can be brought back for a while.", "Delete"))) return;
  try {
    const change = (await remove(`/v1/memos/${one.id}`, { raw: true })).headers.get("X-Change-Id");
    const back = () => post(`/v1/changes/${change}/undo`, {}, { headers: { "Idempotency-Key": uuid() } }).then(() => { note.remove(); return reload(); }, failed);
    const note = toast("The recording is deleted.", change && button("Undo", back, { kind: "small" }));
    await reload();
  } catch (problem) { failed(problem); }
}

async function reload() {
  await loadMemos();
  recordings();
}

on("records", (kind) => kind === "note" && notes());
on("transcript.final", () => part("memos") && reload().catch(() => {}));

