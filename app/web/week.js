// What takes place: the next days as an agenda, and a week as a grid with its colours and conflicts.

import { get } from "./api.js";
import { button, el, empty, failed, icon, section } from "./dom.js";
import { hueOf, hueOfCalendar, openEvent } from "./events.js";
import * as format from "./format.js";
import { instant } from "./preview.js";
import * as store from "./store.js";

const HOUR = 46, FIRST = 7, LAST = 21, AHEAD = 14, SHORT = 0.75, POINT = 15 * 60000;
let offset = 0, happening = [], seen = false, sunday = null, drawn = () => {};

export function whenDrawn(act) {
  drawn = act;
}

const firstDay = () => {
  const today = new Date(), back = sunday ? today.getDay() : (today.getDay() + 6) % 7;
  return format.addDays(today, offset * 7 - back);
};

export async function readWeek() {
  sunday ??= (await get("/v1/settings")).conventions.week_start === "sunday";
  const start = firstDay(), end = format.addDays(offset ? start : new Date(), AHEAD);
  // A day more on both sides: the server counts days in the zone of the settings, the page in that of this device.
  const query = `from=${format.dayKey(format.addDays(start, -1))}&to=${format.dayKey(format.addDays(end, 1))}`;
  happening = (await get(`/v1/occurrences?${query}`)).items.map((one) => {
    const own = one.event_id && store.record("event", one.event_id);
    // What ends when it starts is drawn as long as its title is high.
    const point = one.start === one.end, end = point ? new Date(+new Date(one.start) + POINT).toISOString() : one.end;
    return { ...one, point, end, ...(one.all_day ? { start: here(one.start), end: here(one.end) } : {}), own, hue: one.calendar ? hueOfCalendar(one.calendar) : hueOf(own?.color), place: own?.location };
  });
  happening.forEach((one) => { one.clashes = clashing(one); });
  seen = true;
}

// A whole day is the same date wherever it is looked at.
const here = (value) => instant(format.moment(value.slice(0, 10)));

const timed = (one) => one.busy && !one.all_day;
const overlap = (one, other) => new Date(other.start) < new Date(one.end) && new Date(one.start) < new Date(other.end);
const clashing = (one) => timed(one) && happening.some((other) => other !== one && timed(other) && overlap(one, other));
const open = (one) => () => openEvent(store.record("event", one.event_id) ?? one.own, { time: one.start });

export function agenda() {
  const now = new Date(), add = button("Add an event", () => openEvent(null), { symbol: "plus", kind: "small" });
  if (offset) return section("Coming up", empty("Go back to this week to see what is next.", "event"));
  const coming = happening.filter((one) => new Date(one.end) > now).slice(0, 12), days = new Map();
  coming.forEach((one) => {
    const day = format.dayKey(new Date(Math.max(now, new Date(one.start))));
    days.set(day, [...(days.get(day) ?? []), one]);
  });
  return el("section", { class: "panel" }, el("div", { class: "row spread" }, el("h2", { text: "Coming up" }), add),
    days.size ? [...days].map(([day, found]) => el("div", { class: "agenda-day" }, el("h3", { class: "group-title", text: format.near(day) }), el("ul", { class: "agenda" }, found.map(slot))))
      : seen && empty("Nothing is planned. Say “dinner with Ana on Friday at 8”.", "event"));
}

function slot(one) {
  const title = one.own ? el("button", { type: "button", class: "item-title button-text", "aria-label": `Edit: ${one.title}`, onclick: open(one) }, one.title) : el("p", { class: "item-title", text: one.title });
  return el("li", { class: "slot", "data-event": one.event_id }, el("i", { style: { "--hue": one.hue } }), el("div", {}, title,
    el("p", { class: "item-meta" }, el("span", { text: hours(one) }), one.place && el("span", {}, icon("place"), one.place), one.calendar && el("span", { text: one.calendar }),
      one.clashes && el("span", { class: "late" }, icon("alert"), "overlaps"))));
}

function hours(one) {
  if (!one.all_day) return one.point ? format.time(one.start) : `${format.time(one.start)} to ${format.time(one.end)}`;
  const last = format.dayKey(format.addDays(format.moment(one.end.slice(0, 10)), -1));
  return last === one.start.slice(0, 10) ? "all day" : `until ${format.near(last)}`;
}

