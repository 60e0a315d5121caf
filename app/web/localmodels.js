// Models on the computer that Summit runs on: found, measured one after the other, and used with one tap.

import { post, put } from "./api.js";
import { announce, button, el, failed, fill, toast, uuid } from "./dom.js";

const HEADS = ["Model", "Server", "Tools", "JSON", "First word", "Tokens/s"];
const once = () => ({ headers: { "Idempotency-Key": uuid() } });

// `again` shows the models in use afresh. Only who runs the server may ask its computer.
export function finder(again) {
  const told = el("div", { class: "stack tight", role: "status" }), rows = el("tbody");
  const table = el("table", { hidden: true, "aria-label": "Models on this computer" }, el("thead", {}, el("tr", {}, HEADS.map((text) => el("th", { text })))), rows);
  const find = async () => {
    fill(rows);
    table.hidden = true;
    fill(told, line("Looking…"));
    try {
      const { items, advice } = await post("/v1/providers/discover", undefined, once());
      fill(told, items.filter((one) => !one.models.length).map((one) => line(`${one.name} at ${one.base_url}: ${one.detail}`)), advice.split("\n").filter(Boolean).map(line));
      await measured(items.flatMap((server) => server.models.map((model) => ({ server, model }))));
    } catch (problem) { fill(told); failed(problem); }
  };
  const measured = async (models) => {
    table.hidden = !models.length;
    const found = models.map((one) => ({ ...one, row: el("tr", {}, [one.model, one.server.name, "…"].map((text) => el("td", { text }))) }));
    fill(rows, found.map(({ row }) => row));
    for (const one of found) {
      if (!table.isConnected) return;
      one.result = await post("/v1/providers/measure", { base_url: one.server.base_url, model: one.model }, once());
      fill(one.row, cells(one));
    }
    const best = found.filter(({ result }) => result.tools || result.json_schema).sort(better)[0];
    if (!best) return;
    fill(best.row, cells(best, "recommended"));
    announce(`${best.model} is recommended.`);
  };
  const cells = ({ server, model, result }, mark) => [
    el("td", {}, el("div", { class: "row" }, el("span", { text: model }), mark && el("b", { text: mark }), button("Use this one", () => use(server, model), { kind: "small", "aria-label": `Use this one: ${model}` })), result.detail && el("p", { class: "quiet", text: result.detail })),
    ...[server.name, word(result.tools), word(result.json_schema), seconds(result.first_token_seconds), result.tokens_per_second ?? "–"].map((text) => el("td", { text: String(text) })),
  ];
  const use = async (server, model) => {
    try {
      if (!server.added) await post("/v1/providers", { slug: server.slug, name: server.name, base_url: server.base_url, kind: "direct", capabilities: ["chat"] }, once());
      server.added = true;
      await put("/v1/models/chat", { provider: server.slug, model });
      toast(`Conversation: ${model} is used from now on.`);
      again();
    } catch (problem) { failed(problem); }
  };
  return el("div", { class: "stack tight" }, el("div", { class: "row" }, button("Find models on this computer", find, { symbol: "search" })), told, el("div", { class: "across" }, table));
}

// Tools first, then JSON, then speed.
const better = ({ result: one }, { result: other }) => Boolean(other.tools) - Boolean(one.tools) || Boolean(other.json_schema) - Boolean(one.json_schema) || (other.tokens_per_second ?? 0) - (one.tokens_per_second ?? 0);
const word = (works) => (works === null ? "–" : works ? "yes" : "no");
const seconds = (value) => (value === null ? "–" : `${value} s`);
const line = (text) => el("p", { class: "quiet small-text", text });
