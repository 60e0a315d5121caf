// The conversation: what was said, what was committed, and what is asked.

import { get, post, Problem } from "./api.js";
import { changeCard } from "./cards.js";
import { announce, button, el, failed, fill, icon, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { on, online } from "./live.js";
import * as outbox from "./outbox.js";
import { Marks } from "./marks.js";
import { forPeople } from "./plain.js";
import { Preview } from "./preview.js";
import { possible, record } from "./recorder.js";
import { hush, readAloud } from "./voice.js";
import { Waiting } from "./waiting.js";

const KEPT = 40, OVER = new Set(["done", "failed", "cancelled", "waiting"]);
const EXAMPLES = [
  "Call mom tomorrow at 5 and book the dentist for Friday 3pm",
  "Add milk, eggs and bread to my shopping list",
  "What is on my calendar this week?",
];
const turns = new Map(), early = new Map();
const NEAR = 90, HOLD_MS = 350, PLACEHOLDER = "Tell me anything";
let log, earlier, form, box, heard, preview, waits, hero, view = null, answering = null, loaded = false, thread = null, first = 0, newest = null, follow = true, hold = null;

export function show(main) {
  view ??= build();
  const back = !main.contains(view);
  if (back) fill(main, view);
  restoreDraft();
  if (!loaded) load();
  else toEnd();
  if (back && matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
}

function build() {
  log = el("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: "0" });
  earlier = el("div", { class: "earlier" });
  log.append(earlier);
  hero = welcome();
  box = el("textarea", { id: "message", rows: "1", placeholder: PLACEHOLDER, "aria-label": "Message", maxlength: "20000", enterkeyhint: "send", autocomplete: "off", oninput: typed, onkeydown: keys });
  const slips = el("div", { class: "preview", id: "preview", "aria-label": "What is understood so far", role: "group", hidden: true });
  const marks = new Marks(box), open = el("section", { class: "waits", id: "waits", "aria-label": "Waits for your answer", hidden: true });
  preview = new Preview(slips, marks);
  waits = new Waiting(open, answer);
  const bar = el("div", { class: "bar" }, el("div", { class: "message" }, marks.layer, box),
    possible() && button("Record", () => hold || startRecording(), { symbol: "mic", hidden: true, kind: "round", id: "record", onpointerdown: pressed, oncontextmenu: (event) => event.preventDefault() }),
    button("Send", send, { symbol: "send", hidden: true, kind: "round primary", id: "send" }));
  heard = el("p", { class: "heard", "aria-label": "What is heard so far", hidden: true });
  form = el("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); send(); } }, open, slips, heard, bar);
  const scroll = el("div", { class: "scroll", onscroll: () => { follow = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR; } }, hero, log);
  new ResizeObserver(toEnd).observe(scroll);
  return el("div", { class: "talk" }, el("h1", { class: "visually-hidden", text: "Talk" }), scroll, form);
}

function welcome() {
  return el("section", { class: "hero", hidden: localStorage.getItem("talked") !== null },
    el("p", { class: "hero-title", text: "What is on your mind?" }),
    el("p", { class: "quiet", text: "Say it in your own words. You see what is understood before it is saved, and every change can be undone." }),
    el("div", { class: "examples" }, EXAMPLES.map((words) =>
      el("button", { type: "button", class: "example", onclick: () => { box.value = ""; write(words); box.focus(); } }, el("span", { text: words }), icon("edit")))));
}

// What was shown as it was before the connection was lost is read anew, the next time it is looked at.
export function renew() {
  loaded = false;
}

async function load() {
  loaded = true;
  try {
    const [threads, changes] = await Promise.all([get("/v1/threads?limit=200"), get("/v1/changes?limit=200&before=9007199254740991")]);
    thread = threads.items.find((one) => one.is_main);
    first = Math.max(0, (thread?.message_count ?? 0) - KEPT);
    const messages = thread?.message_count ? (await get(`/v1/threads/${thread.id}/messages?after=${first}&limit=200`)).items : [];
    past(messages, changes.items);
    earlier.querySelector(".older")?.remove();
    if (first) earlier.prepend(button("Earlier messages", older, { kind: "small older" }));
  } catch (problem) {
    loaded = false;
    if (problem.status !== 401) failed(problem);
  }
  hero.hidden = turns.size > 0;
  const left = await outbox.waiting();
  left.filter((item) => !turns.has(item.key)).forEach((item) => block(item.key, item.text ?? "Recording", "queued", item));
  outbox.flush();
  toEnd();
}

function past(messages, changes) {
  const made = Map.groupBy ? Map.groupBy(changes, (one) => one.turn_id) : grouped(changes);
  for (const { turn_id, role, content, remarks, created_at } of messages) {
    const known = turns.get(turn_id);
    if (!known && byTurn(turn_id)) continue;
    if (role === "user" && !known) block(turn_id, content, "done", null, earlier, created_at).id = turn_id;
    if (role !== "assistant") continue;
    const shown = known ?? block(turn_id, "", "done", null, earlier, created_at);
    shown.id = turn_id;
    shown.words = remarks ?? content;
    [...(made.get(turn_id) ?? [])].reverse().forEach((change) => addChange(shown, change));
    draw(shown);
  }
  const last = [...turns.values()].at(-1);
  if (last?.id) settle(last);
}

// What was said before that: each turn brings its own changes.
async function older(event) {
  const pressed = event.currentTarget, to = first, scroll = view.querySelector(".scroll"), below = scroll.scrollHeight - scroll.scrollTop;
  pressed.disabled = true;
  try {
    const start = Math.max(0, to - KEPT), { items } = await get(`/v1/threads/${thread.id}/messages?after=${start}&limit=${to - start}`);
    const ids = [...new Set(items.map((one) => one.turn_id))].filter((id) => !turns.has(id) && !byTurn(id)), page = el("div", { class: "earlier" });
    let day = null;
    const remarks = new Map(items.filter((one) => one.role === "assistant").map((one) => [one.turn_id, one.remarks ?? one.content]));
    for (const turn of await Promise.all(ids.map((id) => get(`/v1/turns/${id}`)))) {
      day = mark(page, turn.created_at, day);
      apply(block(turn.id, "", "done", null, page, null), { ...turn, remarks: remarks.get(turn.id), changes: turn.changes.filter((one) => one.turn_id === turn.id) });
    }
    first = start;
    earlier.before(page);
    if (first) page.prepend(pressed);
    else pressed.remove();
    scroll.scrollTop = scroll.scrollHeight - below;
  } catch (problem) { failed(problem); }
  pressed.disabled = false;
}

// A line where another day begins; none above what was said today alone.
function mark(where, at, before) {
  const day = format.dayKey(at ? new Date(at) : new Date());
  if (day !== before && (before || day !== format.dayKey(new Date()))) where.append(el("p", { class: "day-mark", text: format.near(day) }));
  return day;
}

function grouped(changes) {
  const found = new Map();
  changes.forEach((one) => found.set(one.turn_id, [...(found.get(one.turn_id) ?? []), one]));
  return found;
}

// A block is one turn on the page: its key before the server knows it, its id afterwards.
function block(key, text, status, item = null, where = log, at = undefined) {
  if (at !== null) newest = mark(where, at, newest);
  const parts = { said: el("p", { class: "said" }), cards: el("div", { class: "cards" }), reply: el("div", { class: "reply" }), note: el("p", { class: "note" }) };
  const answer = el("div", { class: "answer" }, parts.cards, parts.reply, parts.note);
  const made = { key, id: null, text, status, item, words: "", changes: new Map(), question: null, ...parts, node: el("section", { class: "turn", "data-key": key }, parts.said, answer) };
  turns.set(key, made);
  hero.hidden = true;
  localStorage.setItem("talked", "1");
  where.append(made.node);
  draw(made);
  return made;
}

function draw(one) {
  one.node.dataset.status = one.status;
  one.said.textContent = one.text;
  one.said.hidden = !one.text;
  fill(one.reply, paragraphs(one));
  fill(one.note, note(one));
  one.note.hidden = !one.note.childNodes.length;
}

// What waits is shown once, above the message box.
const paragraphs = (one) => String(one.words ?? "").replace(waits?.question?.id === one.id ? waits.question.text : "", "").split("\n").filter(Boolean).map((line) => el("p", { text: forPeople(line) }));

function note(one) {
  const problem = one.item?.problem;
  if (problem) return [icon("alert"), el("span", { text: `Not sent. ${problem.message} ${problem.hint ?? ""}` }),
    button("Try again", () => again(one), { kind: "small" }), button("Discard", () => discard(one), { kind: "small" })];
  if (one.status === "queued") return [icon("wait"), el("span", { text: "Waiting for a connection. It is kept on this device and sent once." }), button("Discard", () => discard(one), { kind: "small" })];
  if (one.status === "running" && !one.words) return [el("span", { class: "thinking", role: "img", "aria-label": "Working on it" }, el("i"), el("i"), el("i")), one.id && button("Stop", () => stop(one), { kind: "small bare stop" })];
  if (one.status === "cancelled") return [el("span", { text: "Stopped." })];
  return [];
}

// The newest message of a thread that was answered says what waits there; one that was just tapped waits no more.
function pin() {
  const question = latest().find((one) => one.question)?.question, owner = question && byTurn(question.id), before = waits.question && byTurn(waits.question.id);
  waits.show(question && question.id !== answering ? question : null, owner ? held(owner).length : 0);
  [before, owner].filter(Boolean).forEach(draw);
}

function latest() {
  const over = [...view.querySelectorAll(".turn")].reverse().map((node) => turns.get(node.dataset.key)).filter((one) => one?.id && ["done", "waiting"].includes(one.status));
  return over.filter((one, at) => over.findIndex((other) => other.thread === one.thread) === at);
}

const held = (one) => [...one.changes.values()].filter((change) => change.status === "needs_confirmation");

async function answer({ id }, words, accept) {
  const owner = byTurn(id);
  answering = id;
  pin();
  const asking = latest().find((one) => one.question?.id === id);
  if (accept === null || !owner) return outbox.add({ text: words, answers: id, thread_id: asking?.thread });
  await confirm(owner, accept);
  answering = null;
  if (asking && asking !== owner) await settle(asking);
  return pin();
}

async function stop(one) {
  await post(`/v1/turns/${one.id}/cancel`, {}, { headers: { "Idempotency-Key": uuid() } }).then((turn) => apply(one, turn), failed);
}

async function confirm(one, accept) {
  try {
    const turn = await post(`/v1/turns/${one.id}/confirm`, { accept }, { headers: { "Idempotency-Key": uuid() } });
    apply(one, turn);
  } catch (problem) {
    failed(problem);
    settle(one);
  }
}

function addChange(one, change) {
  if (change.undo_of && change.op === "undo" && change.turn_id === one.id && one.changes.has(change.undo_of)) return;
  const before = one.cards.querySelector(`[data-change="${CSS.escape(change.id)}"]`);
  // Told twice, as an event and with its turn: what somebody has opened on the card meanwhile stays open.
  if (before && same(one.changes.get(change.id), change)) return;
  const card = changeCard(change, { said: one.text ?? "" });
  if (before) keepOpen(before, card);
  if (before) before.replaceWith(card);
  else one.cards.insertBefore(card, laterCard(one, change));
  one.changes.set(change.id, change);
}

function keepOpen(before, card) {
  const opened = new Set([...before.querySelectorAll("details[open]")].map((part) => part.className));
  card.querySelectorAll("details").forEach((part) => { part.open ||= opened.has(part.className); });
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// In the order in which they were said: agents work side by side.
function laterCard(one, change) {
  const next = [...one.cards.children].find((card) => (one.changes.get(card.dataset.change)?.place ?? 0) > (change.place ?? 0));
  return next ?? null;
}

function apply(one, turn) {
  one.id = turn.id;
  one.thread = turn.thread_id;
  one.status = turn.status;
  one.text = turn.input.text ?? one.text;
  one.words = turn.remarks ?? turn.reply ?? one.words;
  one.question = turn.question;
  const shown = new Set(turn.changes.map((change) => change.id));
  [...one.changes.keys()].filter((id) => !shown.has(id)).forEach((id) => { one.changes.delete(id); one.cards.querySelector(`[data-change="${CSS.escape(id)}"]`)?.remove(); });
  turn.changes.forEach((change) => addChange(one, change));
  if (turn.waits_for && !turn.reply) one.words = turn.waits_for.text;
  draw(one);
  pin();
  toEnd();
}

async function settle(one) {
  try {
    apply(one, await get(`/v1/turns/${one.id}`));
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
  }
}

// `answers` is the question that the words are for: they answer no other.
function say(text, reading, answers) {
  return outbox.add({ text, reading, answers });
}

function send() {
  const text = box.value.trim();
  if (!text) return box.focus();
  const reading = preview.changed, answers = preview.answered(text);
  box.value = "";
  follow = true;
  preview.reset();
  localStorage.removeItem("draft");
  grow();
  say(text, reading, answers);
}

function typed() {
  grow();
  preview.typed(box.value);
  localStorage.setItem("draft", box.value);
}

function restoreDraft() {
  const draft = localStorage.getItem("draft");
  if (!draft || box.value) return;
  box.value = draft;
  grow();
  preview.typed(draft);
}

function write(words) {
  box.value = [box.value.trim(), words].filter(Boolean).join(" ");
  typed();
}

function grow() {
  box.style.setProperty("height", "auto");
  box.style.setProperty("height", `${Math.min(box.scrollHeight, 180)}px`);
}

function keys(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send();
  }
}

// Tapped, the recording goes on until it is sent; held, it is sent when the button is let go.
function pressed(event) {
  if (event.button) return;
  const mine = { down: true };
  const wait = setTimeout(() => { hold = mine; startRecording(mine); }, HOLD_MS);
  const up = () => {
    clearTimeout(wait);
    mine.down = false;
    mine.released?.();
    ["pointerup", "pointercancel"].forEach((name) => removeEventListener(name, up));
    setTimeout(() => { hold = null; });
  };
  ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, up));
}

async function startRecording(held = null) {
  hush();  // nobody talks over the assistant
  const bar = form.querySelector(".bar"), kept = [...bar.childNodes];
  try {
    const clip = await record(bar, heard, held);
    bar.replaceChildren(...kept);
    if (clip?.edit) await writeDown(clip);
    else if (clip?.audio) outbox.add(clip);
    else if (clip) write(clip.text);
  } catch (error) {
    bar.replaceChildren(...kept);
    const denied = error.name === "NotAllowedError";
    toast(denied ? "The microphone is not allowed. Allow it in the browser's settings for this page." : "No microphone was found.");
  }
  box.focus();
}

// Whoever wants to edit the words sends nothing yet: what was not heard while they spoke is written down first.
async function writeDown({ audio, name }) {
  const form = new FormData();
  form.append("file", audio, name);
  box.setAttribute("aria-busy", "true");
  box.placeholder = "One moment: what you said is being written down";
  try {
    const { text } = await post("/v1/audio/transcriptions", form);
    if (text) write(text);
    else toast("Nothing was heard in the recording.");
  } catch (problem) {
    const note = toast(`The recording could not be written down. ${problem.message}`, button("Send the recording", () => { note.remove(); outbox.add({ audio, name }); }, { kind: "small" }), { stays: true });
  }
  box.placeholder = PLACEHOLDER;
  box.removeAttribute("aria-busy");
}

async function again(one) {
  one.item = { ...one.item, problem: null };
  one.status = "queued";
  draw(one);
  await outbox.retry(one.item);
}

async function discard(one) {
  await outbox.drop(one.key);
  if (one.item?.text && !box.value) box.value = one.item.text;
}

// Who reads what was said before is left there.
function toEnd() {
  const scroll = view?.querySelector(".scroll");
  if (scroll && follow) requestAnimationFrame(() => { scroll.scrollTop = scroll.scrollHeight; });
}

const byTurn = (id) => [...turns.values()].find((one) => one.id === id);

on("outbox", (item) => {
  if (!view) return;
  block(item.key, item.text ?? "Recording", online ? "running" : "queued", item);
  toEnd();
});
on("undelivered", async () => {
  for (const item of await outbox.waiting()) {
    const one = turns.get(item.key);
    if (one && !item.problem) { one.status = "queued"; draw(one); }
  }
});
on("refused", (item) => {
  const one = turns.get(item.key);
  if (one) { one.item = item; one.status = "failed"; draw(one); }
});
on("delivered", ({ item, turn }) => {
  const one = turns.get(item.key) ?? (view && block(item.key, item.text ?? "Recording", "running", item));
  if (!one) return;
  const double = byTurn(turn.id);
  one.id = turn.id;
  one.item = null;
  one.status = "running";
  draw(one);
  (early.get(turn.id) ?? []).forEach((event) => happened(one, event));
  early.delete(turn.id);
  if (OVER.has(turn.status)) apply(one, turn);
  if (double && double !== one) { double.node.remove(); turns.delete(double.key); settle(one); }
});
on("dropped", (key) => {
  const one = turns.get(key);
  if (!one || one.id) return;
  one.node.remove();
  turns.delete(key);
});
on("link", async (up) => {
  if (!up || !view) return;
  [...turns.values()].filter((one) => one.id && !OVER.has(one.status)).forEach(settle);
});
on("*", async (event) => {
  const id = event?.turn_id, confirms = event?.data?.confirms;
  if (confirms && view) [...turns.values()].filter((one) => one.id && one.changes.has(confirms)).forEach(settle);
  if (!id || !view || !loaded) return;
  const known = byTurn(id);
  if (known) return happened(known, event);
  early.set(id, [...(early.get(id) ?? []), event]);
  await outbox.idle();
  const found = byTurn(id) ?? (early.has(id) && event.type === "turn.accepted" ? await elsewhere(id) : null);
  if (!found || !early.has(id)) return;
  const missed = early.get(id);
  early.delete(id);
  missed.forEach((one) => happened(found, one));
});

async function elsewhere(id) {
  const turn = await get(`/v1/turns/${id}`);
  if (byTurn(id)) return byTurn(id);
  const one = block(id, turn.input.text ?? "Recording", "running");
  apply(one, turn);
  return one;
}

function happened(one, { type, data }) {
  if (type === "change.applied" && data.undo_of) return;
  if (["change.applied", "change.failed", "approval.required"].includes(type)) addChange(one, data);
  else if (type === "transcript.final") one.text = data.text;
  else if (type === "reply.delta") one.words = (one.words ?? "") + (data.receipt ? "" : data.text);
  else if (type === "question.asked") one.question = data;
  else if (type === "reply.completed") { one.words = data.remarks; announce(data.reply); readAloud(data.reply); }
  else if (type === "turn.done") { one.status = data.status; answering = null; settle(one); }
  draw(one);
  toEnd();
}
