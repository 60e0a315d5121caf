// What reaches Summit and what Summit reaches: calendars, webhooks and keys.

import { get, post, remove, session } from "./api.js";
import { button, confirmed, el, empty, failed, field, fill, toast, uuid } from "./dom.js";
import * as format from "./format.js";

const SCOPES = { read: "read", write: "change", admin: "administer" };
const once = () => ({ headers: { "Idempotency-Key": uuid() } });

export async function calendars(slot) {
  const [{ items }, feed] = await Promise.all([get("/v1/calendars"), get("/v1/calendar")]);
  const url = el("input", { type: "url", placeholder: "https://…/basic.ics", maxlength: "2000" }), file = el("input", { type: "file", accept: ".ics,text/calendar" }), shown = el("div");
  const again = () => calendars(slot).catch(failed);
  const add = async (event) => {
    event.preventDefault();
    if (!file.files[0] && !url.value) return url.focus();
    try {
      const form = new FormData();
      if (file.files[0]) form.append("file", file.files[0]);
      await post("/v1/calendars", file.files[0] ? form : { url: url.value }, once());
      again();
    } catch (problem) { failed(problem); }
  };
  const make = async () => {
    if (feed.open && !(await confirmed("A new address ends the one before.", "Make a new one"))) return;
    await post("/v1/calendar", {}, once()).then((made) => fill(shown, secret("Subscribe to this address in your calendar program. It is shown once.", made.url)), failed);
  };
  const close = async () => (await confirmed("Close the feed? Programs that subscribe to it stop seeing your calendar.", "Close it")) && remove("/v1/calendar").then(again, failed);
  slot(el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Calendars" }),
    items.length > 0 && el("ul", { class: "items" }, items.map((one) => calendar(one, again))),
    el("div", { class: "fields" }, field("Subscribe to an address", url), field("or import a file", file)), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Add"))),
  el("section", { class: "panel" }, el("h2", { text: "Your calendar elsewhere" }), el("p", { class: "quiet small-text", text: feed.open ? "A private address gives your events and due tasks to other programs." : "Make a private address that other programs can subscribe to." }),
    el("div", { class: "row" }, button(feed.open ? "New address" : "Make an address", make), feed.open && button("Close the feed", close, { kind: "bare" })), shown));
}

function calendar(one, again) {
  const about = one.state === "failing" ? `Could not be read: ${one.error}` : `${format.plural(one.events, "event")}${one.state === "waiting" ? ", not read yet" : ""}${one.last_refreshed ? `, read ${format.near(one.last_refreshed)}` : ""}`;
  return line(one.name, about, () => remove(`/v1/calendars/${one.id}`).then(again, failed),
    one.warnings.length > 0 && el("details", {}, el("summary", { class: "small-text quiet", text: `${one.warnings.length} left out` }), el("ul", { class: "steps" }, one.warnings.map((text) => el("li", { text })))));
}

export async function webhooks(slot, kept = null) {
  const { items } = await get("/v1/webhooks"), url = el("input", { type: "url", maxlength: "2000", placeholder: "https://…" });
  const form = el("select", {}, [["json", "JSON"], ["text", "words alone, as ntfy reads them"]].map(([value, text]) => el("option", { value, text })));
  const again = (made) => webhooks(slot, made).catch(failed);
  const add = async (event) => {
    event.preventDefault();
    if (!url.value) return url.focus();
    await post("/v1/webhooks", { url: url.value, format: form.value }, once()).then(again, failed);
  };
  slot(el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Webhooks" }),
    items.length > 0 && el("ul", { class: "items" }, items.map((one) => line(one.url, one.format === "json" ? "JSON" : "words", () => remove(`/v1/webhooks/${one.id}`).then(() => again(), failed), deliveries(one)))),
    el("div", { class: "fields" }, field("Tell this address of reminders", url), field("What is posted", form)), el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Add")),
    kept?.secret && secret("It signs what is posted. It is shown once.", kept.secret)));
}

