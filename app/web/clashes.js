// Whether an overlap that was told when something was booked is still one.

import { get } from "./api.js";
import { moment } from "./format.js";
import * as store from "./store.js";

// Null as long as it stands; else where the appointment is now, or {} where nothing overlaps any more.
export async function over(change) {
  const own = await event(change.record_id);
  if (!own) return {};
  if (!same(own, change.after)) return { start: own.start, end: own.end };
  const standing = await Promise.all(change.conflicts.map(stands));
  return standing.some(Boolean) ? null : {};
}

// What is imported is not the user's to move, and a series is where it was as long as it is there.
async function stands(clash) {
  if (clash.calendar) return true;
  const other = await event(clash.record_id);
  return Boolean(other) && (Boolean(other.recurrence) || same(other, clash));
}

const same = (one, other) => Boolean(other) && ["start", "end"].every((name) => +moment(one[name]) === +moment(other[name]));

async function event(id) {
  try {
    return store.record("event", id) ?? await get(`/v1/events/${id}`);
  } catch (problem) {
    if (problem.status === 404) return null;
    throw problem;
  }
}
