// What runs learned and later runs are told: read, put into one's own words, forgotten.

import { get, patch, remove } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill } from "./dom.js";
import * as format from "./format.js";

const KINDS = { experience: "How a goal went", procedure: "A way that worked", knowledge: "Found out", user_info: "About you" };
const AT_ONCE = 20;

export async function lessons(box, most = AT_ONCE) {
  if (!box || box.contains(document.activeElement)) return;
  const { items, next } = await get(`/v1/lessons?limit=${most}`);
  const again = (more = most) => { document.activeElement?.blur(); return lessons(box, more).catch(failed); };
  fill(box, el("h2", { text: "What runs learned" }),
    items.length ? el("ul", { class: "items" }, items.map((one) => lesson(one, again))) : empty("Nothing yet. At its end a run leaves what later ones are told.", "memory"),
    next && button("Show more", () => again(most * 2), { kind: "small" }));
}

function lesson(one, again) {
  const forget = async () => (await confirmed(`Forget “${one.text.slice(0, 80)}”? No run is told it any more.`, "Forget")) && remove(`/v1/lessons/${one.id}`).then(() => again(), failed);
  const row = el("li", { class: "item", "data-lesson": one.id });
  const shown = () => fill(row, el("div", { class: "item-body" }, el("p", { text: one.text }),
    el("p", { class: "item-meta" }, el("span", { text: KINDS[one.kind] ?? one.kind }), el("span", { text: one.edited_at ? "in your words" : format.near(one.learned_at) }),
      one.times > 1 && el("span", { text: `learned ${one.times} times` }), one.foreign && el("span", { class: "late", text: "holds words that are not yours" }))),
  button(`Edit: ${one.text}`, edited, { symbol: "edit", hidden: true, kind: "bare" }), button(`Forget: ${one.text}`, forget, { symbol: "trash", hidden: true, kind: "bare" }));
  const edited = () => {
    const words = el("textarea", { rows: "3", maxlength: "2000", value: one.text });
    const keep = (event) => { event.preventDefault(); if (words.value.trim()) patch(`/v1/lessons/${one.id}`, { text: words.value }).then(() => again(), failed); };
    fill(row, el("form", { class: "stack tight item-body", onsubmit: keep }, field("In your own words", words),
      el("div", { class: "row" }, el("button", { class: "button primary small", type: "submit" }, "Keep it"), button("Leave it", shown, { kind: "small" }))));
    words.focus();
  };
  shown();
  return row;
}
