// Replies read aloud by the browser's own voice, where the user asked for it. A new recording silences it.

const WISH = "read-aloud", synth = globalThis.speechSynthesis;

export const canSpeak = () => Boolean(synth);
export const wanted = () => localStorage.getItem(WISH) === "1";

export function want(value) {
  if (value) localStorage.setItem(WISH, "1");
  else localStorage.removeItem(WISH);
  if (!value) hush();
}

export function readAloud(words) {
  if (!synth || !wanted() || !words) return;
  hush();
  synth.speak(Object.assign(new SpeechSynthesisUtterance(words), { lang: document.documentElement.lang }));
}

export function hush() {
  synth?.cancel();
}
