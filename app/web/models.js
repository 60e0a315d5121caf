// Which models do what, where they are, and what they cost.

import { get, post, put, remove, session } from "./api.js";
import { button, el, failed, field, fill, icon, section, toast, uuid } from "./dom.js";
import * as format from "./format.js";
import { finder } from "./localmodels.js";

const USES = { chat: "Conversation", embeddings: "Memory", transcription: "Speech to text", speech: "Spoken replies" };
const TIERS = { "": "for everything", fast: "fast: routes messages", reason: "reason: the agents' work" }, DAYS = 30;
const once = () => ({ headers: { "Idempotency-Key": uuid() } });

export async function models(slot) {
  const { items, models: used } = await get("/v1/providers");
  const use = el("select", {}, Object.entries(USES).map(([value, text]) => el("option", { value, text })));
  const provider = el("select"), key = el("input", { type: "password", autocomplete: "off", maxlength: "1000" });
  const name = el("input", { list: "models", maxlength: "200" }), tier = el("select", {}, Object.entries(TIERS).map(([value, text]) => el("option", { value, text })));
  const known = el("datalist", { id: "models" }), told = el("p", { class: "small-text quiet", role: "status" }), forget = el("span"), tiered = field("Tier", tier);
  const chosen = () => items.find((one) => one.slug === provider.value);
  const again = () => models(slot).catch(failed);
  const offer = () => {
    const now = used.find((one) => one.capability === use.value);
    fill(provider, items.filter((one) => one.capabilities.includes(use.value)).map((one) => el("option", { value: one.slug, text: one.name, selected: one.slug === now?.provider })));
    name.value = now?.model ?? "";
    tiered.hidden = use.value !== "chat";
    keyed();
  };
  const keyed = () => {
    key.placeholder = chosen()?.own_key ? "Kept; type to replace it" : "";
    fill(forget, chosen()?.own_key && button("Forget the key", () => remove(`/v1/providers/${provider.value}`).then(again, failed), { kind: "bare" }));
  };
  const store = async () => { if (key.value) await post("/v1/providers", { slug: provider.value, api_key: key.value }, once()); };
  const test = async () => {
    told.textContent = "Asking…";
    try {
      await store();
      const probe = await post(`/v1/providers/${provider.value}/test`, use.value === "chat" && name.value ? { model: name.value } : {}, once());
      fill(known, probe.models.slice(0, 200).map((one) => el("option", { value: one })));
      told.textContent = probe.ok ? `It answers. ${probe.detail}` : `It does not answer: ${probe.detail}`;
    } catch (problem) { told.textContent = ""; failed(problem); }
  };
  const choose = async (event) => {
    event.preventDefault();
    try {
      await store();
      await put(`/v1/models/${use.value}`, { provider: provider.value, model: name.value, ...(use.value === "chat" && tier.value ? { tier: tier.value } : {}) });
      toast(`${USES[use.value]}: ${name.value} is used from now on.`);
      again();
    } catch (problem) { failed(problem); }
  };
  use.addEventListener("change", offer);
  provider.addEventListener("change", keyed);
  offer();
  slot(el("form", { class: "panel", onsubmit: choose }, el("h2", { text: "Models" }),
    used.length ? el("ul", { class: "items" }, inUse(used, again)) : el("p", { class: "quiet small-text", text: "None is used: the built-in understanding answers alone, without a network." }),
    el("div", { class: "fields" }, field("Used for", use), field("Provider", provider), field("Key", key, "Sealed on the server; never shown again."), field("Model", name), tiered), known, told,
    el("div", { class: "row" }, button("Test", test), el("button", { class: "button primary", type: "submit" }, "Use it"), forget), session.kind === "local" && finder(again), another(again)));
}

// One model may serve both tiers of chat: that is one line.
function inUse(used, again) {
  const lines = new Map();
  used.forEach((one) => lines.set([one.capability, one.provider, one.model].join(" "), one));
  return [...lines.values()].map((one) => el("li", { class: "item" }, el("div", { class: "item-body" }, el("p", { class: "item-title", text: `${USES[one.capability] ?? one.capability}: ${one.model}` }),
    el("p", { class: "item-meta" }, el("span", { text: `at ${one.provider}` }), !one.own && el("span", { text: "chosen for everybody" }), one.key_missing && el("span", { class: "late" }, icon("alert"), "its key is missing"))),
  one.own && button(`Do not use: ${one.model}`, () => remove(`/v1/models/${one.capability}`).then(again, failed), { symbol: "trash", hidden: true, kind: "bare" })));
}

function another(again) {
  const slug = el("input", { maxlength: "50", placeholder: "office" }), url = el("input", { type: "url", maxlength: "500", placeholder: "http://…/v1" });
  const add = async () => {
    if (!slug.value || !url.value) return slug.focus();
    await post("/v1/providers", { slug: slug.value, name: slug.value, base_url: url.value, kind: "direct", capabilities: ["chat"] }, once()).then(again, failed);
  };
  return el("details", {}, el("summary", { class: "small-text quiet", text: "A server of your own" }), el("div", { class: "stack tight padded" },
    el("div", { class: "fields" }, field("Short name", slug), field("Address", url, "Any server that speaks OpenAI's protocol.")), el("div", { class: "row" }, button("Add it", add, { kind: "small" }))));
}

export async function credits(slot) {
  const [account, usage] = await Promise.all([get("/v1/credits"), get("/v1/usage")]), each = new Map();
  usage.days.forEach((one) => {
    const sum = each.get(one.model) ?? { calls: 0, tokens: 0, credits: 0 };
    each.set(one.model, { calls: sum.calls + one.calls, tokens: sum.tokens + one.tokens_in + one.tokens_out, credits: sum.credits + one.credits });
  });
  slot(section("Credits", el("p", {}, el("b", { class: "figure", text: account.available.toLocaleString("en-GB") }), ` left, ${account.spent} spent of ${account.granted.toLocaleString("en-GB")}.${account.enforced ? "" : " This server does not enforce them."}`),
    chart(usage), each.size > 0 && table([...each])));
}

function chart(usage) {
  const days = new Map(), today = new Date();
  usage.days.forEach((one) => days.set(one.day, (days.get(one.day) ?? 0) + one.credits));
  if (!days.size) return el("p", { class: "quiet small-text", text: `No model was used in the last ${DAYS} days.` });
  const shown = Array.from({ length: DAYS }, (_, at) => format.dayKey(format.addDays(today, at - DAYS + 1))), most = Math.max(1, ...days.values());
  return el("figure", { class: "chart" },
    el("div", { class: "bars", role: "img", "aria-label": `Credits of the last ${DAYS} days: ${usage.credits}` }, shown.map((one) => el("i", { title: `${format.near(one)}: ${days.get(one) ?? 0}`, style: { "--level": (days.get(one) ?? 0) / most } }))),
    el("figcaption", { class: "row spread quiet small-text" }, el("span", { text: format.near(shown[0]) }), el("span", { text: `most on one day: ${most}` }), el("span", { text: "Today" })));
}

function table(rows) {
  const cells = (values, kind) => el("tr", {}, values.map((value) => el(kind, { text: typeof value === "number" ? value.toLocaleString("en-GB") : value })));
  return el("table", {}, el("thead", {}, cells(["Model", "Calls", "Tokens", "Credits"], "th")), el("tbody", {}, rows.map(([name, { calls, tokens, credits }]) => cells([name, calls, tokens, credits], "td"))));
}
