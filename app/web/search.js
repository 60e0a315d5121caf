// Questions about what was said, and a search over everything; what was spoken plays from the second where it was said.

import { get, post } from "./api.js";
import { button, el, failed, fill, icon, section, uuid } from "./dom.js";
import * as format from "./format.js";

const MOST = 20, SOURCES = { memo: "Memo", note: "Note", message: "You said", fact: "About you" };
const SYMBOLS = { memo: "memo", note: "note", message: "talk", fact: "profile" };

// `play` is what plays a memo from a millisecond.
export function search(play) {
  const words = el("input", { type: "search", "aria-label": "Ask or search your memory", placeholder: "What did I say about the plumber?", maxlength: "2000" });
  const found = el("div", { class: "stack tight", "aria-live": "polite" });
  const seek = (look) => async () => {
    if (!words.value.trim()) return words.focus();
    try {
      fill(found, await look(words.value.trim(), play));
    } catch (problem) { failed(problem); }
  };
  return section("Ask your memory", el("form", { class: "row one-line ask", onsubmit: (event) => { event.preventDefault(); seek(answer)(); } }, words,
    el("button", { class: "button primary", type: "submit" }, el("span", { text: "Ask" })), button("Search", seek(everywhere), { symbol: "search" })), found);
}

const once = () => ({ headers: { "Idempotency-Key": uuid() } });

async function answer(question, play) {
  const told = await post("/v1/memory/ask", { question }, once());
  return [el("p", { class: "told", text: told.answer }), told.citations.length > 0 && el("div", { class: "sources" }, quotes(told.citations, play))];
}

async function everywhere(query, play) {
  const words = `q=${encodeURIComponent(query.slice(0, 200))}&limit=${MOST}`;
  const [todos, events, said] = await Promise.all([get(`/v1/todos?${words}`), get(`/v1/events?${words}`), post("/v1/memory/search", { query, limit: MOST }, once())]);
  const lines = [
    ...todos.items.map((one) => line("todo", one.task, [one.status !== "not started" && one.status, one.deadline && format.near(one.deadline)])),
    ...events.items.map((one) => line("event", one.title, [format.span(one.start, one.end), one.location])),
  ];
  if (!lines.length && !said.items.length) return el("p", { class: "quiet", text: "Nothing like that was said or kept." });
  return [lines.length > 0 && el("ul", { class: "items" }, lines), said.items.length > 0 && quotes(said.items, play)];
}

function line(kind, title, about) {
  return el("li", { class: "item" }, el("span", { class: `badge badge-${kind}` }, icon(kind)), el("div", { class: "item-body" },
    el("a", { class: "item-title", href: "#day", text: title }), el("p", { class: "item-meta" }, about.filter(Boolean).map((text) => el("span", { text })))));
}

const quotes = (found, play) => el("ul", { class: "items" }, found.map((one) => el("li", {}, citation(one, play))));

export function citation(one, play) {
  const spoken = one.source === "memo" && one.start_ms !== null && one.start_ms !== undefined;
  return el("div", { class: "item" }, el("div", { class: "item-body" }, el("p", { text: `“${one.quote}”` }),
    el("p", { class: "item-meta" }, el("span", {}, icon(SYMBOLS[one.source] ?? "note"), SOURCES[one.source] ?? one.source), el("span", { text: format.near(one.captured_at) }),
      spoken && el("span", { text: `at ${format.elapsed(one.start_ms)}` }))),
  spoken && button("Play from there", () => play(one.id, one.start_ms), { symbol: "play", kind: "small" }));
}
