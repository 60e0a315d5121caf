// What programs are told, in words for people: no paths of the API, and where the page does the same.

const PLACES = [
  [/\/v1\/(models|providers)/, "Settings, Models", "#settings/models"], [/\/v1\/credits/, "Settings, Credits", "#settings/credits"],
  [/\/v1\/keys/, "Settings, Keys", "#settings/keys"], [/\/v1\/webhooks/, "Settings, Webhooks", "#settings/webhooks"],
  [/\/v1\/calendars?\b/, "Settings, Calendars", "#settings/calendars"], [/\/v1\/settings/, "Settings", "#settings"],
  [/\/readyz/, "Settings, This server", "#settings/server"], [/\/v1\/(workflows|runs|projects|agents|outgoing-mail|lessons)/, "Work", "#work"],
  [/\/v1\/(memos|topics|notes)/, "Memory", "#memory"], [/\/v1\/(changes|profile|instructions|export|import)/, "History", "#history"],
  [/\/v1\/(todos|events|occurrences|notifications)/, "Day", "#day"], [/\/v1\/(turns|threads)/, "Talk", "#talk"],
];
const CALL = /(?:\b(?:GET|POST|PUT|PATCH|DELETE) )?\/(?:v1\/[\w{}./?=-]*[\w}]|readyz)(?: \{[^}]*\})?/g;

const placeOf = (path) => PLACES.find(([form]) => form.test(path));

export const forPeople = (text) => String(text ?? "").replace(CALL, (path) => placeOf(path)?.[1] ?? "the API").replace(/ ?\((see|compare with) \/docs\)/, "");

// What was wrong, and what helps: of a form its fields, else the problem's own words. `place` is where it is put right.
export function inWords({ title, detail, hint = "", errors = [] }) {
  const said = errors.length ? errors.map(({ field, message }) => wrong(field, message)).join(" ") : forPeople(detail || title || "The server did not answer.");
  const place = placeOf(hint) ?? placeOf(detail ?? "");
  return { message: said, hint: /\/docs\b/.test(hint) ? "" : forPeople(hint), place: place && { name: place[1], href: place[2] } };
}

function wrong(field, message) {
  const name = field.split(".").at(-1).replaceAll("_", " ");
  return `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}${/^(must|is|has|may)\b/.test(message) ? " " : ": "}${message.replace(/\.$/, "")}.`;
}
