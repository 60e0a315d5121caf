// One websocket for everything that happens. It resumes where it stopped, so nothing is missed over a cut.

const LONGEST_PAUSE = 8000;
const listeners = new Map();
let socket = null, lastSeq = null, pause = 400, timer = null, wanted = false;
export let online = false;

export function on(type, listener) {
  if (!listeners.has(type)) listeners.set(type, new Set());
  listeners.get(type).add(listener);
  return () => listeners.get(type).delete(listener);
}

export function tell(type, data) {
  for (const name of [type, "*"]) listeners.get(name)?.forEach((listener) => listener(data, type));
}

export function connect() {
  wanted = true;
  clearTimeout(timer);
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const query = lastSeq === null ? "" : `?last_seq=${lastSeq}`;
  const mine = (socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1/ws${query}`, "summit.v1"));
  mine.onopen = () => { pause = 400; setOnline(true); };
  mine.onmessage = (message) => receive(JSON.parse(message.data));
  mine.onclose = (closed) => {
    if (mine !== socket) return;
    setOnline(false);
    if (closed.code === 4401) dispatchEvent(new CustomEvent("signed-out"));
    else if (wanted) again();
  };
}

// As somebody else than before: a connection keeps whom it was opened by.
export function reconnect() {
  const before = socket;
  socket = null;
  before?.close();
  connect();
}

export function disconnect() {
  wanted = false;
  lastSeq = null;
  socket?.close();
}

export function acknowledge(id) {
  send(JSON.stringify({ type: "ack", notification_id: id }));
}

export function send(frame) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(frame);
  return true;
}

function again() {
  clearTimeout(timer);
  timer = setTimeout(connect, pause * (0.7 + Math.random() * 0.6));
  pause = Math.min(pause * 1.7, LONGEST_PAUSE);
}

function receive(event) {
  if (event.type === "pong") return;
  if (event.type === "error" && event.data.status === 410) {
    lastSeq = event.data.goes_on_after ?? null;
    tell("stale");
    return;
  }
  lastSeq = Math.max(lastSeq ?? 0, event.seq);
  tell(event.type, event);
}

function setOnline(value) {
  online = value;
  tell("link", value);
}

addEventListener("online", () => wanted && connect());
addEventListener("offline", () => socket?.close());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wanted && connect());
