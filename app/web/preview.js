// What a message would do, while it is typed: proposals as chips with their words, and the words not used.

import { post } from "./api.js";
import { details, kindIcon, wanted } from "./cards.js";
import { button, el, fill, icon } from "./dom.js";
import { dayKey, isDay, moment, plural, zone } from "./format.js";

const PAUSE = 110, MAIN = { todo: "task", event: "title", note: "summary", instruction: "text" };
const EDITABLE = new Set(["task", "title", "summary", "text", "deadline", "start", "remind_at", "location", "list", "priority"]);
const MOMENTS = new Set(["deadline", "start", "remind_at"]), NEEDED = new Set(["start", "text", "content"]);

export class Preview {
  // `marks` shows in the message box where a value comes from.
  constructor(box, marks) {
    this.box = box;
    this.marks = marks;
    this.reset();
  }

  reset() {
    clearTimeout(this.timer);
    this.aborting?.abort();
    this.text = "";
    this.reading = null;
    this.edited = false;
    this.mended = new Map();
    this.marks.clear();
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

  // The question that the words answer, as long as what is shown is what was read of them.
  answered(text) {
    return this.reading?.text === text ? this.reading.answered?.id : undefined;
  }

  async read(text) {
    this.aborting?.abort();
    this.aborting = new AbortController();
    try {
      const reading = await post("/v1/understand", { text, timezone: zone }, { signal: this.aborting.signal });
      if (text === this.text) this.show(this.asMended({ ...reading, text }));
    } catch (problem) {
      if (problem.name !== "AbortError") this.hide();
    }
  }

  // What was put right stays right while somebody types on, as long as the same is read.
  asMended(reading) {
    reading.proposals.forEach((proposal, at) => Object.entries(proposal.fields).forEach(([name, value]) => {
      const known = keyOf(at, name, value);
      if (this.mended.has(known)) this.put(proposal, name, this.mended.get(known));
    }));
    return reading;
  }

  // `value` is undefined for what is left out.
  mend(proposal, name, value) {
    const at = this.reading.proposals.indexOf(proposal), before = keyOf(at, name, proposal.fields[name]);
    this.mended.forEach((after, known) => { if (keyOf(at, name, after) === before) this.mended.set(known, value); });
    this.mended.set(before, value);
    this.put(proposal, name, value);
  }

  put(proposal, name, value) {
    const { fields, words } = proposal, before = fields[name];
    this.edited = true;
    if (value === undefined) {
      delete fields[name];
      delete words[name];
      return;
    }
    fields[name] = value;
    if (name === "start" && fields.end && !isDay(before)) fields.end = instant(new Date(+moment(value) + (moment(fields.end) - moment(before))));
  }

  hide() {
    fill(this.box);
    this.box.hidden = true;
  }

  show(reading) {
    this.reading = reading;
    const doing = reading.proposals.filter((proposal) => !proposal.declined), answered = reading.answered;
    const parts = [
      answered && aside("talk", "Answers", answered.text),
      answered && !doing.length && !reading.questions.length && aside("close", "No", "Nothing of it is done."),
      ...doing.map((proposal) => this.slip(proposal, Boolean(answered))),
      ...reading.questions.map((asked) => aside("talk", "Will ask", asked.text)),
      ...(answered || reading.proposals.length ? [] : reading.answers.slice(0, 1).map((answer) => aside("search", "Answer", answer))),
      ...reading.unclear.map((words) => aside("alert", "Not understood", words, "warm")),
      reading.unused.length > 0 && this.marks.follow(aside("alert", "Not used", reading.unused.map((one) => one.text).join(" … "), "warm"), reading.unused),
    ].filter(Boolean);
    fill(this.box, parts);
    this.box.hidden = !parts.length;
  }

  // What an answer does was asked about as it is: it is changed by other words, not here.
  slip(proposal, fixed) {
    const { op, kind, fields, title, words, hold } = proposal;
    const main = MAIN[kind], named = fields[main] ?? fields.content ?? title;
    const shown = details(fields), steps = fields.solutions ?? [];
    if (steps.length && !this.text.toLowerCase().includes(steps[0].toLowerCase())) shown.push({ name: "solutions", label: "suggested steps", text: `suggested: ${plural(steps.length, "step")}` });
    return el("div", { class: "slip" },
      el("span", { class: `badge badge-${kind}` }, kindIcon(kind, fields)),
      el("div", { class: "slip-body" },
        el("span", { class: "card-op", text: wanted(op, kind, fields) }),
        el("div", { class: "chips" },
          named && this.value(proposal, fields[main] ? main : null, named, words[main] ?? words.title, { fixed }),
          shown.map((part) => this.value(proposal, part.name, part.text, words[part.name], { ...part, fixed }))),
        hold && el("p", { class: "reason" }, icon("wait"), `Needs your confirmation: ${hold}`)));
  }

  value(proposal, name, text, said, part = {}) {
    const from = said?.map((one) => one.text).join(" … ");
    const body = [part.symbol && icon(part.symbol), el("span", { text: text.length > 80 ? `${text.slice(0, 78)}…` : text })];
    const own = !part.fixed && name in proposal.fields, editable = own && EDITABLE.has(name);
    const props = { class: `chip ${editable ? "chip-edit" : ""}`, title: from ? `From your words: “${from}”` : "Worked out", "data-field": this.place(proposal, name) };
    const shown = editable
      ? el("button", { ...props, type: "button", "aria-label": `${part.label ?? name}: ${text}. Change`, onclick: (event) => this.edit(event.currentTarget, proposal, name) }, body)
      : el("span", props, body);
    const removable = own && this.canLeaveOut(proposal, name) && button(`Leave out: ${part.label ?? name} ${text}`, () => this.leaveOut(proposal, name), { symbol: "close", hidden: true, kind: "bare chip-close" });
    return this.marks.follow(el("span", { class: "chip-pair" }, shown, removable), said);
  }

  place(proposal, name) {
    return `${this.reading.proposals.indexOf(proposal)} ${name}`;
  }

  // Whatever else is said of it may go; what it is and what it cannot be without stays.
  canLeaveOut({ op, kind, fields }, name) {
    if (op !== "create") return Object.keys(fields).length > 1;
    return name !== MAIN[kind] && !NEEDED.has(name);
  }

  leaveOut(proposal, name) {
    this.mend(proposal, name, undefined);
    this.marks.clear();
    this.show(this.reading);
    this.focus(this.box.querySelector(`[data-field="${CSS.escape(this.place(proposal, MAIN[proposal.kind]))}"]`));
  }

  // Whoever works with the keyboard stays where they were.
  focus(chip) {
    (chip instanceof HTMLButtonElement ? chip : this.box.querySelector("button") ?? document.getElementById("message")).focus();
  }

  edit(chip, proposal, name) {
    const control = controlFor(name, proposal.fields[name]);
    let over = false;
    const done = (keep) => {
      if (over) return;
      over = true;
      if (keep && !control.value && this.canLeaveOut(proposal, name)) return this.leaveOut(proposal, name);
      if (keep && control.value && control.value !== control.dataset.before) this.change(proposal, name, control);
      this.show(this.reading);
      if (back) this.focus(this.box.querySelector(`[data-field="${CSS.escape(this.place(proposal, name))}"]`));
    };
    let back = false;
    control.addEventListener("keydown", (event) => {
      back = event.key === "Enter" || event.key === "Escape";
      if (event.key === "Enter") { event.preventDefault(); done(true); }
      if (event.key === "Escape") { event.stopPropagation(); done(false); }
    });
    control.addEventListener("blur", () => done(true));
    control.setAttribute("aria-label", name);
    chip.replaceWith(control);
    control.focus();
    control.select?.();
  }

  change(proposal, name, control) {
    this.mend(proposal, name, control.type === "datetime-local" ? instant(control.value) : control.value);
  }
}

const keyOf = (at, name, value) => `${at} ${name} ${JSON.stringify(value)}`;

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
