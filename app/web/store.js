// The user's records as the server has them: read once, then kept in step by the ledger's events.

import { all, get } from "./api.js";
import { on, tell } from "./live.js";

export const PATHS = { todo: "/v1/todos", event: "/v1/events", note: "/v1/notes", instruction: "/v1/instructions" };
const found = { todo: new Map(), event: new Map(), note: new Map(), instruction: new Map() };
const loading = {}, known = new Set();
export let profile = null;

export function records(kind) {
  return [...found[kind].values()];
}

export function record(kind, id) {
  return found[kind]?.get(id);
}

// Whether they were read: until then nobody can say that there are none.
export const read = (kind) => known.has(kind);

export function load(kind) {
  loading[kind] ??= all(PATHS[kind]).then((items) => {
    items.forEach((item) => put(kind, item));
    known.add(kind);
    tell("records", kind);
  }).catch((error) => { delete loading[kind]; throw error; });
  return loading[kind];
}

export function know(now) {
  profile = now;
  tell("records", "profile");
}

export async function loadProfile() {
  profile = await get("/v1/profile");
  tell("records", "profile");
}

export function put(kind, item) {
  const known = found[kind]?.get(item.id);
  if (!known || known.version <= item.version) found[kind]?.set(item.id, item);
}

export function keep(kind, item) {
  put(kind, item);
  tell("records", kind);
}

export function forget() {
  Object.values(found).forEach((items) => items.clear());
  Object.keys(loading).forEach((kind) => delete loading[kind]);
  profile = null;
}

export async function refresh() {
  const kinds = Object.keys(loading);
  forget();
  await Promise.all(kinds.map((kind) => load(kind)));
}

on("change.applied", ({ data }) => {
  if (data.kind === "profile") {
    if (data.after) profile = data.after;
  } else if (data.after) {
    found[data.kind]?.set(data.record_id, data.after);
  } else found[data.kind]?.delete(data.record_id);
  tell("records", data.kind);
});
on("stale", refresh);
