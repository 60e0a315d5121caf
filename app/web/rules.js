// How something repeats, as people say it: all that a rule holds, so that a yes to it writes nothing unseen.

import * as format from "./format.js";

const DAYS = { MO: "Mon", TU: "Tue", WE: "Wed", TH: "Thu", FR: "Fri", SA: "Sat", SU: "Sun" };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const EVERY = { MINUTELY: "minute", HOURLY: "hour", DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };
const PLACES = { 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", "-1": "last", "-2": "second to last" };
const WORKDAYS = "MO,TU,WE,TH,FR", WEEK = 7, FEW_MONTHS = 6;

export function howOften(value) {
  const parts = Object.fromEntries(String(value).split(";").map((part) => part.split("=")));
  const unit = EVERY[parts.FREQ] ?? parts.FREQ?.toLowerCase() ?? "", every = Number(parts.INTERVAL ?? 1);
  const plain = parts.BYDAY === WORKDAYS && every === 1 && !parts.BYMONTHDAY && !parts.BYSETPOS && unit !== "month";
  const often = plain ? "every weekday" : `every ${every > 1 ? `${every} ${unit}s` : unit}${which(parts)}`;
  return `${often}${season(parts, unit)}${ends(parts)}`;
}

function which(parts) {
  const codes = parts.BYDAY?.split(",") ?? [], numbers = listed(parts.BYMONTHDAY);
  const weekdays = parts.BYDAY === WORKDAYS ? "weekday" : codes.map(weekday).join(", ");
  const place = Number(parts.BYSETPOS ?? 0), row = numbers.every((one, at) => one === numbers[0] + at) && numbers[0] > 0;
  const rest = `${parts.BYYEARDAY ? ` on day ${parts.BYYEARDAY}` : ""}${parts.BYWEEKNO ? ` in week ${parts.BYWEEKNO}` : ""}`;
  if (!codes.length && !numbers.length) return rest;
  if (!codes.length) return ` on the ${numbers.map(numbered).join(", ")}${rest}`;
  if (!numbers.length) return ` on ${place ? `the ${rank(place)} ${weekdays}` : codes.map(weekday).join(", ")}${rest}`;
  if (!row || (place === 0 && numbers.length !== WEEK)) return ` on ${weekdays} of the ${numbers.map(numbered).join(", ")}${rest}`;
  const picked = ` on the ${rank(place || 1)} ${weekdays}`;
  if (place < 0) return `${picked} before the ${nth(numbers.at(-1) + 1)}${rest}`;
  return `${picked}${numbers[0] > 1 ? ` after the ${nth(numbers[0] - 1)}` : ""}${rest}`;
}

function season(parts, unit) {
  const kept = listed(parts.BYMONTH), named = (months) => months.map((one) => MONTHS[one - 1]).join(", ");
  if (!kept.length || kept.length === MONTHS.length) return "";
  if (kept.length <= FEW_MONTHS) return ` ${unit === "year" && which(parts) ? "of" : "in"} ${named(kept)}`;
  return ` except in ${named(MONTHS.map((_, at) => at + 1).filter((one) => !kept.includes(one)))}`;
}

function ends(parts) {
  if (parts.COUNT) return `, ${format.plural(Number(parts.COUNT), "time")}`;
  return parts.UNTIL ? ` until ${format.day(format.moment(parts.UNTIL.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3")))}` : "";
}

function weekday(code) {
  const [, place, name] = /^([+-]?\d+)?(\w\w)$/.exec(code) ?? [null, null, code];
  return place ? `the ${rank(Number(place))} ${DAYS[name] ?? name}` : DAYS[name] ?? name;
}

const listed = (numbers) => (numbers ? numbers.split(",").map(Number).sort((a, b) => a - b) : []);
const rank = (place) => PLACES[place] ?? numbered(place);
const numbered = (number) => (number === -1 ? "last day" : number < 0 ? `${nth(-number)} to last day` : nth(number));
const nth = (number) => `${number}${number > 10 && number < 14 ? "th" : ["th", "st", "nd", "rd"][number % 10] ?? "th"}`;
