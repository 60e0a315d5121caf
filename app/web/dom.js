// Elements, made from data. Text is only ever set as text: what users write never becomes markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  talk: "M4 5h16v11H9l-5 4z",
  day: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  memory: "M12 3c-4 0-7 2.6-7 6.5 0 2.2 1 3.8 2 5V20h7v-2h2.5v-4H19l-1.5-4C17 5.5 15.5 3 12 3z",
  history: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2",
  work: "M4 8h16v11H4zM9 8V5h6v3M4 13h16",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4.5v5M6 14.5v5",
  todo: "m5 12.5 4.5 4.5L19 7",
  event: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  note: "M6 3h9l4 4v14H6zM9 11h7M9 15h5",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  profile: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.8-4 4-6 8-6s7.2 2 8 6",
  instruction: "M12 3v3M12 18v3M5 12H3M21 12h-2M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  memo: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  mic: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  send: "M12 19V6M6 11.5 12 5.5l6 6",
  stop: "M7 7h10v10H7z",
  close: "m6 6 12 12M18 6 6 18",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  alert: "M12 4 3 20h18zM12 10v4M12 17h.01",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2",
  place: "M12 21s7-6.3 7-11a7 7 0 0 0-14 0c0 4.700 7 11 7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  repeat: "M5 9a5 5 0 0 1 5-4h7m-3-3 3 3-3 3M19 15a5 5 0 0 1-5 4H7m3 3-3-3 3-3",
  flag: "M6 21V4h11l-2 4 2 4H6",
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  left: "m14 6-6 6 6 6",
  right: "m10 6 6 6-6 6",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  edit: "M5 19h4L19 9l-4-4L5 15z",
  play: "M8 5v14l11-7z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100",
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  wait: "M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9",
};

const ACTS = new Set(["onclick", "onsubmit", "onchange"]);

// What is still being done is not begun again: who taps twice means it once.
function once(act) {
  let busy = false;
  return (event) => {
    if (busy) return event.preventDefault();
    const done = act(event);
    if (!(done instanceof Promise)) return undefined;
    busy = true;
    done.finally(() => { busy = false; });
    return undefined;
  };
}

export function el(name, props = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), ACTS.has(key) ? once(value) : value);
    else if (key === "style") Object.entries(value).forEach(([rule, set]) => node.style.setProperty(rule, set));
    else if (key in node && !key.includes("-") && typeof value !== "string") node[key] = value;
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export function icon(name, label) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.more);
  svg.append(path);
  return svg;
}

export function button(label, onclick, { kind = "", symbol, hidden = false, ...props } = {}) {
  const shown = hidden ? [] : [el("span", { text: label })];
  const named = hidden ? { "aria-label": label, title: label } : {};
  return el("button", { type: "button", class: `button ${kind}`, onclick, ...named, ...props }, symbol && icon(symbol), shown);
}

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

// Only what differs is moved: a row that stays keeps its focus, and its sound.
export function inStep(list, shown) {
  const kept = new Set(shown), keepFocus = focusIn(list);
  [...list.children].forEach((row) => kept.has(row) || row.remove());
  shown.forEach((row, at) => list.children[at] === row || list.insertBefore(row, list.children[at] ?? null));
  keepFocus(shown);
}

// A row that is drawn again, or moved, keeps the keyboard at the same place in it.
function focusIn(list) {
  const active = document.activeElement, row = [...list.children].find((one) => one.contains(active));
  if (!row) return () => {};
  const reached = "button, input, select, textarea, summary, a[href]", place = [...row.querySelectorAll(reached)].indexOf(active);
  return (shown) => {
    const again = active.isConnected ? active : shown.find((one) => one.dataset.id && one.dataset.id === row.dataset.id)?.querySelectorAll(reached)[place];
    if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  };
}

export function section(title, ...children) {
  return el("section", { class: "panel" }, el("h2", { text: title }), children);
}

export function field(label, control, hint) {
  const id = `f${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return el("div", { class: "field" }, el("label", { for: id, text: label }), control, hint && el("p", { class: "hint", id: `${id}-hint`, text: hint }));
}

export function empty(words, symbol) {
  return el("div", { class: "empty" }, symbol && icon(symbol), el("p", { text: words }));
}

export function announce(words) {
  document.getElementById("voice").textContent = words;
}

export function toast(words, action, { stays = false } = {}) {
  const node = el("div", { class: "toast" }, el("span", { text: words }), action), toasts = document.getElementById("toasts");
  node.append(button("Dismiss", () => node.remove(), { symbol: "close", hidden: true, kind: "bare" }));
  if (!action) [...toasts.children].filter((other) => other.firstChild.textContent === words).forEach((other) => other.remove());
  toasts.append(node);
  if (!stays) setTimeout(() => node.remove(), 9000);
  return node;
}

const CROSSED = "It was changed elsewhere meanwhile, and nothing was done. You see it as it is now: try again if you still want to.";

export function failed(problem) {
  const { message, hint, place } = problem, elsewhere = place && location.hash !== place.href;
  toast(problem.status === 412 ? CROSSED : [message, hint].filter(Boolean).join(" "), elsewhere && el("a", { class: "button small", href: place.href, text: place.name }));
}

export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const answer = (value) => () => { box.close(); box.remove(); resolve(value); };
    const box = el("dialog", { class: "dialog", oncancel: answer(false) },
      el("p", { text: question }),
      el("div", { class: "row end" }, button("Keep it", answer(false)), button(yes, answer(true), { kind: "warm" })));
    document.body.append(box);
    box.showModal();
  });
}

// One of a few, with all of them in sight.
export function choices(label, options, chosen, act) {
  return el("div", { class: "choices", role: "group", "aria-label": label }, Object.entries(options).map(([name, words]) =>
    el("button", { type: "button", class: "choice", "aria-pressed": String(name === chosen), onclick: () => act(name), text: words })));
}

export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
