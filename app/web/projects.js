// Folders of code on the server's machine, what coding agents may build there, and the trees where they work.

import { get, post, remove, session } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, section, uuid } from "./dom.js";

const once = () => ({ headers: { "Idempotency-Key": uuid() } });
let box = null, begun = () => {}, ready = [];

export async function projects(where, started = begun) {
  [box, begun] = [where, started];
  if (!session.scopes.includes("admin")) return;
  const [{ items }, agents] = await Promise.all([get("/v1/projects"), get("/v1/agents")]);
  ready = agents.items.filter((one) => one.version && one.logged_in !== false);
  fill(box, el("section", { class: "panel" }, el("h2", { text: "Projects" }), items.length ? el("ul", { class: "items" }, items.map(project)) : empty("No folders of code are registered.", "list"), register()),
    section("Coding agents", el("dl", { class: "facts" }, agents.items.flatMap(agent))));
}

const again = () => projects(box).catch(failed);

function register() {
  const root = el("input", { placeholder: "/home/ana/code/garden", maxlength: "1000" });
  const add = async (event) => {
    event.preventDefault();
    if (!root.value.trim()) return;
    try {
      await post("/v1/projects", { name: root.value.replace(/\/+$/, "").split("/").at(-1) || "code", root: root.value }, once());
      await again();
    } catch (problem) { failed(problem); }
  };
  return el("form", { class: "stack tight", onsubmit: add }, field("A folder on the server's machine", root), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Register")));
}

function agent(one) {
  const detail = one.version ? `${one.version}. ${one.detail}` : one.detail.replaceAll("`", "");
  return [el("dt", { text: one.name }), el("dd", {}, el("span", { text: detail }), one.version && button("Test", (event) => tryOut(one, event.currentTarget), { kind: "small", "aria-label": `Test: ${one.name}` }))];
}

// One word is asked of it, with its own account: that it is installed does not say that it answers.
async function tryOut({ name }, pressed) {
  pressed.disabled = true;
  try {
    const tried = await post(`/v1/agents/${name}/test`, {}, once());
    pressed.replaceWith(el("span", { class: tried.ok ? "quiet" : "late", text: tried.detail }));
  } catch (problem) {
    failed(problem);
    pressed.disabled = false;
  }
}

function project(one) {
  const facts = one.facts, tools = facts ? [...facts.frameworks, ...facts.test_runners, ...facts.linters].join(", ") : "";
  const shares = Object.entries(facts?.languages ?? {}).slice(0, 3).map(([name, share]) => `${name} ${Math.round(share * 100)} %`).join(", ");
  const forget = async () => (await confirmed(`Forget “${one.name}”? Its folder stays as it is.`, "Forget")) && remove(`/v1/projects/${one.id}`).then(again, failed);
  return el("li", { class: "item", "data-project": one.id }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: one.name }), el("p", { class: "item-meta", text: shares || "Nothing is known of it." }), tools && el("p", { class: "quiet small-text", text: tools }),
    ready.length > 0 && build(one), trees(one)),
  button(`Scan again: ${one.name}`, () => post(`/v1/projects/${one.id}/scan`, {}, once()).then(again, failed), { symbol: "repeat", hidden: true, kind: "bare" }), button(`Forget: ${one.name}`, forget, { symbol: "trash", hidden: true, kind: "bare" }));
}

function build(one) {
  const goal = el("textarea", { rows: "2", maxlength: "8000", placeholder: "A page that lists the plants by month" });
  const who = el("select", {}, el("option", { value: "", text: "whichever is ready" }), ready.map(({ name }) => el("option", { value: name, text: name })));
  const begin = async (event) => {
    event.preventDefault();
    if (!goal.value.trim()) return goal.focus();
    try {
      await post("/v1/runs", { goal: goal.value, project: { project_id: one.id, agent: who.value } }, once());
      goal.value = "";
      begun();
    } catch (problem) { failed(problem); }
  };
  return el("details", {}, el("summary", { class: "small-text", text: "Build something" }), el("form", { class: "stack tight padded", onsubmit: begin },
    field("What to build", goal, "You see the requirements before anything is built, and the changes before anything goes out."), ready.length > 1 && field("Agent", who),
    el("div", { class: "row" }, el("button", { class: "button primary small", type: "submit" }, "Begin"))));
}

function trees(one) {
  const list = el("ul", { class: "steps" }), shown = el("details", {}, el("summary", { class: "quiet small-text", text: "Work trees" }), list);
  shown.addEventListener("toggle", async () => {
    if (!shown.open) return;
    try {
      const { items } = await get(`/v1/projects/${one.id}/trees`);
      fill(list, items.length ? items.map(tree) : el("li", { text: "None." }));
    } catch (problem) { fill(list, el("li", { text: problem.message })); }
  });
  return shown;
}

function tree(one) {
  const told = [!one.clean && "not committed", one.merged ? "merged" : "not merged", one.orphan && "nothing works in it"].filter(Boolean).join(", ");
  return el("li", {}, el("span", {}, el("code", { class: "code", text: one.branch }), el("span", { class: one.orphan ? "late" : "", text: ` ${told}` })));
}
