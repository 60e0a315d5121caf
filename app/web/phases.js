// Work on a project as it goes: its phases with their verdicts, what its agents say, and what it changes.

import { get } from "./api.js";
import { el, failed, fill, icon } from "./dom.js";

const MOST_LINES = 300, NEAR_END = 40;
const STAGES = { pm: "Requirements", em: "Plan", publish: "Publish", postmortem: "Look back" };
const MARKS = { done: "todo", now: "clock", back: "repeat", ended: "alert" };
const AGENT = { said: "says", tool: "does", error: "trouble", result: "result", verdict: "verdict" };
const shown = new Map();

// The panel of a run stays as it is while the list around it is drawn anew.
export function phases(one) {
  if (!shown.has(one.id)) shown.set(one.id, panel(one));
  const { node, log, over } = shown.get(one.id), read = log.scrollHeight - log.clientHeight - log.scrollTop > NEAR_END ? log.scrollTop : Infinity;
  over(one);
  requestAnimationFrame(() => { log.scrollTop = Math.min(read, log.scrollHeight); });
  return node;
}

export function forgetPhases() {
  shown.forEach(({ close }) => close());
  shown.clear();
}

function panel(one) {
  const steps = el("ol", { class: "phases" }), log = el("ol", { class: "agent-log code", tabindex: "0", role: "log", "aria-label": "What its agents say" });
  const diff = el("pre", { class: "diff code", tabindex: "0", hidden: true, "aria-label": "What it changes" });
  const changes = el("button", { type: "button", class: "button small", hidden: true, onclick: () => showDiff(one, state.branch, diff) }, "Show what it changes");
  const state = { rows: new Map(), branch: "", source: null };
  const node = el("details", { class: "work" }, el("summary", { class: "quiet small-text", text: "Phases and log" }), steps, el("div", { class: "row" }, changes), diff, log);
  const told = (event) => {
    hear(event, state, steps, log);
    changes.hidden = !state.branch;
  };
  node.addEventListener("toggle", () => (node.open ? follow(one, state, told, [steps, log]) : state.source?.close()));
  // A browser holds few connections to a server: one is followed by itself, others when they are opened.
  node.open = one.status !== "done" && ![...shown.values()].some((other) => other.node.open);
  return { node, log, close: () => state.source?.close(), over: (now) => Object.assign(one, now) };
}

function follow(one, state, told, lists) {
  state.source?.close();
  state.rows.clear();
  lists.forEach((list) => fill(list));
  const source = (state.source = new EventSource(`/v1/runs/${one.id}/events`));
  source.onerror = () => source.readyState === EventSource.CLOSED && source.close();
  source.addEventListener("run.step", ({ data }) => told(JSON.parse(data).data));
  source.addEventListener("run.done", () => { source.close(); end(one, state); });
}

function hear(told, state, steps, log) {
  if (told.branch) state.branch = told.branch;
  if (told.agent && typeof told.agent === "object") return say(log, told.agent);
  if (Array.isArray(told.phases)) told.phases.forEach((title, at) => row(state, steps, `phase-${at + 1}`, title));
  const name = told.phase ? `phase-${told.phase}` : told.node in STAGES ? told.node : null;
  if (told.node === "park") say(log, { kind: "verdict", text: `Waits for its usage limit until ${new Date(told.until).toLocaleString()}.` });
  if (!name) return;
  const step = row(state, steps, name, told.phase ? told.title ?? `Phase ${told.phase}` : STAGES[told.node]);
  if (told.round > 1) step.times.textContent = `round ${told.round}`;
  if (told.node === "check") verdict(step, told.ok, told.ok ? passed(told.commands) : "Its checks failed", told.ok ? "" : told.text);
  else if (told.node === "verdict") verdict(step, told.verdict !== "sent_back", { approved: "Approved", fixed: "Mended and approved", sent_back: "Sent back" }[told.verdict], (told.findings ?? []).join("\n"));
  else if (told.node === "publish") verdict(step, true, told.where, "");
  mark(step, told.node === "verdict" ? (told.verdict === "sent_back" ? "back" : "done") : told.node === "check" && !told.ok ? "back" : told.node === "publish" || (told.end === "done" && !told.phase) ? "done" : "now");
}

const passed = (commands) => (commands?.length ? `Checks passed: ${commands.join(", ")}` : "It has no checks of its own");

function row(state, steps, name, title) {
  const known = state.rows.get(name);
  if (known) return known;
  const sign = el("span", { class: "sign" }), times = el("span", { class: "quiet" }), verdicts = el("div", { class: "verdicts" });
  const node = el("li", { "data-phase": name }, sign, el("div", { class: "phase-body" }, el("p", {}, el("b", { text: title }), " ", times), verdicts));
  const made = { node, sign, times, verdicts };
  state.rows.set(name, made);
  steps.append(node);
  return made;
}

function mark(step, how) {
  step.node.dataset.state = how;
  fill(step.sign, icon(MARKS[how], { done: "done", now: "at work", back: "sent back", ended: "ended" }[how]));
}

function verdict(step, good, words, more) {
  const line = [icon(good ? "todo" : "repeat"), el("span", { text: words })];
  step.verdicts.append(more ? el("details", {}, el("summary", { class: "small-text" }, line), el("pre", { class: "code", tabindex: "0", text: more })) : el("p", { class: "small-text verdict" }, line));
}

function say(log, { kind, text, failed: bad, evidence }) {
  const rests = evidence && [`quiet for ${evidence.quiet_seconds} s`, evidence.exit_status !== null && `exit status ${evidence.exit_status}`, evidence.trouble && evidence.trouble.replaceAll("_", " ")].filter(Boolean).join(", ");
  const down = log.scrollTop + log.clientHeight > log.scrollHeight - NEAR_END;
  log.append(el("li", { class: bad || kind === "error" ? "late" : kind === "verdict" ? "told-verdict" : "" }, el("b", { text: AGENT[kind] ?? kind }), ` ${evidence?.action ? `${evidence.action}: ` : ""}${text ?? ""}${rests ? ` (${rests})` : ""}`));
  while (log.children.length > MOST_LINES) log.firstChild.remove();
  if (down) log.scrollTop = log.scrollHeight;
}

// What was under way when the run ended did not end well.
function end(one, state) {
  state.rows.forEach((step) => step.node.dataset.state === "now" && mark(step, one.stop_reason === "goal_achieved" ? "done" : "ended"));
}

async function showDiff(one, branch, box) {
  if (!box.hidden) { box.hidden = true; return; }
  try {
    const { text, complete } = await get(`/v1/projects/${one.project.project_id}/diff?branch=${encodeURIComponent(branch)}`);
    const lines = (text || "Nothing is changed yet.").split("\n").map((line) => el("span", { class: kindOf(line), text: `${line}\n` }));
    fill(box, lines, !complete && el("span", { class: "quiet", text: "It is longer than is shown." }));
    box.hidden = false;
  } catch (problem) { failed(problem); }
}

const kindOf = (line) => (/^(\+\+\+|---|diff |index |new file|deleted file)/.test(line) ? "quiet" : line.startsWith("@@") ? "hunk" : line[0] === "+" ? "plus" : line[0] === "-" ? "minus" : "");
