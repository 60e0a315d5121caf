// Edits carry the version that was read: what somebody else changed meanwhile is shown beside them, never overwritten.

import { patch, remove } from "./api.js";
import { button, el, failed, fill, icon, toast } from "./dom.js";
import * as store from "./store.js";
import { undoChange } from "./undo.js";

const last = new Map();

// Small changes of one record follow each other: each begins with what the one before left. `fields` may ask for that.
export function change(kind, one, fields) {
  const mine = (last.get(one.id) ?? Promise.resolve()).catch(() => {}).then(async () => {
    const now = store.record(kind, one.id) ?? one;
    try {
      const answer = await patch(`${store.PATHS[kind]}/${one.id}`, typeof fields === "function" ? fields(now) : fields, { headers: { "If-Match": `"${now.version}"` }, raw: true });
      store.keep(kind, await answer.json());
      return answer;
    } catch (problem) {
      if (problem.document?.current) store.put(kind, problem.document.current);
      throw problem;
    }
  });
  last.set(one.id, mine);
  return mine;
}

// `shown` names what both sides show: [field, label, words of its value].
export async function save(kind, one, wanted, { both, shown, close, told = failed }, version = one.version) {
  try {
    store.put(kind, await patch(`${store.PATHS[kind]}/${one.id}`, wanted(), { headers: { "If-Match": `"${version}"` } }));
    close();
  } catch (problem) {
    const { current } = problem.document ?? {};
    if (problem.status !== 412 || !current) return told(problem);
    const mine = () => save(kind, one, wanted, { both, shown, close, told }, current.version);
    const theirs = () => { store.put(kind, current); close(); };
    fill(both, el("p", { class: "reason", role: "alert" }, icon("alert"), "It was changed elsewhere while you edited it."),
      side("Yours", wanted(), shown, button("Keep mine", mine, { kind: "small" })),
      side("As it is now", current, shown, button("Keep that", theirs, { kind: "small" })));
    both.hidden = false;
    both.scrollIntoView({ block: "nearest" });
  }
}

function side(title, record, shown, act) {
  const rows = shown.map(([name, label, words = String]) => el("p", { class: "small-text", text: `${label}: ${record[name] ? words(record[name], record) : "none"}` }));
  return el("div", {}, el("h3", { text: title }), rows, act);
}

export async function drop(kind, one, title) {
  try {
    const change = (await remove(`${store.PATHS[kind]}/${one.id}`, { raw: true })).headers.get("X-Change-Id");
    const note = toast(`Deleted: ${title}`, button("Undo", () => { note.remove(); undoChange(change); }, { kind: "small" }));
    return true;
  } catch (problem) {
    failed(problem);
    return false;
  }
}
