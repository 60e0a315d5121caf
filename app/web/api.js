// The one way to the server: JSON, problems as errors, the session's token on every write.

import { keep, last } from "./kept.js";
import { inWords } from "./plain.js";

// `joining`: the first key of the server is just being traded for a session, so a 401 sends nobody away. `unsure`: opened
// without a connection, the page only remembers who used it. `missed`: something could not be read. `seen`: when what is
// shown instead was read, if it is not of now.
export const session = { joining: false, unsure: false, missed: false, seen: null, user_id: null, name: "", kind: "local", scopes: [], csrf: null };

export class Problem extends Error {
  constructor(status, document) {
    const { message, hint, place } = inWords(document ?? {});
    super(message);
    this.status = status;
    this.hint = hint;
    this.place = place;
    this.document = document ?? {};
  }
}

export class Offline extends Problem {
  constructor(method = "GET") {
    super(0, { detail: "The server cannot be reached now.", hint: method === "GET" ? "" : "Nothing was changed: try again when it answers." });
  }
}

export async function call(method, path, body, { headers = {}, signal, raw = false } = {}) {
  const sent = { ...headers };
  if (session.csrf && method !== "GET") sent["X-CSRF-Token"] = session.csrf;
  if (body !== undefined && !(body instanceof FormData)) {
    sent["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, { method, headers: sent, body, signal, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    session.missed ||= method === "GET";
    throw new Offline(method);
  }
  return raw && answer.ok ? answer : read(answer, path, method);
}

async function read(answer, path, method) {
  let text, document = null;
  try { text = await answer.text(); } catch { throw new Offline(method); }  // cut in the middle: nothing was refused
  try { document = text ? JSON.parse(text) : null; } catch { /* not ours: a proxy's page */ }
  if (answer.ok) return document;
  if (answer.status === 401 && path !== "/session") dispatchEvent(new CustomEvent("signed-out"));
  throw new Problem(answer.status, document);
}

export async function get(path, options) {
  const user = session.user_id;
  try {
    const document = await call("GET", path, undefined, options);
    keep(user, path, document);
    return document;
  } catch (problem) {
    const kept = problem instanceof Offline ? await last(user, path) : null;
    if (!kept) throw problem;
    session.seen = Math.min(session.seen ?? Infinity, kept.at);
    dispatchEvent(new CustomEvent("seen"));
    return kept.document;
  }
}
export const post = (path, body, options) => call("POST", path, body, options);
export const patch = (path, body, options) => call("PATCH", path, body, options);
export const put = (path, body, options) => call("PUT", path, body, options);
export const remove = (path, options) => call("DELETE", path, undefined, options);

export async function all(path, most = 5000) {
  const found = [];
  let cursor = null;
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const page = await get(path + query);
    found.push(...page.items);
    cursor = page.next;
  } while (cursor && found.length < most);
  return found;
}
