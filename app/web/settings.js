// How Summit understands its user, what it may use, and who else may come in.

import { get, patch, post, put, remove, session } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, section, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import * as voice from "./voice.js";

const NAMES = { working_start: "Work begins at", working_end: "Work ends at" };
let main = null;
const once = () => ({ headers: { "Idempotency-Key": uuid() } });

export function show(where) {
  main = where;
  const slots = ["you", "look", "model", "credits", "calendars", "webhooks", "keys", "server"].map((name) => el("div", { id: `set-${name}` }));
  fill(main, el("div", { class: "page" }, el("div", { class: "page-head" }, el("h1", { text: "Settings" }), session.kind === "session" && button("Sign out", () => dispatchEvent(new CustomEvent("sign-out")))), slots));
  [you, look, model, credits, calendars, webhooks, keys, server].forEach((part) => part().catch?.((problem) => problem.status !== 403 && failed(problem)));
}

const slot = (name, ...children) => main?.querySelector(`#set-${name}`) && fill(main.querySelector(`#set-${name}`), children);

async function you() {
  const now = await get("/v1/settings"), customs = now.conventions;
  const zone = el("select", {}, [...new Set([now.timezone, format.zone, ...(Intl.supportedValuesOf?.("timeZone") ?? [])])].map((name) => el("option", { value: name, text: name, selected: name === now.timezone })));
  const week = el("select", {}, ["monday", "sunday"].map((name) => el("option", { value: name, text: name, selected: name === customs.week_start })));
  const times = Object.fromEntries(["morning", "afternoon", "evening", "tonight", "working_start", "working_end"].filter((name) => typeof customs[name] === "string").map((name) => [name, el("input", { type: "time", value: customs[name].slice(0, 5) })]));
  const language = el("input", { value: now.language, maxlength: "35" }), email = el("input", { type: "email", value: now.email ?? "", autocomplete: "email" });
  const quiet = ["start", "end"].map((end) => el("input", { type: "time", value: now.quiet_hours?.[end]?.slice(0, 5) ?? "" }));
  const save = async (event) => {
    event.preventDefault();
    const conventions = { week_start: week.value, ...Object.fromEntries(Object.entries(times).map(([name, box]) => [name, box.value])) };
    const hours = quiet.every((box) => box.value) ? { start: quiet[0].value, end: quiet[1].value } : null;
    await patch("/v1/settings", { timezone: zone.value, language: language.value, email: email.value || null, conventions, quiet_hours: hours }).then(() => toast("Saved. Messages from now on are understood like this."), failed);
  };
  slot("you", el("form", { class: "panel", onsubmit: save }, el("h2", { text: "Time and language" }),
    el("div", { class: "fields" }, field("Time zone", zone, now.timezone === format.zone ? "The same as on this device." : `This device is in ${format.zone}.`), field("The week begins on", week), field("Language", language, "Without a language model only English is understood."), field("E-mail for reminders", email)),
    el("div", { class: "fields" }, Object.entries(times).map(([name, box]) => field(NAMES[name] ?? `“${name}” means`, box))),
    el("div", { class: "fields" }, field("Quiet from", quiet[0], "A reminder with a stated time still comes."), field("until", quiet[1])),
    el("div", { class: "row" }, el("button", { class: "button primary", type: "submit" }, "Save"))));
}

async function look() {
  const now = localStorage.getItem("theme") ?? "auto";
  const set = (name) => () => { if (name === "auto") localStorage.removeItem("theme"); else localStorage.setItem("theme", name); themed(); look(); };
  slot("look", section("Appearance", el("div", { class: "row", role: "group", "aria-label": "Appearance" }, ["auto", "light", "dark"].map((name) => button({ auto: "As the device", light: "Light", dark: "Dark" }[name], set(name), { kind: name === now ? "small on" : "small", "aria-pressed": String(name === now) }))), voice.canSpeak() && readAloud()));
}

function readAloud() {
  const tick = el("input", { type: "checkbox", checked: voice.wanted(), onchange: () => voice.want(tick.checked) });
  return el("label", { class: "row" }, tick, el("span", { text: "Read replies aloud, with this device's voice" }));
}

export function themed() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
themed();

async function model() {
  const { items, models } = await get("/v1/providers");
  const chat = items.filter((one) => one.capabilities.includes("chat"));
  const used = models.find((one) => one.capability === "chat");
  const provider = el("select", {}, chat.map((one) => el("option", { value: one.slug, text: one.name, selected: one.slug === used?.provider })));
  const key = el("input", { type: "password", autocomplete: "off", placeholder: chat.some((one) => one.own_key) ? "Kept; type to replace it" : "" });
  const name = el("input", { value: used?.model ?? "", list: "models", maxlength: "200" }), known = el("datalist", { id: "models" }), told = el("p", { class: "small-text quiet", role: "status" });
  const keyed = async () => { if (key.value) await post("/v1/providers", { slug: provider.value, api_key: key.value }, once()); };
  const test = async () => {
    try {
      await keyed();
      const probe = await post(`/v1/providers/${provider.value}/test`, {}, once());
      fill(known, probe.models.slice(0, 200).map((one) => el("option", { value: one })));
      told.textContent = probe.ok ? `It answers. ${probe.detail}` : `It does not answer: ${probe.detail}`;
    } catch (problem) { failed(problem); }
  };
  const use = async (event) => {
    event.preventDefault();
    try {
      await keyed();
      await put("/v1/models/chat", { provider: provider.value, model: name.value });
      model();
    } catch (problem) { failed(problem); }
  };
  slot("model", el("form", { class: "panel", onsubmit: use }, el("h2", { text: "Language model" }),
    el("p", { class: "quiet small-text", text: used ? `Messages that need one are answered by ${used.model} at ${used.provider}.` : "None is used: the built-in understanding answers alone, without a network." }),
    el("div", { class: "fields" }, field("Provider", provider), field("Key", key, "Sealed on the server; never shown again."), field("Model", name)), known, told,
    el("div", { class: "row" }, button("Test", test), el("button", { class: "button primary", type: "submit" }, "Use it"))));
}

