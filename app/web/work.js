// Long work: runs with their trace and what they ask, and the folders of code that agents may work on.

import { get, post, put } from "./api.js";
import { button, el, empty, failed, field, fill, icon, section, uuid } from "./dom.js";
import * as format from "./format.js";
import { lessons } from "./lessons.js";
import { mail } from "./mail.js";
import { forgetPhases, phases } from "./phases.js";
import { projects } from "./projects.js";
import { workflows } from "./workflows.js";

const AGAIN = 2500;
const STATES = { queued: "Waiting", running: "At work", waiting: "Asks you", done: "Ended" };
const ENDS = {
  goal_achieved: "Done", max_steps: "Ended: too many steps", timeout: "Ended: out of time", budget_exceeded: "Ended: out of budget",
  loop_detected: "Ended: it went in circles", no_state_change: "Ended: nothing changed any more", no_progress: "Ended: no progress",
  kill_switch: "Stopped with all runs", unsafe_action_blocked: "Ended: an unsafe step was blocked", cancelled: "Stopped", needs_input: "Ended: it needs you", failed: "Failed",
};
const once = () => ({ headers: { "Idempotency-Key": uuid() } });
let main = null, timer = null, runs = [], asked = new Map(), stopped = null, drawn = "";
const traces = new Map();

export function show(where) {
  main = where;
  forgetPhases();
  fill(main, el("div", { class: "page" }, el("h1", { text: "Work" }), el("div", { class: "columns", id: "work" },
    el("div", { class: "stack" }, section("Start a run", starter()), el("section", { class: "panel", id: "mail", hidden: true }), el("section", { class: "panel", id: "runs" }), el("section", { class: "panel", id: "lessons" })), el("div", { class: "stack" }, el("section", { class: "panel", id: "workflows" }), el("div", { class: "stack", id: "code" })))));
  look();
  lessons(here("lessons")).catch((problem) => problem.status !== 403 && failed(problem));
  workflows(here("workflows")).catch((problem) => problem.status !== 403 && failed(problem));
  projects(here("code"), look).catch((problem) => problem.status !== 403 && failed(problem));
  mail(here("mail")).catch((problem) => problem.status !== 403 && failed(problem));
}

const here = (name) => main?.querySelector(`#${name}`);

function starter() {
  const goal = el("textarea", { rows: "2", maxlength: "8000", placeholder: "Find what my memos say about the roof and make tasks of it" });
  const begin = async (event) => {
    event.preventDefault();
    if (!goal.value.trim()) return goal.focus();
    try {
      await post("/v1/runs", { goal: goal.value }, once());
      goal.value = "";
      look();
    } catch (problem) { failed(problem); }
  };
  return el("form", { class: "stack tight", onsubmit: begin }, field("A goal", goal, "It plans, acts through tools, and asks you before anything that cannot be taken back."),
    el("div", { class: "row" }, el("button", { class: "button primary", type: "submit" }, "Start")));
}

// Runs are few and slow: the list is read again while one is at work and somebody looks.
async function look() {
  clearTimeout(timer);
  if (!here("runs")) return;
  try {
    const [page, found] = await Promise.all([get("/v1/runs?limit=20"), get("/v1/runs/switch")]);
    if (ended(runs, page.items)) lessons(here("lessons")).catch(failed);
    runs = page.items;
    stopped = found;
    const waiting = runs.filter((one) => one.status === "waiting");
    const answers = await Promise.all(waiting.map((one) => get(`/v1/runs/${one.id}/approvals`)));
    asked = new Map(waiting.map((one, at) => [one.id, answers[at].items.filter((other) => other.status === "pending")]));
    const seen = JSON.stringify([runs.map(({ usage, ...rest }) => [rest, usage.step]), [...asked], stopped]);
    if (!busy() && (seen !== drawn || !here("runs").firstChild)) { draw(); drawn = seen; }
  } catch (problem) {
    if (problem.status) return failed(problem);
  }
  if (runs.some((one) => one.status !== "done")) timer = setTimeout(look, AGAIN);
}

const ended = (before, now) => before.some((one) => one.status !== "done" && now.some((other) => other.id === one.id && other.status === "done"));

// What somebody types is not drawn over.
const busy = () => here("runs")?.contains(document.activeElement) && ["INPUT", "TEXTAREA"].includes(document.activeElement.tagName);

function draw() {
  const box = here("runs");
  if (!box) return;
  const all = stopped?.engaged ? button("Allow runs again", () => all_stop(false), { kind: "small" }) : button("Stop everything", () => all_stop(true), { kind: "small", symbol: "stop" });
  fill(box, el("div", { class: "row spread" }, el("h2", { text: "Runs" }), (stopped?.engaged || runs.some((one) => one.status !== "done")) && all),
    stopped?.engaged && el("p", { class: "reason" }, icon("alert"), stopped.server ? "The administrator has stopped all runs." : "All your runs are stopped."),
    runs.length ? el("ul", { class: "items" }, runs.map(run)) : empty("No runs yet. A run works on a goal beside the conversation.", "wait"));
}

async function all_stop(engaged) {
  await put("/v1/runs/switch", { engaged }).catch(failed);
  look();
}

