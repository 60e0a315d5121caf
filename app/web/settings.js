// How Summit understands its user, what it may use, and who else may come in.

import { calendars, keys, webhooks } from "./access.js";
import { get, patch, session } from "./api.js";
import { button, choices, el, failed, field, fill, section, toast } from "./dom.js";
import * as format from "./format.js";
import { credits, models } from "./models.js";
import { forPeople } from "./plain.js";
import { themed } from "./theme.js";
import * as voice from "./voice.js";

const NAMES = { working_start: "Work begins at", working_end: "Work ends at" };
const PARTS = {
  you: ["Time and language", you], look: ["Appearance", look], models: ["Models", models], speech: ["Speech", speech], credits: ["Credits", credits],
  calendars: ["Calendars", calendars], webhooks: ["Webhooks", webhooks], keys: ["Keys", keys], server: ["This server", server],
};
let main = null, ready = null;

export function show(where, wanted) {
  main = where;
  ready = get("/readyz").catch((problem) => problem.document);
  const shown = Object.entries(PARTS).filter(([name]) => name !== "keys" || session.scopes.includes("admin"));
  fill(main, el("div", { class: "page" }, el("div", { class: "page-head" }, el("h1", { text: "Settings" }), session.kind === "session" && button("Sign out", () => dispatchEvent(new CustomEvent("sign-out")))),
    el("div", { class: "beside" }, el("nav", { class: "contents", "aria-label": "Settings" }, shown.map(([name, [label]]) => button(label, () => jump(name), { kind: "small bare" }))),
      el("div", { class: "stack" }, shown.map(([name]) => el("div", { class: "stack", id: `set-${name}` }))))));
  const parts = shown.map(([name, [, part]]) => part(slot(name)).catch((problem) => problem.status !== 403 && failed(problem)));
  if (wanted in PARTS) Promise.all(parts).then(() => jump(wanted));
}

const slot = (name) => (...children) => main?.querySelector(`#set-${name}`) && fill(main.querySelector(`#set-${name}`), children);

function jump(name) {
  const heading = main.querySelector(`#set-${name} h2`);
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  main.querySelector(`#set-${name}`).scrollIntoView({ block: "start" });
}

async function you(slot) {
  const now = await get("/v1/settings"), customs = now.conventions;
  const zone = el("select", {}, [...new Set([now.timezone, format.zone, ...(Intl.supportedValuesOf?.("timeZone") ?? [])])].map((name) => el("option", { value: name, text: name, selected: name === now.timezone })));
  const week = el("select", {}, ["monday", "sunday"].map((name) => el("option", { value: name, text: name === "monday" ? "Monday" : "Sunday", selected: name === customs.week_start })));
  const clock = el("select", {}, Object.entries({ "24h": "24 hours (17:00)", "12h": "12 hours (5:00 pm)" }).map(([name, text]) => el("option", { value: name, text, selected: name === (customs.clock ?? "24h") })));
  const times = Object.fromEntries(["morning", "afternoon", "evening", "tonight", "working_start", "working_end"].filter((name) => typeof customs[name] === "string").map((name) => [name, el("input", { type: "time", value: customs[name].slice(0, 5) })]));
  const language = el("input", { value: now.language, maxlength: "35" }), email = el("input", { type: "email", value: now.email ?? "", autocomplete: "email" });
  const quiet = ["start", "end"].map((end) => el("input", { type: "time", value: now.quiet_hours?.[end]?.slice(0, 5) ?? "" }));
  const save = async (event) => {
    event.preventDefault();
    const conventions = { week_start: week.value, clock: clock.value, ...Object.fromEntries(Object.entries(times).map(([name, box]) => [name, box.value])) };
    const hours = quiet.every((box) => box.value) ? { start: quiet[0].value, end: quiet[1].value } : null;
    await patch("/v1/settings", { timezone: zone.value, language: language.value, email: email.value || null, conventions, quiet_hours: hours }).then(() => { format.tellTimes(clock.value); toast("Saved. Messages from now on are understood like this."); }, failed);
  };
  slot(el("form", { class: "panel", onsubmit: save }, el("h2", { text: "Time and language" }),
    el("div", { class: "fields" }, field("Time zone", zone, now.timezone === format.zone ? "The same as on this device." : `This device is in ${format.zone}.`), field("The week begins on", week), field("Times are told on", clock), field("Language", language, "Without a language model only English is understood."), field("E-mail for reminders", email)),
    el("div", { class: "fields times" }, Object.entries(times).map(([name, box]) => field(NAMES[name] ?? `“${name}” means`, box))),
    el("div", { class: "fields times" }, field("Quiet from", quiet[0], "A reminder with a stated time still comes."), field("until", quiet[1])),
    el("div", { class: "row" }, el("button", { class: "button primary", type: "submit" }, "Save"))));
}

async function look(slot) {
  const set = (name) => { if (name === "auto") localStorage.removeItem("theme"); else localStorage.setItem("theme", name); themed(); look(slot); };
  slot(section("Appearance", choices("Appearance", { auto: "As the device", light: "Light", dark: "Dark" }, localStorage.getItem("theme") ?? "auto", set)));
}

// Which engine writes down what is said is the server's; whether replies are read aloud is this browser's.
async function speech(slot) {
  const checks = (await ready).checks ?? [], told = checks.filter((one) => ["speech", "spoken replies"].includes(one.name));
  slot(section("Speech", told.length > 0 && facts(told), voice.canSpeak() && readAloud(),
    el("p", { class: "quiet small-text", text: "Another engine is chosen under Models, or by whoever runs the server." })));
}

const facts = (checks) => el("dl", { class: "facts" }, checks.flatMap((one) => [el("dt", { text: one.name }), el("dd", { class: one.ok ? "" : "reason", text: forPeople(one.detail) })]));

function readAloud() {
  const tick = el("input", { type: "checkbox", checked: voice.wanted(), onchange: () => voice.want(tick.checked) });
  return el("label", { class: "row" }, tick, el("span", { text: "Read replies aloud, with this device's voice" }));
}

async function server(slot) {
  const [version, { checks = [] }] = await Promise.all([get("/v1/version"), ready]);
  slot(section("This server", facts([{ name: "version", ok: true, detail: version.version }, ...checks]), el("p", {}, el("a", { href: "/docs", text: "API reference" }))));
}