async function credits() {
  const [account, usage] = await Promise.all([get("/v1/credits"), get("/v1/usage")]);
  const days = new Map(), today = new Date();
  usage.days.forEach((one) => days.set(one.day, (days.get(one.day) ?? 0) + one.credits));
  const shown = Array.from({ length: 30 }, (_, at) => format.dayKey(format.addDays(today, at - 29))), most = Math.max(1, ...days.values());
  slot("credits", section("Credits", el("p", { text: `${account.available} left, ${account.spent} spent of ${account.granted}.${account.enforced ? "" : " This server does not enforce them."}` }),
    days.size > 0 && el("div", { class: "bars", role: "img", "aria-label": `Credits of the last 30 days: ${usage.credits}` }, shown.map((one) => el("i", { title: `${one}: ${days.get(one) ?? 0}`, style: { "--level": (days.get(one) ?? 0) / most } })))));
}

async function calendars() {
  const [{ items }, feed] = await Promise.all([get("/v1/calendars"), get("/v1/calendar").catch(() => null)]);
  const url = el("input", { type: "url", placeholder: "https://…/basic.ics", maxlength: "2000" }), file = el("input", { type: "file", accept: ".ics,text/calendar" }), shown = el("div");
  const add = async (event) => {
    event.preventDefault();
    try {
      if (file.files[0]) {
        const form = new FormData();
        form.append("file", file.files[0]);
        await post("/v1/calendars", form, once());
      } else if (url.value) await post("/v1/calendars", { url: url.value }, once());
      calendars();
    } catch (problem) { failed(problem); }
  };
  const make = async () => {
    if (feed && !(await confirmed("A new address ends the one before.", "Make a new one"))) return;
    await post("/v1/calendar", {}, once()).then((made) => fill(shown, secret("Subscribe to this address. It is shown once.", made.url)), failed);
  };
  slot("calendars", el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Calendars" }),
    items.length > 0 && el("ul", { class: "items" }, items.map((one) => line(one.name, one.state === "failing" ? `Could not be read: ${one.error}` : `${format.plural(one.events, "event")}${one.state === "waiting" ? ", not read yet" : ""}`, () => remove(`/v1/calendars/${one.id}`).then(calendars, failed)))),
    el("div", { class: "fields" }, field("Subscribe to an address", url), field("or import a file", file)), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Add"), button(feed ? "New feed address" : "My calendar elsewhere", make)), shown));
}

async function webhooks() {
  const { items } = await get("/v1/webhooks"), url = el("input", { type: "url", maxlength: "2000", placeholder: "https://…" }), shown = el("div");
  const add = async (event) => {
    event.preventDefault();
    if (!url.value) return;
    await post("/v1/webhooks", { url: url.value }, once()).then((made) => { fill(shown, secret("It signs what is posted. It is shown once.", made.secret)); }, failed);
  };
  slot("webhooks", el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Webhooks" }), items.length > 0 && el("ul", { class: "items" }, items.map((one) => line(one.url, one.format, () => remove(`/v1/webhooks/${one.id}`).then(webhooks, failed)))), field("Tell this address of reminders", url), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Add")), shown));
}

async function keys() {
  if (!session.scopes.includes("admin")) return;
  const { items } = await get("/v1/keys"), name = el("input", { maxlength: "200", placeholder: "phone" }), shown = el("div");
  const add = async (event) => {
    event.preventDefault();
    if (!name.value) return;
    if (!items.length && session.kind === "local" && !(await confirmed("From the first key on, this server asks everyone for one, this page too. Keep the key that is shown next.", "Make a key"))) return;
    await post("/v1/keys", { name: name.value }, once()).then((made) => fill(shown, secret("This is shown once. Keep it now.", made.api_key)), failed);
  };
  slot("keys", el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Keys" }),
    items.length ? el("ul", { class: "items" }, items.map((one) => line(one.name, `ends in ${one.hint} · ${one.scopes.join(", ")}${one.expires_at ? ` · until ${format.near(one.expires_at)}` : ""}`, async () => (await confirmed(`Revoke “${one.name}”? Whatever uses it stops working at once.`, "Revoke")) && remove(`/v1/keys/${one.id}`).then(keys, failed)))) : empty("No keys: whoever is on this machine can use Summit."),
    field("A new key for", name), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Make")), shown));
}

async function server() {
  const [version, ready] = await Promise.all([get("/v1/version"), get("/readyz").catch((problem) => problem.document)]);
  slot("server", section("This server", el("dl", { class: "facts" }, el("dt", { text: "version" }), el("dd", { text: version.version }), (ready.checks ?? []).flatMap((one) => [el("dt", { text: one.name }), el("dd", { text: one.detail })])), el("p", {}, el("a", { href: "/docs", text: "API reference" }))));
}

const line = (title, about, drop) => el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: title }), el("p", { class: "item-meta", text: about })), button(`Remove: ${title}`, drop, { symbol: "trash", hidden: true, kind: "bare" }));
const secret = (words, text) => [el("p", { class: "small-text", text: words }), el("code", { class: "secret", text: text ?? "It was shown before." })];
