// What was recorded and noted, and questions about it that are answered with their sources.

import { all, patch, post, remove } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, icon, inStep, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";
import { notes } from "./notes.js";
import { citation, search } from "./search.js";
import * as store from "./store.js";
import { topics } from "./topics.js";

const stateOf = (one) => one.state === "transcribing" && one.segments.length && one.duration_ms
  ? `${STATES.transcribing}: ${Math.round((100 * one.segments.at(-1).end_ms) / one.duration_ms)} %` : STATES[one.state] ?? one.state;
const STATES = {
  receiving: "Arriving", received: "Waiting to be written down", transcribing: "Being written down", transcribed: "Written down",
  indexed: "Searchable", acted: "Acted on", needs_you: "Needs you", failed: "Not written down",
};
const UNDER_WAY = new Set(["receiving", "received", "transcribing"]), AGAIN = 2500;
const nodes = new Map();
let main = null, memos = [], correcting = null, list = null, timer = null;

export function show(where) {
  main = where;
  list = el("ul", { class: "items" });
  nodes.clear();
  fill(main, el("div", { class: "page" }, el("h1", { text: "Memory" }), el("div", { id: "ask" }, search(playFrom)), el("div", { id: "topics" }),
    el("div", { class: "columns" }, el("section", { class: "panel", id: "notes" }), el("section", { class: "panel", id: "memos" }))));
  notes(part("notes"));
  topics(part("topics"), (one) => citation(one, playFrom)).catch(failed);
  store.load("note").then(() => notes(part("notes")), failed);
  reload().catch(failed);
}

const part = (name) => main?.querySelector(`#${name}`);

async function loadMemos() {
  memos = await all("/v1/memos", 400);
}

function playFrom(id, ms) {
  const player = part("memos")?.querySelector(`audio[data-memo="${CSS.escape(id)}"]`) ?? el("audio", { src: `/v1/memos/${id}/audio` });
  document.querySelectorAll("audio").forEach((other) => other !== player && other.pause());
  player.currentTime = ms / 1000;
  player.play();
}

// A memo that did not change keeps its row, so that one that plays goes on.
function recordings() {
  const box = part("memos");
  if (!box) return;
  if (!list.isConnected) fill(box, el("h2", { text: "Memos" }), list, empty("What you record is kept here with its words.", "mic"));
  box.querySelector(".empty").hidden = memos.length > 0;
  inStep(list, memos.map((one) => {
    const version = JSON.stringify([one, correcting === one.id]);
    if (nodes.get(one.id)?.version !== version) nodes.set(one.id, { version, node: memo(one) });
    return nodes.get(one.id).node;
  }));
}

function memo(one) {
  const spoken = one.segments.flatMap(sentencesOf), sentences = spoken.map((said) => el("button", { type: "button", class: "sentence", title: `Play from ${format.elapsed(said.start_ms)}`, onclick: () => playFrom(one.id, said.start_ms), text: said.text }));
  const player = one.container && one.container !== "text" && el("audio", { controls: true, preload: "none", src: `/v1/memos/${one.id}/audio`, "data-memo": one.id, "aria-label": one.title || "Recording",
    ontimeupdate: ({ target }) => sentences.forEach((sentence, at) => sentence.classList.toggle("playing", !target.ended && within(spoken[at], target.currentTime * 1000))) });
  const words = sentences.length ? el("p", {}, sentences) : one.transcript && el("p", { text: one.transcript });
  const again = one.state === "failed" && one.retryable, right = () => patch(`/v1/memos/${one.id}`, { transcript: one.transcript }).then(reload, failed);
  return el("li", { class: "item" }, el("div", { class: "item-body" },
    el("p", { class: "item-meta" }, el("span", { class: ["failed", "needs_you"].includes(one.state) ? "late" : "", text: stateOf(one) }), el("span", { text: format.near(one.captured_at) }), one.tags.map((tag) => el("span", { text: `#${tag}` })), one.duration_ms && el("span", { text: format.elapsed(one.duration_ms) })),
    one.title && !one.transcript?.startsWith(one.title) && el("p", { class: "item-title", text: one.title }), correcting === one.id ? corrector(one) : words, one.reason && el("p", { class: "reason" }, icon("alert"), one.reason), player,
    again && button("Try again", () => post(`/v1/memos/${one.id}/retry`, {}, { headers: { "Idempotency-Key": uuid() } }).then(reload, failed), { kind: "small" }),
    one.state === "needs_you" && button("That is right", right, { kind: "small" })),
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

// An engine may hear several sentences as one stretch: where each begins in it is then worked out from its place in the text.
function sentencesOf({ text, start_ms, end_ms }) {
  let at = 0;
  return (text.match(/\S.*?(?:[.!?]+["”’)]*(?=\s|$)|$)\s*/gs) ?? [text]).map((words) => {
    const from = start_ms + ((end_ms - start_ms) * at) / text.length;
    at += words.length;
    return { text: words.trim(), start_ms: Math.round(from), end_ms: Math.round(start_ms + ((end_ms - start_ms) * at) / text.length) };
  }).filter((one) => one.text);
}

const within = (said, ms) => said.start_ms <= ms && ms < said.end_ms;

// What is being written down is looked at again while somebody looks.
async function reload() {
  clearTimeout(timer);
  if (!part("memos")) return;
  await loadMemos();
  recordings();
  if (memos.some((one) => UNDER_WAY.has(one.state))) timer = setTimeout(() => reload().catch(() => {}), AGAIN);
}

on("records", (kind) => kind === "note" && notes());
on("transcript.final", () => reload().catch(() => {}));
on("change.applied", ({ data }) => data.kind === "memo" && reload().catch(() => {}));

