// Workflows: those that are kept, what starts them, their runs with what each step came to, and some to begin with.

import { get, post, put, remove } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, icon, inStep, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { menu } from "./menu.js";
import { howOften } from "./rules.js";

const AGAIN = 1500, MOST = 8;
const STATES = { queued: "Waiting", running: "At work", done: "Done", failed: "Failed", cancelled: "Stopped" };
const ORIGINS = { request: "by hand", words: "by words", memo: "by a memo", schedule: "by its schedule" };
const STEPS = { memory_query: "asks your memory", model: "asks the language model", turn: "says", mcp_tool: "calls a tool", mail_read: "reads mail of", mail_send: "writes mail, for your yes, to", condition: "goes on only if", notify: "tells you" };
const SAMPLE = { slug: "morning", name: "My morning", inputs: [], trigger: { kind: "schedule", rule: "FREQ=DAILY;BYHOUR=8;BYMINUTE=0" },
  steps: [{ id: "plan", kind: "turn", message: "What is on my calendar today?" }, { id: "tell", kind: "notify", text: "{{steps.plan}}" }] };
const once = () => ({ headers: { "Idempotency-Key": uuid() } });
const opened = new Map();
let box = null, kept = [], starters = [];

export async function workflows(where) {
  box = where;
  opened.forEach(({ timer }) => clearTimeout(timer));
  opened.clear();
  await read();
}

async function read() {
  [{ items: kept }, { items: starters }] = await Promise.all([get("/v1/workflows"), get("/v1/workflow-starters")]);
  draw();
}

function draw() {
  if (!box?.isConnected) return;
  const left = starters.filter((one) => !kept.some(({ slug }) => slug === one.slug));
  fill(box, el("div", { class: "row spread" }, el("h2", { text: "Workflows" }), button("Write one", () => write(SAMPLE), { symbol: "plus", kind: "small" })),
    kept.length ? el("ul", { class: "items" }, kept.map(workflow)) : empty("Steps that you write down once, and run by name, in a rhythm, or when a memo says a word.", "repeat"),
    left.length > 0 && el("details", { open: !kept.length }, el("summary", { class: "small-text", text: "To begin with" }), el("ul", { class: "items" }, left.map(starter))));
}

export function begins({ trigger }) {
  if (!trigger) return "runs by its name";
  if (trigger.kind === "memo") return trigger.words.length ? `when a memo says ${trigger.words.map((word) => `“${word}”`).join(" or ")}` : "at every memo";
  const at = /BYHOUR=(\d+)/.exec(trigger.rule), minute = /BYMINUTE=(\d+)/.exec(trigger.rule)?.[1] ?? "0";
  return `${howOften(trigger.rule)}${at ? ` at ${at[1].padStart(2, "0")}:${minute.padStart(2, "0")}` : ""}`;
}

function starter(one) {
  const add = () => put(`/v1/workflows/${one.slug}`, one).then(read, failed);
  return el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: one.name }), el("p", { class: "item-meta", text: begins(one) })), button("Add", add, { kind: "small", "aria-label": `Add: ${one.name}` }));
}

function workflow(one) {
  const { definition } = one, inputs = definition.inputs.map((name) => [name, el("input", { maxlength: "20000" })]);
  const runs = el("ul", { class: "items" }), steps = el("ol", { class: "steps" }, definition.steps.map((step) => el("li", {}, el("span", { text: said(step) }))));
  const run = async (event) => {
    event.preventDefault();
    try {
      await post(`/v1/workflows/${one.slug}/runs`, { inputs: Object.fromEntries(inputs.map(([name, input]) => [name, input.value])) }, once());
      shown.open = true;
      look(one.slug, runs);
    } catch (problem) { failed(problem); }
  };
  const shown = el("details", { ontoggle: () => shown.open && look(one.slug, runs) }, el("summary", { class: "small-text quiet", text: "Steps and runs" }), steps, runs);
  return el("li", { class: "item", "data-workflow": one.slug }, el("form", { class: "item-body stack tight", onsubmit: run },
    el("div", {}, el("p", { class: "item-title", text: definition.name }), el("p", { class: "item-meta" }, el("span", {}, icon(definition.trigger ? "repeat" : "play"), begins(definition)),
      one.next_at && el("span", { text: `next ${format.near(one.next_at)}` }), one.needs_model && el("span", { text: "needs a language model" }))),
    inputs.map(([name, input]) => field(name.replaceAll("_", " "), input)), shown),
  definition.trigger?.kind !== "memo" && button("Run", (event) => event.currentTarget.closest("li").querySelector("form").requestSubmit(), { symbol: "play", kind: "small", "aria-label": `Run: ${definition.name}` }),
  button(`More: ${definition.name}`, (event) => menu(event.currentTarget, [["Edit", () => write(definition), "edit"], ["Delete", () => gone(one), "trash"]]), { symbol: "more", hidden: true, kind: "bare", "aria-haspopup": "menu" }));
}

