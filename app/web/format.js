// Times, rules and fields as people read them, in the zone of this device.

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const lang = "en-GB";
const weekday = new Intl.DateTimeFormat(lang, { weekday: "short", day: "numeric", month: "short" });
const withYear = new Intl.DateTimeFormat(lang, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
const long = new Intl.DateTimeFormat(lang, { weekday: "long", day: "numeric", month: "long" });
// Twelve hours or twenty-four: as was chosen, else as the device tells the time.
const device = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hour12 ? "12h" : "24h";
let clock = clockOf(clockForm());

export function clockForm() {
  return localStorage.getItem("clock") ?? device;
}

// Kept with this browser, so that the page need not wait for the settings to tell the first time.
export function tellTimes(form) {
  if (form === device) localStorage.removeItem("clock");
  else localStorage.setItem("clock", form);
  clock = clockOf(form);
}

function clockOf(form) {
  const twelve = form === "12h";
  return new Intl.DateTimeFormat(lang, { hour: twelve ? "numeric" : "2-digit", minute: "2-digit", hour12: twelve });
}

export const isDay = (value) => typeof value === "string" && value.length === 10;

export function moment(value) {
  if (!isDay(value)) return new Date(value);
  const [year, month, day] = value.split("-").map(Number);
  return new Date(year, month - 1, day);
}

export function dayKey(date) {
  return [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-");
}

export function addDays(date, count) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + count);
}

export function day(date) {
  return (date.getFullYear() === new Date().getFullYear() ? weekday : withYear).format(date).replace(",", "");
}

export const longDay = (date) => long.format(date);
export const time = (value) => clock.format(moment(value));

export function when(value) {
  if (!value) return "";
  const at = moment(value);
  if (Number.isNaN(at.getTime())) return String(value);
  return isDay(value) ? day(at) : `${day(at)}, ${clock.format(at)}`;
}

export function near(value) {
  const at = moment(value), today = moment(dayKey(new Date()));
  const days = Math.round((moment(dayKey(at)) - today) / 86400000);
  const named = { "-1": "Yesterday", 0: "Today", 1: "Tomorrow" }[days] ?? day(at);
  return isDay(value) ? named : `${named}, ${clock.format(at)}`;
}

export function span(start, end) {
  if (!end) return when(start);
  if (isDay(start)) return start === end ? when(start) : `${when(start)} to ${when(end)}`;
  return dayKey(moment(start)) === dayKey(moment(end)) ? `${when(start)} to ${time(end)}` : `${when(start)} to ${when(end)}`;
}

export function minutes(count) {
  if (count < 60) return `${count} min`;
  const rest = count % 60;
  return `${Math.floor(count / 60)} h${rest ? ` ${rest} min` : ""}`;
}

export function elapsed(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
