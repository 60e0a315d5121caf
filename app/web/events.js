// An appointment is made, changed or removed: a form over the calendar.

import { patch, post } from "./api.js";
import { button, el, failed, field, fill, toast, uuid } from "./dom.js";
import { drop, save } from "./edit.js";
import * as format from "./format.js";
import { instant, local } from "./preview.js";
import { howOften } from "./rules.js";
import * as store from "./store.js";
import { undoChange } from "./undo.js";

// The colours that have names in a conversation; the first is nobody's choice.
export const PLAIN = "#1a73e8";
const COLORS = { [PLAIN]: "standard", "#d93025": "red", "#f9ab00": "yellow", "#188038": "green", "#7b4bc4": "violet", "#0b7a8a": "teal" };
const IMPORTED = ["#0b7a8a", "#7b4bc4", "#8a6d1f", "#5b6770"];
const RHYTHMS = { "": "does not repeat", "FREQ=DAILY": "every day", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": "every weekday", "FREQ=WEEKLY": "every week", "FREQ=MONTHLY": "every month", "FREQ=YEARLY": "every year" };
const SHOWN = [["title", "Title"], ["start", "When", (_, one) => format.span(one.start, one.end)], ["location", "Place"], ["recurrence", "Repeats", format.rule]];

export const hueOf = (color) => (!color || color === PLAIN ? "var(--pine)" : color);
export const hueOfCalendar = (name) => IMPORTED[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % IMPORTED.length];

// `one` is the event; null makes a new one at `at`. `time` is the one of a series that was opened.
export function openEvent(one, { at, time } = {}) {
  const box = el("dialog", { class: "dialog wide", "aria-label": one ? `Edit: ${one.title}` : "New event", onclose: () => box.remove() });
  fill(box, form(one, at, time, () => box.close()));
  document.body.append(box);
  box.showModal();
  box.querySelector("input").focus();
}

function form(one, at, time, close) {
  const start = one?.start ?? instant(at ?? nextHour()), end = one?.end ?? (format.isDay(start) ? start : instant(new Date(+format.moment(start) + 3600000)));
  const days = format.isDay(start), type = days ? "date" : "datetime-local", shown = (value) => (days ? value : local(value));
  const title = el("input", { value: one?.title ?? "", maxlength: "500", required: true }), all = el("input", { type: "checkbox", checked: days });
  const from = el("input", { type, value: shown(start), required: true }), to = el("input", { type, value: shown(end), required: true });
  const place = el("input", { value: one?.location ?? "", maxlength: "500" }), rhythm = rhythms(one?.recurrence ?? ""), color = palette(one?.color ?? PLAIN);
  const both = el("div", { class: "both", hidden: true }), wrong = el("p", { class: "reason", role: "alert", hidden: true });
  all.addEventListener("change", () => [from, to].forEach((input) => retype(input, all.checked)));
  keepLength(from, to);
  const told = (problem) => { wrong.textContent = [problem.message, problem.hint].filter(Boolean).join(" "); wrong.hidden = false; };
  const moment = (input) => (all.checked ? input.value : instant(input.value));
  const wanted = () => ({ title: title.value, start: moment(from), end: moment(to), all_day: all.checked, location: place.value || null, color: color.value(), recurrence: rhythm.value || null });
  const submit = async (event) => {
    event.preventDefault();
    wrong.hidden = true;
    if (one) return save("event", one, wanted, { both, shown: SHOWN, close, told });
    await post("/v1/events", wanted(), { headers: { "Idempotency-Key": uuid() } }).then((made) => { store.keep("event", made); close(); }, told);
  };
  const gone = async () => { close(); await drop("event", one, one.title); };
  return el("form", { class: "stack tight", onsubmit: submit }, field("Title", title), el("label", { class: "row" }, all, el("span", { text: "All day" })),
    el("div", { class: "fields" }, field("Starts", from), field("Ends", to), field("Place", place), field("Repeats", rhythm, one?.recurrence ? "A change is made to the whole series." : undefined)),
    color.node, both, wrong,
    el("div", { class: "row spread" }, el("div", { class: "row" }, one && button("Delete", gone, { symbol: "trash", kind: "small bare" }),
      one?.recurrence && time && button("Skip this one", () => { close(); skip(one, time); }, { kind: "small bare" })),
    el("div", { class: "row" }, button("Cancel", close, { kind: "small" }), el("button", { class: "button primary small", type: "submit" }, "Save"))));
}

function nextHour() {
  const at = new Date();
  at.setHours(at.getHours() + 1, 0, 0, 0);
  return at;
}

function retype(input, days) {
  const day = input.value.slice(0, 10), clock = input.value.slice(11) || "09:00";
  input.type = days ? "date" : "datetime-local";
  input.value = days ? day : `${day}T${clock}`;
}

// Moving the beginning moves the end with it.
function keepLength(from, to) {
  let before = from.value;
  from.addEventListener("change", () => {
    const by = new Date(from.value) - new Date(before), at = new Date(+new Date(to.value) + by);
    if (!Number.isNaN(+at)) to.value = from.type === "date" ? at.toISOString().slice(0, 10) : local(instant(at));
    before = from.value || before;
  });
}

function rhythms(rule) {
  const known = rule in RHYTHMS ? RHYTHMS : { ...RHYTHMS, [rule]: howOften(rule) };
  return el("select", {}, Object.entries(known).map(([value, text]) => el("option", { value, text, selected: value === rule })));
}

function palette(chosen) {
  const known = chosen in COLORS ? COLORS : { ...COLORS, [chosen]: "its own" };
  const node = el("fieldset", { class: "palette" }, el("legend", { text: "Colour" }), Object.entries(known).map(([color, name]) =>
    el("label", { title: name, style: { "--hue": hueOf(color) } }, el("input", { type: "radio", name: "color", value: color, checked: color === chosen, "aria-label": name }))));
  return { node, value: () => node.querySelector(":checked").value };
}

async function skip(one, time) {
  try {
    const answer = await patch(`/v1/events/${one.id}`, { exdates: [...one.exdates, format.isDay(one.start) ? time.slice(0, 10) : time] }, { headers: { "If-Match": `"${one.version}"` }, raw: true });
    store.keep("event", await answer.json());
    const change = answer.headers.get("X-Change-Id")?.split(", ")[0];
    const note = toast(`Skipped: ${one.title}, ${format.near(time)}`, button("Undo", () => { note.remove(); undoChange(change); }, { kind: "small" }));
  } catch (problem) { failed(problem); }
}
