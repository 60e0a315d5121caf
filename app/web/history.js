// The ledger, turn by turn, each change with its way back; and what Summit knows about its user.

import { get, patch, post, remove } from "./api.js";
import { changeCard } from "./cards.js";
import { button, confirmed, el, empty, failed, field, fill, icon, uuid } from "./dom.js";
import { everything } from "./everything.js";
import * as format from "./format.js";
import { on } from "./live.js";
import * as store from "./store.js";

const PAGE = 60, FIELDS = ["name", "location", "job", "college", "course"];
let main = null, changes = [], more = true, words = new Map();

export function show(where) {
  main = where;
  fill(main, el("div", { class: "page" }, el("h1", { text: "History" }), el("div", { class: "columns" },
    el("section", { class: "panel", id: "ledger" }), el("div", { class: "stack" }, el("section", { class: "panel", id: "profile" }), el("section", { class: "panel", id: "instructions" }), everything()))));
  changes = [];
  more = true;
  Promise.all([older(), store.loadProfile(), store.load("instruction"), facts()]).then(() => { ledger(); known(); }, failed);
}

async function older() {
  const before = changes.at(-1)?.cursor ?? 9007199254740991;
  const page = await get(`/v1/changes?before=${before}&limit=${PAGE}`);
  changes.push(...page.items);
  more = Boolean(page.next);
  await Promise.all([...new Set(page.items.map((one) => one.turn_id))].filter((id) => id && !words.has(id)).map(async (id) => {
    words.set(id, await get(`/v1/turns/${id}`).then((turn) => turn.input.text, () => null));
  }));
}

function ledger() {
  const box = main?.querySelector("#ledger");
  if (!box) return;
  const groups = [];
  changes.filter((one) => one.op !== "undo" && !one.confirms).forEach((one) => {
    const last = groups.at(-1);
    if (last && one.turn_id && last[0].turn_id === one.turn_id) last.push(one);
    else groups.push([one]);
  });
  fill(box, el("h2", { text: "Changes" }), groups.length ? groups.map(entry) : empty("Nothing was changed yet.", "history"),
    more && button("Show earlier changes", async () => { await older().catch(failed); ledger(); }));
}

function entry(group) {
  const [first] = group, said = first.turn_id ? words.get(first.turn_id) : null;
  const standing = group.filter((one) => one.status === "applied");
  return el("div", { class: "entry" },
    el("div", { class: "entry-head" }, el("p", { class: "entry-words" }, said ? `“${said}”` : first.turn_id ? "A message" : "By hand", el("span", { text: ` · ${format.near(first.created_at)}` })),
      standing.length > 1 && first.turn_id && button(standing.length === 2 ? "Undo both" : "Undo all", () => undoTurn(first.turn_id), { symbol: "undo", kind: "small" })),
    [...group].sort((one, other) => one.place - other.place || one.cursor - other.cursor).map((one) => changeCard(one)));
}

async function undoTurn(id) {
  await post(`/v1/turns/${id}/undo`, {}, { headers: { "Idempotency-Key": uuid() } }).catch(failed);
}

let history = [];
async function facts() {
  history = (await get("/v1/profile/history?limit=100")).items;
}

function known() {
  profile(main?.querySelector("#profile"));
  instructions(main?.querySelector("#instructions"));
}

function profile(box) {
  if (!box || box.querySelector("form")) return;
  const now = store.profile ?? {}, rows = FIELDS.filter((name) => now[name]).map((name) => [name, now[name], (value) => ({ [name]: value || null })]);
  if (now.interests?.length) rows.push(["interests", now.interests.join(", "), (value) => ({ interests: value.split(",").map((one) => one.trim()).filter(Boolean) })]);
  rows.push(...Object.entries(now.facts ?? {}).map(([name, value]) => [name, value, (said) => ({ facts: said ? { ...now.facts, [name]: said } : Object.fromEntries(Object.entries(now.facts).filter(([other]) => other !== name)) })]));
  const past = history.filter((fact) => fact.valid_to);
  fill(box, el("h2", { text: "About you" }),
    rows.length ? el("dl", { class: "facts" }, rows.flatMap((row) => factOf(now, ...row))) : empty("Summit knows nothing about you yet. Tell it, for example: “my job is nurse”.", "profile"),
    past.length > 0 && el("details", { open: Boolean(box.querySelector("details")?.open) }, el("summary", { class: "small-text", text: "What was true before" }), el("dl", { class: "facts padded" }, past.flatMap((fact) => [el("dt", { text: fact.name }), el("dd", { text: `${fact.value} (until ${format.near(fact.valid_to)})` })]))));
}

function factOf(now, name, value, fields) {
  const shown = el("dd", {}, el("button", { type: "button", class: "item-title button-text", "aria-label": `Edit: ${name}`, onclick: () => edit() }, value));
  const edit = () => {
    const input = el("input", { value, maxlength: "300", "aria-label": name, placeholder: "Left empty, it is forgotten" }), close = () => { shown.inert = false; fill(shown); known(); };
    const save = async (event) => {
      event.preventDefault();
      if (shown.inert) return;
      shown.inert = true;  // until the server has answered: nothing is shown as saved before
      try {
        store.know(await patch("/v1/profile", fields(input.value.trim()), { headers: { "If-Match": `"${now.version}"` } }));
        await facts();
      } catch (problem) {
        if (problem.document?.current) store.know(problem.document.current);
        failed(problem);
      }
      close();
    };
    fill(shown, el("form", { class: "row one-line", onsubmit: save, onkeydown: (event) => event.key === "Escape" && close() }, input, el("button", { class: "button primary small", type: "submit" }, "Save")));
    input.focus();
  };
  return [el("dt", { text: name }), shown];
}

function instructions(box) {
  if (!box) return;
  const wish = el("input", { maxlength: "2000", placeholder: "Ask before adding tasks" });
  const add = async (event) => {
    event.preventDefault();
    if (!wish.value.trim()) return;
    await post("/v1/instructions", { text: wish.value }, { headers: { "Idempotency-Key": uuid() } }).then((made) => store.keep("instruction", made), failed);
  };
  const rows = store.records("instruction").map((one) => el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: one.text }),
    el("p", { class: "item-meta" }, one.policy ? el("span", { class: "kept" }, icon("todo"), "Enforced by the program") : el("span", {}, icon("talk"), "Advice to the language model"))), button(`Remove: ${one.text}`, () => drop(one), { symbol: "trash", hidden: true, kind: "bare" })));
  fill(box, el("h2", { text: "Standing instructions" }), rows.length > 0 && el("ul", { class: "items" }, rows), el("form", { class: "line", onsubmit: add }, field("A new one", wish), button("Add", add)));
}

async function drop(one) {
  if (await confirmed(`Remove “${one.text}”?`, "Remove")) await remove(`/v1/instructions/${one.id}`).catch(failed);
}

on("records", (kind) => {
  if (main?.querySelector("#profile") && ["profile", "instruction"].includes(kind)) facts().then(known, known);
});
on("change.applied", ({ data }) => {
  if (!main?.querySelector("#ledger") || data.undo_of || changes.some((one) => one.id === data.id)) return;
  changes.unshift(data);
  if (data.turn_id && !words.has(data.turn_id)) get(`/v1/turns/${data.turn_id}`).then((turn) => words.set(data.turn_id, turn.input.text), () => {}).then(ledger);
  else ledger();
});

