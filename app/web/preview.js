// What a message would do, while it is typed: proposals as chips with their words, and the words not used.

import { post } from "./api.js";
import { details, kindIcon, wanted } from "./cards.js";
import { el, fill, icon } from "./dom.js";
import { dayKey, isDay, moment, zone } from "./format.js";

const PAUSE = 110, MAIN = { todo: "task", event: "title", note: "summary", instruction: "text" };
const EDITABLE = new Set(["task", "title", "summary", "text", "deadline", "start", "remind_at", "location", "list", "priority"]);
const MOMENTS = new Set(["deadline", "start", "remind_at"]);

export class Preview {
  constructor(box) {
    this.box = box;
    this.reset();
  }

  reset() {
    clearTimeout(this.timer);
    this.aborting?.abort();
    this.text = "";
    this.reading = null;
    this.edited = false;
    fill(this.box);
    this.box.hidden = true;
  }

  typed(text) {
    if (text.trim() === this.text) return;
    this.text = text.trim();
    this.edited = false;
    clearTimeout(this.timer);
    if (!this.text) this.reset();
    else this.timer = setTimeout(() => this.read(this.text), PAUSE);
  }

  get changed() {
    if (!this.edited) return null;
    return this.reading.proposals.map(({ op, kind, record_id, fields, group }) => ({ op, kind, record_id, fields, group }));
  }

  async read(text) {
    this.aborting?.abort();
    this.aborting = new AbortController();
    try {
      const reading = await post("/v1/understand", { text, timezone: zone }, { signal: this.aborting.signal });
      if (text === this.text) this.show(reading);
    } catch (problem) {
      if (problem.name !== "AbortError") this.hide();
    }
  }

  hide() {
    fill(this.box);
    this.box.hidden = true;
  }

  show(reading) {
    this.reading = reading;
    const parts = [
      ...reading.proposals.map((proposal) => this.slip(proposal)),
      ...reading.questions.map((asked) => aside("talk", "Will ask", asked.text)),
      ...(reading.proposals.length ? [] : reading.answers.slice(0, 1).map((answer) => aside("search", "Answer", answer))),
      ...reading.unclear.map((words) => aside("alert", "Not understood", words, "warm")),
      reading.unused.length > 0 && aside("alert", "Not used", reading.unused.map((one) => one.text).join(" … "), "warm"),
    ].filter(Boolean);
    fill(this.box, parts);
    this.box.hidden = !parts.length;
  }

  slip(proposal) {
    const { op, kind, fields, title, words, hold } = proposal;
    const main = MAIN[kind], named = fields[main] ?? fields.content ?? title;
    const shown = details(fields);
    return el("div", { class: "slip" },
      el("span", { class: `badge badge-${kind}` }, kindIcon(kind, fields)),
      el("div", { class: "slip-body" },
        el("span", { class: "card-op", text: wanted(op, kind, fields) }),
        el("div", { class: "chips" },
          named && this.value(proposal, fields[main] ? main : null, named, words[main] ?? words.title),
          shown.map((part) => this.value(proposal, part.name, part.text, words[part.name], part))),
        hold && el("p", { class: "reason" }, icon("wait"), `Would wait for your yes: ${hold}`)));
  }

  value(proposal, name, text, said, part = {}) {
    const from = said?.map((one) => one.text).join(" … ");
    const body = [part.symbol && icon(part.symbol), el("span", { text: text.length > 80 ? `${text.slice(0, 78)}…` : text })];
    const props = { class: `chip ${name in proposal.fields && EDITABLE.has(name) ? "chip-edit" : ""}`, title: from ? `From your words: “${from}”` : "Worked out" };
    if (!name || !EDITABLE.has(name) || !(name in proposal.fields)) return el("span", props, body);
    return el("button", { ...props, type: "button", "aria-label": `${part.label ?? name}: ${text}. Change`, onclick: (event) => this.edit(event.currentTarget, proposal, name) }, body);
  }

  edit(chip, proposal, name) {
    const control = controlFor(name, proposal.fields[name]);
    let over = false;
    const done = (keep) => {
      if (over) return;
      over = true;
      if (keep && control.value && control.value !== control.dataset.before) this.change(proposal, name, control);
      this.show(this.reading);
    };
    control.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); done(true); }
      if (event.key === "Escape") { event.stopPropagation(); done(false); }
    });
    control.addEventListener("blur", () => done(true));
    control.setAttribute("aria-label", name);
    chip.replaceWith(control);
    control.focus();
  }

  change(proposal, name, control) {
    const before = proposal.fields[name];
    proposal.fields[name] = control.type === "datetime-local" ? instant(control.value) : control.value;
    if (name === "start" && proposal.fields.end && !isDay(before)) {
      const length = moment(proposal.fields.end) - moment(before);
      proposal.fields.end = instant(new Date(+new Date(proposal.fields.start) + length));
    }
    this.edited = true;
  }
}

function aside(symbol, label, words, kind = "") {
  return el("p", { class: `aside ${kind}` }, icon(symbol), el("span", { class: "aside-label", text: label }), el("span", { text: words }));
}

function controlFor(name, value) {
  if (name === "priority") {
    return el("select", { class: "chip-input", "data-before": value }, ["low", "medium", "high"].map((level) => el("option", { value: level, text: level, selected: level === value })));
  }
  const type = !MOMENTS.has(name) ? "text" : isDay(value) ? "date" : "datetime-local";
  const shown = type === "datetime-local" ? local(value) : value;
  return el("input", { type, class: "chip-input", value: shown, "data-before": shown, maxlength: "300" });
}

function local(value) {
  const at = moment(value);
  return `${dayKey(at)}T${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}

export function instant(value) {
  const at = new Date(value), off = -at.getTimezoneOffset(), size = Math.abs(off);
  const zone = `${off < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  return `${local(at)}:00${zone}`;
}

export { local };