export function week() {
  const start = firstDay(), days = Array.from({ length: 7 }, (_, at) => format.addDays(start, at)), today = format.dayKey(new Date());
  const move = (by) => async () => { offset = by ? offset + by : 0; await readWeek().catch(failed); drawn(); };
  const head = days.map((date) => el("div", { class: `week-day ${format.dayKey(date) === today ? "today" : ""}` }, el("span", { text: weekday(date) }), el("b", { text: date.getDate() })));
  const found = happening.filter((one) => !one.all_day && days.some((date) => onDay(one, date)));
  const first = Math.min(FIRST, ...found.map((one) => (sameDay(one) ? new Date(one.start).getHours() : 0))), last = Math.max(LAST, ...found.map((one) => (sameDay(one) ? Math.ceil(hourOf(one.end)) : 24)));
  const lines = Array.from({ length: last - first - 1 }, (_, at) => el("span", { style: { top: `${(at + 1) * HOUR}px` }, text: format.time(new Date(2000, 0, 1, first + at + 1)) }));
  const grid = el("div", { class: "week", role: "group", tabindex: "0", "aria-label": "Week", style: { "--tall": `${(last - first) * HOUR}px`, "--hour": `${HOUR}px` } },
    el("div", { class: "week-corner" }), head, el("div", { class: "whole week-edge" }), days.map(whole), el("div", { class: "hours" }, lines), days.map((date) => lane(date, first, last)));
  requestAnimationFrame(() => { grid.scrollLeft = (grid.querySelector(".today")?.offsetLeft ?? 0) - grid.querySelector(".week-corner").offsetWidth; });
  return el("section", { class: "panel" }, el("div", { class: "row spread" }, el("h2", { text: span(days) }),
    el("div", { class: "row" }, button("Week before", move(-1), { symbol: "left", hidden: true, kind: "small" }), button("This week", move(0), { kind: "small", disabled: !offset }), button("Week after", move(1), { symbol: "right", hidden: true, kind: "small" }))), grid);
}

const weekday = (date) => format.day(date).slice(0, 3);
const span = (days) => `${format.day(days[0]).slice(4)} to ${format.day(days[6]).slice(4)}`;
const hourOf = (value) => { const at = new Date(value); return at.getHours() + at.getMinutes() / 60; };
const sameDay = (one) => format.dayKey(new Date(one.start)) === format.dayKey(new Date(new Date(one.end) - 1));
const onDay = (one, date) => new Date(one.start) < format.addDays(date, 1) && new Date(one.end) > format.moment(format.dayKey(date));

function whole(date) {
  return el("div", { class: "whole" }, happening.filter((one) => one.all_day && onDay(one, date)).map((one) =>
    el(one.own ? "button" : "span", { type: one.own ? "button" : null, title: one.title, text: one.title, style: { "--hue": one.hue }, onclick: one.own ? open(one) : null })));
}

function lane(date, first, last) {
  const found = happening.filter((one) => !one.all_day && onDay(one, date)), from = format.moment(format.dayKey(date));
  const today = format.dayKey(date) === format.dayKey(new Date()), now = hourOf(new Date());
  const begin = ({ target, currentTarget, offsetY }) => {
    if (target !== currentTarget) return;
    openEvent(null, { at: new Date(+from + Math.floor((offsetY / HOUR + first) * 2) * 1800000) });
  };
  return el("div", { class: `lane ${today ? "today" : ""}`, onclick: begin }, placed(found).map((one) => block(one, from, first)),
    today && now > first && now < last && el("i", { class: "now", style: { "--top": `${(now - first) * HOUR}px` } }));
}

function block({ one, left, width }, from, first) {
  const begin = Math.max(0, (new Date(one.start) - from) / 3600000), end = Math.min(24, (new Date(one.end) - from) / 3600000);
  const style = { "--top": `${(begin - first) * HOUR}px`, "--length": `${(end - begin) * HOUR - 2}px`, "--left": left, "--width": width, "--hue": one.hue };
  const words = `${one.title}, ${format.near(one.start)}${one.point ? "" : ` to ${format.time(one.end)}`}${one.clashes ? ", overlaps" : ""}`;
  const shown = [el("b", { text: one.title }), end - begin > SHORT && el("span", { text: format.time(one.start) })];
  const props = { class: `block ${one.clashes ? "clashing" : ""}`, style, title: words };
  return one.own ? el("button", { ...props, type: "button", "aria-label": words, onclick: open(one) }, shown) : el("div", props, shown);
}

// Side by side where they overlap; each group of those that do has its own number of lanes.
function placed(found) {
  const out = [];
  let group = [], lanes = [], end = 0;
  const close = () => { group.forEach(({ one, at }) => out.push({ one, left: at / lanes.length, width: 1 / lanes.length })); group = []; lanes = []; };
  found.forEach((one) => {
    if (new Date(one.start) >= end) close();
    let at = lanes.findIndex((until) => until <= new Date(one.start));
    if (at < 0) at = lanes.push(0) - 1;
    lanes[at] = new Date(one.end);
    end = Math.max(end, lanes[at]);
    group.push({ one, at });
  });
  close();
  return out;
}
