// The words while one speaks: the sound also goes over the websocket, which says what it hears. Nothing of it is kept
// there; what is sent is the recording itself.

import { remove } from "./api.js";
import { uuid } from "./dom.js";
import { on, send } from "./live.js";

const forgotten = new Set();

export function dictate(show) {
  const client = uuid(), early = [];
  let memo = null, ready = false;
  const begin = () => send(JSON.stringify(
    { type: "audio.start", client_id: client, form: "file", act: false, end_pointing: false }));
  const mine = (hear) => ({ data }) => data.client_id === client && hear(data);
  const leave = [
    on("audio.ready", mine((data) => { memo = data.memo_id; ready = early.splice(0).every(send); })),
    on("transcript.partial", mine(({ text, stable }) => show(text, stable))),
    on("link", (up) => { ready = false; if (up && !memo) begin(); }),
  ];
  begin();
  return {
    hear(part) { if (ready) ready = send(part); else if (!memo) early.push(part); },
    end() {
      leave.forEach((one) => one());
      if (ready && send(JSON.stringify({ type: "audio.cancel" })) || !memo) return;
      forgotten.add(memo);
      forget();
    },
  };
}

function forget() {
  forgotten.forEach((memo) => remove(`/v1/memos/uploads/${memo}`).then(() => forgotten.delete(memo), () => {}));
}

on("link", (up) => up && forget());
