// Everything of yours: out as one file, or gone for good.

import { post } from "./api.js";
import { button, el, failed, field, fill, section, toast, uuid } from "./dom.js";
import { forget } from "./kept.js";

const WORDS = "erase everything";
const keyed = () => ({ headers: { "Idempotency-Key": uuid() } });

export function everything() {
  return section("Everything of yours",
    el("p", { class: "small-text", text: "An archive holds your tasks, calendar, notes, memos with their recordings, conversations and the history of changes." }),
    el("div", { class: "row" }, button("Export everything", take), button("Erase everything", ask, { kind: "warm" })));
}

async function take(event) {
  const pressed = event.currentTarget;
  pressed.disabled = true;
  try {
    const made = await post("/v1/export", undefined, keyed());
    el("a", { href: made.url, download: "summit-export.tar" }).click();
    toast(`Exported: ${total(made.rows)} rows, ${made.recordings} recordings.`);
  } catch (problem) { failed(problem); }
  pressed.disabled = false;
}

function ask() {
  const typed = el("input", { autocomplete: "off", maxlength: "40", oninput: () => { erase.disabled = typed.value.trim().toLowerCase() !== WORDS; } });
  const close = () => { box.close(); box.remove(); };
  const erase = button("Erase everything", () => gone(box), { kind: "warm", disabled: true });
  const box = el("dialog", { class: "dialog", "aria-label": "Erase everything", oncancel: close },
    el("p", { text: "This cannot be undone. Your account and its keys stay; everything you said and kept is erased, recordings and history included." }),
    field(`Type “${WORDS}” to go on`, typed), el("div", { class: "row end" }, button("Keep everything", close), erase));
  document.body.append(box);
  box.showModal();
}

async function gone(box) {
  try {
    const receipt = await post("/v1/erase", { confirm: WORDS }, keyed());
    await forget();
    fill(box, el("h2", { text: "Erased" }),
      el("p", { text: `${total(receipt.erased.rows)} rows and ${receipt.erased.recordings} recordings are gone; a second look found ${receipt.left}.` }),
      el("p", { class: "small-text", text: `Kept: ${Object.keys(receipt.kept).join(", ")}.` }),
      el("div", { class: "row end" }, button("Close", () => location.reload())));
  } catch (problem) { failed(problem); }
}

const total = (rows) => Object.values(rows).reduce((sum, count) => sum + count, 0);
