// How well a habit is kept, as the ledger has it: which of the last days, and how many times in a row.

import { get } from "./api.js";
import { el } from "./dom.js";
import * as format from "./format.js";
import * as store from "./store.js";
import { on, tell } from "./live.js";

const MOST = 200, DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"], SHOWN = 7;
const kept = new Map();

// The days on which it was done, each with the change that says so.
export const doneOn = (id) => kept.get(id) ?? new Map();
export const doneToday = (id) => doneOn(id).get(format.dayKey(new Date()));

export async function readHabits() {
  const habits = store.records("todo").filter((one) => one.kind === "habit" && !kept.has(one.id));
  await Promise.all(habits.map(async ({ id }) => {
    const { items } = await get(`/v1/changes?record_id=${id}&before=9007199254740991&limit=${MOST}`);
    const done = items.filter((change) => change.op === "complete" && change.status === "applied");
    kept.set(id, new Map(done.map((change) => [format.dayKey(new Date(change.created_at)), change.id])));
  }));
}

// Steps back from today through the days, weeks or months on which it is wanted. One that is not over yet breaks nothing.
export function streak(one, today = new Date()) {
  const done = doneOn(one.id), periods = walk(one.recurrence ?? "FREQ=DAILY", today);
  let length = 0;
  for (let first = true; ; first = false) {
    const days = periods.next().value;
    if (days.some((day) => done.has(format.dayKey(day)))) length += 1;
    else if (!first || !days.length) return length;
  }
}

function* walk(rule, today) {
  const parts = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const on = parts.BYDAY?.split(",").map((day) => DAYS.indexOf(day.slice(-2)));
  for (let at = today, steps = 0; steps < 400; steps += 1) {
    if (parts.FREQ === "MONTHLY") {
      yield daysFrom(new Date(at.getFullYear(), at.getMonth(), 1), new Date(at.getFullYear(), at.getMonth() + 1, 1));
      at = new Date(at.getFullYear(), at.getMonth() - 1, 1);
    } else if (parts.FREQ === "WEEKLY" && !on) {
      const monday = format.addDays(at, -((at.getDay() + 6) % 7));
      yield daysFrom(monday, format.addDays(monday, 7));
      at = format.addDays(monday, -7);
    } else {
      if (!on || on.includes(at.getDay()) || steps === 0) yield [at];
      at = format.addDays(at, -1);
    }
  }
  for (;;) yield [];
}

function daysFrom(first, end) {
  const days = [];
  for (let day = first; day < end; day = format.addDays(day, 1)) days.push(day);
  return days;
}

const UNITS = { MONTHLY: "month", WEEKLY: "week" };

export function record(one) {
  const days = Array.from({ length: SHOWN }, (_, at) => format.addDays(new Date(), at - SHOWN + 1));
  const done = doneOn(one.id), count = days.filter((day) => done.has(format.dayKey(day))).length, row = streak(one);
  const unit = one.recurrence?.includes("BYDAY") ? "time" : UNITS[/FREQ=(\w+)/.exec(one.recurrence ?? "")?.[1]] ?? "day";
  return [
    el("span", { class: "dots", role: "img", "aria-label": `Done on ${count} of the last ${SHOWN} days` },
      days.map((day) => el("i", { class: done.has(format.dayKey(day)) ? "on" : "", title: format.day(day) }))),
    row > 1 && el("span", { class: "streak", text: `${format.plural(row, unit)} in a row` }),
  ];
}

on("change.applied", async ({ data }) => {
  if (!kept.delete(data.record_id)) return;
  await readHabits().catch(() => {});
  tell("habits");
});
on("stale", () => kept.clear());