function run(one) {
  const over = one.status === "done", result = one.result;
  return el("li", { class: "item", "data-run": one.id }, el("div", { class: "item-body stack tight" },
    el("p", { class: "item-title", text: one.parent_id ? `Part: ${one.goal}` : one.goal }),
    el("p", { class: "item-meta" }, el("span", { class: one.status === "waiting" ? "late" : "", text: over ? ENDS[one.stop_reason] ?? one.stop_reason : state(one) }),
      el("span", { text: format.near(one.created_at) }), one.usage.step > 0 && el("span", { text: format.plural(one.usage.step, "step") })),
    (asked.get(one.id) ?? []).map((approval) => question(one, approval)),
    result?.answer && el("p", { text: result.answer }),
    result && outcome("Changed", result.done), result && outcome("Not done", result.not_done), result && outcome("Nobody knows whether it took effect", result.unknown),
    one.project ? phases(one) : trace(one)),
  !over && button(`Stop: ${one.goal}`, () => post(`/v1/runs/${one.id}/cancel`, {}, once()).then(look, failed), { symbol: "stop", hidden: true, kind: "bare" }));
}

// A run that waits and asks nothing waits for a part that it handed on.
const state = (one) => one.parked_until ? `Waits for a usage limit until ${format.near(one.parked_until)}` : one.status === "waiting" && !asked.get(one.id)?.length ? "Waits for its part" : STATES[one.status] ?? one.status;

const outcome = (title, lines) => lines?.length > 0 && el("div", { class: "small-text" }, el("p", { class: "quiet", text: title }), el("ul", { class: "steps" }, lines.map((line) => el("li", { text: line }))));

function question(one, approval) {
  const words = approval.kind === "question" ? approval.call.arguments.question ?? approval.reason : approval.reason;
  const decide = (action, more = {}) => post(`/v1/runs/${one.id}/approvals`, { approval_id: approval.id, action, ...more }, once()).then(look, (problem) => { failed(problem); look(); });
  if (approval.kind === "question") {
    const answer = el("input", { "aria-label": words, maxlength: "8000" });
    return el("form", { class: "notice", onsubmit: (event) => { event.preventDefault(); if (answer.value.trim()) { const text = answer.value; answer.blur(); decide("respond", { text }); } } },
      el("p", { text: words }), el("div", { class: "row" }, answer, el("button", { class: "button primary small", type: "submit" }, "Answer")));
  }
  if (approval.call.name === "start_work") return agree(words, approval.call.arguments.requirements, decide);
  if (approval.call.name === "publish_work") return offer(words, approval.call.arguments, decide);
  return el("div", { class: "notice" }, el("div", {}, el("p", { text: words }), el("code", { class: "small-text", text: `${approval.call.name} ${JSON.stringify(approval.call.arguments)}`.slice(0, 600) })),
    el("div", { class: "row" }, button("Allow", () => decide("approve"), { kind: "primary small" }), button("Refuse", () => decide("reject"), { kind: "small" })));
}

// Requirements are read, mended in place, or sent back with words.
function agree(words, requirements, decide) {
  const text = el("textarea", { rows: "8", maxlength: "8000", value: requirements });
  const yes = () => { text.blur(); return text.value === requirements ? decide("approve") : decide("edit", { arguments: { requirements: text.value } }); };
  return el("div", { class: "notice stack tight" }, el("p", { text: words }), field("Requirements", text), el("div", { class: "row" }, button("Build it", yes, { kind: "primary small" })), sendBack("What is wrong with them?", "Write them again", decide));
}

function offer(words, { branch, changes, checks }, decide) {
  return el("div", { class: "notice stack tight" }, el("p", { text: words }), el("p", { class: "small-text", text: `${branch}. Checks: ${checks}` }), el("pre", { class: "code", tabindex: "0", text: changes.replace(/^ +/gm, "") }),
    el("div", { class: "row" }, button("Publish it", () => decide("approve"), { kind: "primary small" }), button("Leave it there", () => decide("reject"), { kind: "small" })), sendBack("What is missing?", "Build that, too", decide));
}

function sendBack(ask, label, decide) {
  const why = el("input", { "aria-label": ask, placeholder: ask, maxlength: "8000" });
  const send = (event) => { event.preventDefault(); if (!why.value.trim()) return why.focus(); why.blur(); decide("reject", { text: why.value }); };
  return el("form", { class: "row one-line ask", onsubmit: send }, why, el("button", { class: "button small", type: "submit" }, label));
}

// The trace is followed only while it is open.
function trace(one) {
  const lines = el("ol", { class: "trace small-text" }), box = el("details", { open: traces.has(one.id) }, el("summary", { class: "quiet small-text", text: "What it did" }), lines);
  const follow = () => {
    traces.get(one.id)?.close();
    const source = new EventSource(`/v1/runs/${one.id}/events`);
    traces.set(one.id, source);
    source.onerror = () => source.readyState === EventSource.CLOSED && source.close();
    ["run.started", "run.step", "approval.required", "run.resumed", "run.done"].forEach((type) => source.addEventListener(type, ({ data }) => {
      const { data: told } = JSON.parse(data);
      lines.append(el("li", { text: step(type, told) }));
      if (type === "run.done") source.close();
    }));
  };
  box.addEventListener("toggle", () => {
    if (box.open) follow();
    else { traces.get(one.id)?.close(); traces.delete(one.id); lines.replaceChildren(); }
  });
  return box;
}

function step(type, told) {
  const said = told.text ?? told.explanation ?? told.question ?? told.reason ?? told.goal ?? told.stop_reason ?? "";
  const named = told.call?.name ?? told.tool ?? told.phase ?? type.replace("run.", "");
  return [named, typeof said === "string" ? said : JSON.stringify(said)].filter(Boolean).join(": ").slice(0, 400);
}
