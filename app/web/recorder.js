// Recording: a level meter, the time so far, the words so far, and a way out that keeps nothing.

import { dictate } from "./dictation.js";
import { button, el, icon } from "./dom.js";
import { elapsed } from "./format.js";

const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"], BARS = 24, PART_MS = 250;
const NOTHING = "nothing", SOUND = "sound", WORDS = "words";
export const possible = () => Boolean(navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

// What was recorded as {audio, name}; with `edit` where its words are to be written instead, as {text} where they were heard
// already; null where it is discarded.
// Where it is held, letting go sends it.
export async function record(box, heard, held = null) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } });
  const type = TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, type ? { mimeType: type, audioBitsPerSecond: 32000 } : {});
  const parts = [], sound = new AudioContext(), began = performance.now();
  const live = dictate((text, stable) => shown(heard, text, stable));
  recorder.ondataavailable = ({ data }) => { if (data.size) { parts.push(data); live.hear(data); } };
  recorder.start(PART_MS);
  return new Promise((resolve) => {
    let kept = SOUND;
    const end = (value) => { kept = value; recorder.stop(); };
    const stop = meter(box, sound, stream, began, end);
    if (held?.down) held.released = () => end(SOUND);
    recorder.onstop = () => {
      stop();
      live.end();
      const text = heard.textContent;
      shown(heard, "");
      stream.getTracks().forEach((track) => track.stop());
      sound.close();
      const name = `clip.${type?.includes("mp4") ? "m4a" : type?.includes("ogg") ? "ogg" : "webm"}`;
      if (kept === WORDS && text) resolve({ text });
      else resolve(kept !== NOTHING && parts.length ? { audio: new Blob(parts, { type: recorder.mimeType }), name, edit: kept === WORDS } : null);
    };
  });
}

function shown(heard, text, stable = "") {
  heard.replaceChildren(text.slice(0, stable.length), el("span", { class: "quiet", text: text.slice(stable.length) }));
  heard.hidden = !text;
}

function meter(box, sound, stream, began, end) {
  const analyser = sound.createAnalyser(), levels = new Uint8Array(256);
  analyser.fftSize = 512;
  sound.createMediaStreamSource(stream).connect(analyser);
  const bars = Array.from({ length: BARS }, () => el("i"));
  const clock = el("span", { class: "clock", text: "0:00" });
  const row = el("div", { class: "recording", role: "group", "aria-label": "Recording" },
    button("Discard the recording", () => end(NOTHING), { symbol: "trash", hidden: true, kind: "bare" }),
    button("Edit the words", () => end(WORDS), { symbol: "edit", hidden: true, kind: "bare" }),
    icon("mic"), el("span", { class: "meter", "aria-hidden": "true" }, bars), clock,
    button("Send", () => end(SOUND), { symbol: "send", kind: "primary" }));
  const keys = (event) => event.key === "Escape" && end(NOTHING);
  box.replaceChildren(row);
  row.querySelector(".primary").focus();
  addEventListener("keydown", keys);
  const timer = setInterval(() => {
    analyser.getByteTimeDomainData(levels);
    const peak = Math.max(...levels.map((level) => Math.abs(level - 128))) / 128;
    bars.forEach((bar, at) => bar.style.setProperty("--level", at === BARS - 1 ? Math.max(0.06, peak) : bars[at + 1].style.getPropertyValue("--level") || 0.06));
    clock.textContent = elapsed(performance.now() - began);
  }, 80);
  return () => { clearInterval(timer); removeEventListener("keydown", keys); };
}
