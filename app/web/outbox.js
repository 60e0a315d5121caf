// What was said and is not delivered yet. It outlives a closed tab, and each message is delivered once: its key says so.

import { Offline, post, session } from "./api.js";
import { uuid } from "./dom.js";
import { zone } from "./format.js";
import { on, tell } from "./live.js";

const NAME = "summit-outbox", TRANSIENT = new Set([0, 408, 425, 429, 500, 502, 503, 504]);
const channel = "BroadcastChannel" in self ? new BroadcastChannel("summit-outbox") : null;
let opened = null, flushing = null, asked = false, timer = null, pause = 1000;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("waiting", { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function within(mode, act) {
  const store = (await open()).transaction("waiting", mode).objectStore("waiting");
  const request = act(store);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export async function waiting() {
  const items = await within("readonly", (store) => store.getAll());
  return items.filter((item) => item.user === session.user_id).sort((one, other) => one.at - other.at);
}

export async function add(message) {
  const item = { key: uuid(), user: session.user_id, at: Date.now(), captured_at: new Date().toISOString(), timezone: zone, ...message };
  await within("readwrite", (store) => store.put(item));
  share("outbox", item);
  flush();
  return item;
}

export async function drop(key) {
  await within("readwrite", (store) => store.delete(key));
  share("dropped", key);
}

export async function clear() {
  await within("readwrite", (store) => store.clear());
}

export async function retry(item) {
  await within("readwrite", (store) => store.put({ ...item, problem: null }));
  flush();
}

// What is added while the last look for work is under way is looked for again.
export function flush() {
  clearTimeout(timer);
  asked = true;
  flushing ??= locked(deliverAll).finally(() => {
    flushing = null;
    if (asked && !session.unsure) flush();
  });
  return flushing;
}

export const idle = () => flushing ?? Promise.resolve();

function locked(act) {
  return navigator.locks ? navigator.locks.request("summit-outbox", act) : act();
}

// Nothing is sent before the server has said who this is: it would be refused.
async function deliverAll() {
  while (asked && !session.unsure) {
    asked = false;
    await deliver();
  }
}

async function deliver() {
  for (;;) {
    const item = (await waiting()).find((one) => !one.problem);
    if (!item) return;
    try {
      const turn = await post("/v1/turns", body(item), { headers: { Prefer: "respond-async", "Idempotency-Key": item.key } });
      share("delivered", { item, turn });
      await drop(item.key);
      pause = 1000;
    } catch (problem) {
      if (problem.status === 401) return;
      if (TRANSIENT.has(problem.status) || problem instanceof Offline) return later();
      const refused = { ...item, problem: { message: problem.message, hint: problem.hint } };
      await within("readwrite", (store) => store.put(refused));
      share("refused", refused);
    }
  }
}

function body(item) {
  const context = { captured_at: item.captured_at, timezone: item.timezone };
  ["thread_id", "answers"].filter((name) => item[name]).forEach((name) => { context[name] = item[name]; });
  if (!item.audio) return { text: item.text, ...context, ...(item.reading ? { reading: item.reading } : {}) };
  const form = new FormData();
  form.append("audio", item.audio, item.name ?? "clip.webm");
  Object.entries(context).forEach(([name, value]) => form.append(name, value));
  return form;
}

// What waits is the same in every tab, whichever of them sends it.
function share(type, data) {
  tell(type, data);
  channel?.postMessage({ type, data });
}

function later() {
  share("undelivered");
  timer = setTimeout(flush, pause);
  pause = Math.min(pause * 1.8, 15000);
}

on("link", (up) => up && flush());
addEventListener("online", flush);
channel?.addEventListener("message", ({ data: { type, data } }) => tell(type, data));
