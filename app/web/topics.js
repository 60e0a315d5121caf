// What you talk about: topics with their sentences, and what you said is to be done that no task covers.

import { get, post } from "./api.js";
import { button, el, failed, fill, section, toast, uuid } from "./dom.js";
import * as format from "./format.js";

const MOST = 8;

export async function topics(box, citation) {
  const found = await get("/v1/insights");
  if (!found.topics.length && !found.open_loops.length) return fill(box);
  return fill(box,
    found.topics.length > 0 && section("What you talk about", el("div", { class: "items" }, found.topics.slice(0, MOST).map((one) => topic(one, citation)))),
    found.open_loops.length > 0 && section("Said, but on no list", el("ul", { class: "items" }, found.open_loops.slice(0, MOST).map((one) => loop(one)))));
}

function topic(one, citation) {
  const said = el("div", { class: "items" }, one.citations.map(citation));
  const all = one.units > one.citations.length && button(`All ${one.units} sentences`, () => whole(one, said, all, citation).catch(failed), { kind: "small" });
  return el("details", { class: "topic", "data-id": one.id },
    el("summary", {}, el("span", { class: "item-title", text: one.name }), el("span", { class: "item-meta", text: `${one.units} · ${format.near(one.last_at)}` })), said, all);
}

async function whole(one, said, all, citation) {
  let next = null;
  const items = [];
  do {
    const page = await get(`/v1/topics/${one.id}?limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ""}`);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < 400);
  fill(said, items.map(citation));
  all.remove();
}

function loop(one) {
  const line = el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: one.what }),
    el("p", { class: "item-meta", text: `“${one.citation.quote}” · ${format.near(one.citation.captured_at)}` })),
  button(`Make it a to-do: ${one.what}`, () => keep(), { symbol: "plus", hidden: true, kind: "bare" }));
  const key = uuid();
  async function keep() {
    try {
      await post("/v1/todos", { task: one.what }, { headers: { "Idempotency-Key": key } });
      line.remove();
      toast(`“${one.what}” is on your list.`);
    } catch (problem) { failed(problem); }
  }
  return line;
}
