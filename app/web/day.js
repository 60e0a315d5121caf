// Today and the week: what takes place, what is due, and what Summit told you of.

import { get, post } from "./api.js";
import { button, el, failed, fill, icon, section, uuid } from "./dom.js";
import * as format from "./format.js";
import { readHabits } from "./habits.js";
import { on } from "./live.js";
import * as store from "./store.js";
import { busy, into, quickAdd, todos } from "./todos.js";
import { agenda, readWeek, week, whenDrawn } from "./week.js";

const MINUTE = 60_000;
let main = null, parts = null, notices = [], scheduled = false, timer = null;

export function show(where) {
  main = where;
  parts = { title: el("h1", { text: format.longDay(new Date()) }), notices: el("div", { class: "stack tight" }), lists: el("div", { class: "stack tight" }), agenda: el("div"), week: el("div") };
  into(parts.lists);
  whenDrawn(calendar);
  fill(main, el("div", { class: "page" }, parts.title, el("div", { id: "day-body", class: "stack" },
    parts.notices, el("div", { class: "columns" }, section("To do", quickAdd(), parts.lists), parts.agenda), parts.week)));
  draw();
  const known = store.load("todo").then(readHabits);
  Promise.all([known, store.load("event").then(readWeek), readNotices()]).then(draw, failed);
  clearInterval(timer);
  timer = setInterval(tick, MINUTE);
}

const body = () => main?.querySelector("#day-body");

async function readNotices() {
  notices = (await get("/v1/notifications?unacknowledged=true&limit=20")).items;
}

function draw() {
  if (!body()) return;
  told();
  if (!busy()) todos();
  calendar();
}

function calendar() {
  fill(parts.agenda, agenda());
  fill(parts.week, week());
}

// What is late, what has begun and where the line of now stands: all by the clock.
function tick() {
  if (!body() || document.hidden || parts.week.contains(document.activeElement) || parts.agenda.contains(document.activeElement)) return;
  parts.title.textContent = format.longDay(new Date());
  draw();
}

function told() {
  fill(parts.notices, notices.map(notice));
  parts.notices.hidden = !notices.length;
}

function notice(one) {
  const settle = (how, bodyOf) => async () => {
    try {
      await post(`/v1/notifications/${one.id}/${how}`, bodyOf, { headers: { "Idempotency-Key": uuid() } });
      answered(one.id);
    } catch (problem) { failed(problem); }
  };
  return el("div", { class: "notice", "data-notice": one.id }, icon("bell"), el("p", { text: one.text }),
    el("div", { class: "row" }, one.kind === "question" && el("a", { class: "button small", href: "#work", text: "Answer" }),
      one.record_kind === "todo" && button("Done", settle("done", {}), { kind: "small primary" }),
      ["todo", "note"].includes(one.record_kind) && button("In 15 min", settle("snooze", { minutes: 15 }), { kind: "small" }),
      button("Seen", settle("ack", {}), { kind: "small" })));
}

export function remind(data, tell) {
  if (!notices.some((one) => one.id === data.id)) notices = [data, ...notices];
  if (body()) told();
  else tell(data.text, el("a", { class: "button small", href: data.kind === "question" ? "#work" : "#day", text: "Open" }));
}

export function answered(id) {
  notices = notices.filter((one) => one.id !== id);
  if (body()) told();
}

function later() {
  if (scheduled || !body()) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; if (!busy() && body()) todos(); });
}

on("habits", later);
on("records", async (kind) => {
  if (!body()) return;
  if (kind === "todo") return later();
  if (kind !== "event") return;
  const back = document.activeElement?.closest?.("[data-event]")?.dataset.event;
  await readWeek().catch(() => {});
  if (!body()) return;
  calendar();
  if (back) parts.agenda.querySelector(`[data-event="${CSS.escape(back)}"] button`)?.focus();
});