function said(step) {
  const words = (step.to && `${step.to.join(", ")}: ${step.subject}`) ?? step.message ?? step.question ?? step.prompt ?? step.text ?? (step.tool && `${step.server}: ${step.tool}`) ?? step.account ?? `${step.value} ${step.test.replaceAll("_", " ")} ${step.words}`;
  return `${step.id} ${STEPS[step.kind] ?? step.kind}: ${words}`;
}

async function gone({ slug, definition }) {
  if (await confirmed(`Delete “${definition.name}”? Nothing starts it any more.`, "Delete")) await remove(`/v1/workflows/${slug}`).then(read, failed);
}

// The latest runs are read again while one of them is under way.
async function look(slug, list) {
  clearTimeout(opened.get(slug)?.timer);
  if (!list.isConnected) return;
  try {
    const { items } = await get(`/v1/workflows/${slug}/runs?limit=${MOST}`);
    const whole = await Promise.all(items.map(({ id }) => get(`/v1/workflows/${slug}/runs/${id}`)));
    const before = opened.get(slug)?.rows ?? new Map(), rows = new Map(whole.map((run) => [run.id, row(run, before.get(run.id), () => look(slug, list))]));
    inStep(list, [...rows.values()].map(({ node }) => node));
    const busy = whole.some(({ status }) => ["queued", "running"].includes(status));
    opened.set(slug, { rows, timer: busy ? setTimeout(() => look(slug, list), AGAIN) : null });
  } catch (problem) { failed(problem); }
}

function row(run, before, again) {
  const version = JSON.stringify(run);
  if (before?.version === version) return before;
  const over = !["queued", "running"].includes(run.status);
  const stop = () => post(`/v1/workflows/${run.slug}/runs/${run.id}/cancel`, {}, once()).then(again, failed);
  return { version, node: el("li", { class: "item", "data-run": run.id }, el("div", { class: "item-body" },
    el("p", { class: "item-meta" }, el("span", { class: run.status === "failed" ? "late" : "", text: STATES[run.status] }), el("span", { text: format.near(run.created_at) }), el("span", { text: ORIGINS[run.origin] })),
    run.message && el("p", { class: "reason" }, icon("alert"), run.message),
    run.steps.map((step) => el("div", { class: "small-text" }, el("p", { class: step.state === "failed" ? "reason" : "quiet", text: step.id }), el("p", { text: step.output })))),
  !over && button("Stop", stop, { kind: "small", symbol: "stop" })) };
}

// As it is kept: what a form could not show, a text can.
function write(definition) {
  const text = el("textarea", { rows: "16", class: "code", spellcheck: "false", value: JSON.stringify(definition, null, 2) }), wrong = el("p", { class: "reason", role: "alert", hidden: true });
  const told = (words) => { wrong.textContent = words; wrong.hidden = false; };
  const submit = async (event) => {
    event.preventDefault();
    let wanted;
    try { wanted = JSON.parse(text.value); } catch (error) { return told(`This is not JSON: ${error.message}`); }
    try {
      await put(`/v1/workflows/${encodeURIComponent(wanted.slug ?? "")}`, wanted);
      dialog.close();
      toast(`“${wanted.name}” is kept.`);
      await read();
    } catch (problem) { told([problem.message, problem.hint].filter(Boolean).join(" ")); }
  };
  const dialog = el("dialog", { class: "dialog wide", "aria-label": "A workflow", onclose: () => dialog.remove() },
    el("form", { class: "stack tight", onsubmit: submit }, field("Its definition", text, "Steps are memory_query, turn, model, condition, notify and mcp_tool; {{inputs.name}} and {{steps.id}} stand for what came before."), wrong,
      el("div", { class: "row end" }, button("Cancel", () => dialog.close(), { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Keep it"))));
  document.body.append(dialog);
  dialog.showModal();
}