function deliveries(hook) {
  const list = el("ul", { class: "items" }), box = el("details", { ontoggle: () => box.open && look() }, el("summary", { class: "small-text quiet", text: "What it was told" }), list);
  const look = async () => {
    const { items } = await get(`/v1/webhooks/${hook.id}/deliveries?limit=20`);
    fill(list, items.length ? items.map((one) => el("li", { class: "item" }, el("div", { class: "item-body" },
      el("p", { class: "item-meta" }, el("span", { class: one.state === "dead" ? "late" : "", text: { pending: "on its way", delivered: "delivered", dead: "given up" }[one.state] ?? one.state }), el("span", { text: format.near(one.created_at) }),
        el("span", { text: format.plural(one.attempts, "try", "tries") }), one.status && el("span", { text: `answered ${one.status}` })), one.error && el("p", { class: "small-text", text: one.error })),
    one.state === "dead" && button("Try again", () => post(`/v1/webhooks/${hook.id}/deliveries/${one.id}/again`, {}, once()).then(look, failed), { kind: "small" }))) : el("li", { class: "small-text quiet", text: "Nothing yet." }));
  };
  return box;
}

export async function keys(slot, made = null) {
  if (!session.scopes.includes("admin")) return;
  const { items } = await get("/v1/keys"), name = el("input", { maxlength: "200", placeholder: "phone" }), until = el("input", { type: "date", min: format.dayKey(format.addDays(new Date(), 1)) });
  const scopes = Object.entries(SCOPES).map(([scope, text]) => [scope, el("input", { type: "checkbox", checked: true }), text]);
  const add = async (event) => {
    event.preventDefault();
    if (!name.value) return name.focus();
    const first = !items.length && session.kind === "local", wanted = scopes.filter(([, tick]) => tick.checked).map(([scope]) => scope);
    if (first && !(await confirmed("From the first key on, this server asks everyone for one. This browser is signed in with it; keep the key that is shown next for your other devices.", "Make a key"))) return;
    session.joining = first;
    try {
      const key = await post("/v1/keys", { name: name.value, scopes: wanted, ...(until.value ? { expires_at: new Date(`${until.value}T23:59:00`).toISOString() } : {}) }, once());
      if (first) Object.assign(session, await post("/session", { api_key: key.api_key }));
      if (first) dispatchEvent(new CustomEvent("signed-in"));
      await keys(slot, key);
    } catch (problem) { failed(problem); } finally { session.joining = false; }
  };
  const revoke = (one) => async () => (await confirmed(`Revoke “${one.name}”? Whatever uses it stops working at once.`, "Revoke")) && remove(`/v1/keys/${one.id}`).then(() => keys(slot).catch(failed), failed);
  const about = (one) => `ends in ${one.hint} · may ${one.scopes.map((scope) => SCOPES[scope] ?? scope).join(", ")}${one.expires_at ? ` · until ${format.near(one.expires_at)}` : ""}`;
  slot(el("form", { class: "panel", onsubmit: add }, el("h2", { text: "Keys" }),
    made && secret("This is shown once. Keep it now.", made.api_key),
    items.length ? el("ul", { class: "items" }, items.map((one) => line(one.name, about(one), revoke(one)))) : empty("No keys: whoever is on this machine can use Summit.", "profile"),
    el("div", { class: "fields" }, field("A new key for", name), field("Ends on", until, "Left empty, it does not end."), el("fieldset", { class: "ticks" }, el("legend", { text: "It may" }), scopes.map(([, tick, text]) => el("label", { class: "row" }, tick, el("span", { text }))))),
    el("div", { class: "row" }, el("button", { class: "button", type: "submit" }, "Make a key"))));
}

const line = (title, about, drop, more) => el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: title }), el("p", { class: "item-meta", text: about }), more), button(`Remove: ${title}`, drop, { symbol: "trash", hidden: true, kind: "bare" }));

function secret(words, text) {
  const copy = () => navigator.clipboard.writeText(text).then(() => toast("Copied."), () => toast("This browser does not let the page copy: select it instead."));
  return el("div", { class: "once" }, el("p", { class: "small-text", text: words }), el("code", { class: "secret", text: text ?? "It was shown before." }),
    text && el("div", { class: "row" }, button("Copy", copy, { kind: "small" })));
}
