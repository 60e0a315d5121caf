// A small menu beside the button that opened it; the keyboard moves in it, and Escape or a tap elsewhere closes it.

import { el, icon } from "./dom.js";

let open = null;

export function menu(from, items) {
  open?.();
  const list = el("div", { class: "menu", role: "menu", onkeydown: keys }, items.filter(Boolean).map(([label, act, symbol]) =>
    el("button", { type: "button", role: "menuitem", class: "menu-item", onclick: () => { close(); act(); } }, symbol && icon(symbol), el("span", { text: label }))));
  const outside = (event) => list.contains(event.target) || close();
  const close = () => {
    open = null;
    list.remove();
    from.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (from.isConnected) from.focus();
  };
  open = close;
  document.body.append(list);
  place(list, from.getBoundingClientRect());
  from.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", outside, true);
  list.firstChild.focus();

  function keys(event) {
    const all = [...list.children], at = all.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) all.at(next % all.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function place(list, from) {
  const below = from.bottom + 4 + list.offsetHeight < innerHeight;
  list.style.setProperty("top", `${below ? from.bottom + 4 : Math.max(4, from.top - 4 - list.offsetHeight)}px`);
  list.style.setProperty("left", `${Math.max(4, Math.min(from.right - list.offsetWidth, innerWidth - list.offsetWidth - 4))}px`);
}
