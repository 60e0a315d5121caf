// What waits for an answer: one small card above the message box, whichever message asked. An answer names the question.

import { button, el, fill, icon } from "./dom.js";

export class Waiting {
  constructor(box, answer) {
    this.box = box;
    this.answer = answer;
    this.question = null;
  }

  // `held` counts the changes that a yes would make.
  show(question, held = 0) {
    this.question = question;
    this.box.hidden = !question;
    if (!question) return fill(this.box);
    const words = el("p", { class: "waits-words" }, icon("talk"), el("span", { text: question.text }));
    return fill(this.box, words, el("div", { class: "options", role: "group", "aria-label": question.text }, held ? this.yesAndNo(question, held) : this.offered(question)));
  }

  // A button answers the question that it was made for, whatever is shown by the time it is pressed.
  yesAndNo(question, held) {
    return [
      button(held > 1 ? "Yes, all of it" : "Yes, do it", () => this.answer(question, "yes", true), { kind: "primary small" }),
      button("No", () => this.answer(question, "no", false), { kind: "small" })];
  }

  offered(question) {
    return question.options.map((option) => button(option, () => this.answer(question, option, null), { kind: "small option" }));
  }
}
