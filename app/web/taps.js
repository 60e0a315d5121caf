// The second half of a double click never presses what the first half brought under the finger.

const QUICK_MS = 400, NEAR = 16;
let last = { what: null, at: -Infinity, x: 0, y: 0 };

const control = (target) => target.closest("button, a, label, summary") ?? target;
const nameOf = (node) => node.getAttribute("aria-label") ?? node.textContent;

// A mouse counts its clicks. A finger may not: there the time and the place tell.
function again(event) {
  if (event.pointerType !== "touch") return event.detail > 1;
  return event.timeStamp - last.at < QUICK_MS && Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR;
}

addEventListener("click", (event) => {
  const pressed = control(event.target), what = pressed.tagName + nameOf(pressed);
  if (again(event) && what !== last.what) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  last = { what, at: event.timeStamp, x: event.clientX, y: event.clientY };
}, true);
