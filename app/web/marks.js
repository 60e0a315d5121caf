// The words of the message box that something comes from, marked behind the letters while one points at it.

import { el, fill } from "./dom.js";

export class Marks {
  constructor(box) {
    this.box = box;
    this.layer = el("div", { class: "marks", "aria-hidden": "true" });
    box.addEventListener("scroll", () => { this.layer.scrollTop = box.scrollTop; });
    box.addEventListener("input", () => this.clear());
  }

  // Places are counted in characters of the trimmed text, as the server counts them.
  show(spans) {
    const letters = Array.from(this.box.value), before = letters.length - Array.from(this.box.value.trimStart()).length, parts = [];
    let at = 0;
    [...spans].sort((one, other) => one.start - other.start).forEach(({ start, end }) => {
      const from = Math.max(at, start + before), to = end + before;
      if (to <= from) return;
      parts.push(letters.slice(at, from).join(""), el("mark", { text: letters.slice(from, to).join("") }));
      at = to;
    });
    fill(this.layer, parts, letters.slice(at).join(""));
    this.layer.scrollTop = this.box.scrollTop;
  }

  clear() {
    fill(this.layer);
  }

  // While somebody points at a node or has the keyboard on it.
  follow(node, spans) {
    if (!spans?.length) return node;
    ["pointerenter", "focusin"].forEach((name) => node.addEventListener(name, () => this.show(spans)));
    ["pointerleave", "focusout"].forEach((name) => node.addEventListener(name, () => this.clear()));
    return node;
  }
}
