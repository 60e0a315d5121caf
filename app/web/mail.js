// Mail that workflows wrote: it goes out only from here, by a yes to its whole text.

import { get, post } from "./api.js";
import { button, el, failed, fill, icon, uuid } from "./dom.js";
import * as format from "./format.js";
import { on } from "./live.js";

const once = () => ({ headers: { "Idempotency-Key": uuid() } });
let box = null;

export async function mail(where) {
  box = where;
  await read();
}

async function read() {
  const { items } = await get("/v1/outgoing-mail?waiting=true&limit=20");
  if (!box?.isConnected) return;
  box.hidden = !items.length;
  fill(box, el("h2", { text: "Mail that waits for you" }), el("ul", { class: "items" }, items.map(letter)));
}

function letter(one) {
  const decide = (what) => post(`/v1/outgoing-mail/${one.id}/${what}`, {}, once()).then(read, (problem) => { failed(problem); read(); });
  return el("li", { class: "item", "data-mail": one.id }, el("div", { class: "item-body stack tight" },
    el("p", { class: "item-title", text: one.subject }),
    el("p", { class: "item-meta" }, el("span", { text: `to ${one.recipients.join(", ")}` }), el("span", { text: `from ${one.sender}` }), el("span", { text: format.near(one.created_at) })),
    one.message && el("p", { class: "reason" }, icon("alert"), one.status === "unknown" ? `Nobody knows whether it went out. ${one.message}` : `It did not go out. ${one.message}`),
    el("details", { open: true }, el("summary", { class: "small-text quiet", text: "What it says" }), el("p", { class: "small-text letter", text: one.text })),
    el("div", { class: "row" }, button(one.status === "held" ? "Send" : "Send again", () => decide("approve"), { kind: "primary small" }), button("Drop", () => decide("reject"), { kind: "small" }))));
}

// What a step wrote meanwhile, and what became of a yes: both are told as they happen.
const again = () => box?.isConnected && read().catch(() => {});
on("reminder.fired", again);
on("link", (up) => up && again());
