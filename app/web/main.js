// The page begins here: who is using it, which view is shown, and the connection to the server.

import { get, remove, session } from "./api.js";
import { button, el, fill, icon, toast } from "./dom.js";
import { near } from "./format.js";
import * as kept from "./kept.js";
import { connect, disconnect, reconnect, on, online } from "./live.js";
import * as login from "./login.js";
import * as outbox from "./outbox.js";
import * as store from "./store.js";
import * as talk from "./talk.js";
import "./taps.js";
import "./theme.js";
import { settle } from "./zone.js";

// A view is read when it is first opened: the first page is light.
const VIEWS = {
  talk: ["Talk", () => talk], day: ["Day", () => import("./day.js")], memory: ["Memory", () => import("./memory.js")], history: ["History", () => import("./history.js")],
  work: ["Work", () => import("./work.js")], settings: ["Settings", () => import("./settings.js")],
};
const main = document.getElementById("main"), tabs = document.getElementById("tabs"), link = document.getElementById("link");
let entered = false;

fill(tabs, Object.entries(VIEWS).map(([name, [label]]) => el("a", { href: `#${name}`, class: "tab" }, icon(name), el("span", { text: label }))));

// A view may be asked for one of its parts: #settings/models.
const named = () => { const [name] = location.hash.slice(1).split("/"); return VIEWS[name] ? name : "talk"; };

async function route() {
  if (!entered) return;
  const name = named(), [label, read] = VIEWS[name];
  tabs.querySelectorAll("a").forEach((tab) => {
    const current = tab.hash === `#${name}`;
    tab.toggleAttribute("aria-current", false);
    if (current) tab.setAttribute("aria-current", "page");
  });
  document.title = name === "talk" ? "Summit" : `${label} · Summit`;
  document.body.dataset.view = name;
  try {
    const view = await read();
    if (!entered || name !== named()) return;
    main.scrollTop = 0;
    view.show(main, location.hash.split("/")[1]);
  } catch {
    fill(main, el("div", { class: "empty" }, el("p", { text: "This view could not be read from the server." }), button("Try again", () => location.reload())));
  }
}

async function start() {
  try {
    Object.assign(session, await get("/session"));
    enter();
  } catch (problem) {
    if (problem.status === 401) signIn();
    else if (problem.status === 0 && remembered()) enter();
    else unreachable(problem);
  }
}

// Without a connection the page opens for the user who was here last: what they say waits in their queue.
function remembered() {
  const user = localStorage.getItem("user");
  if (user) Object.assign(session, { user_id: user, unsure: true });
  return Boolean(user);
}

function enter() {
  entered = true;
  document.body.classList.remove("signed-out");
  if (localStorage.getItem("user") !== session.user_id) ["draft", "talked", "clock"].forEach((name) => localStorage.removeItem(name));
  localStorage.setItem("user", session.user_id);
  kept.tidy(session.user_id);
  connect();
  route();
  outbox.flush();
  settle().catch(() => {});  // it is tried again when the page is opened next
}

function signIn() {
  entered = false;
  disconnect();
  kept.forget();  // whose session has ended may see nothing of it any more
  document.body.classList.add("signed-out");
  // Whoever comes in finds nothing of whoever was here before: the page begins anew.
  login.show(main, () => { location.hash = "#talk"; location.reload(); });
}

function unreachable(problem) {
  fill(main, el("div", { class: "login" }, el("h1", { text: "Summit does not answer" }), el("p", { text: `${problem.message} ${problem.hint}` }), button("Try again", () => location.reload(), { kind: "primary" })));
}

export async function signOut() {
  await remove("/session").catch(() => {});
  await Promise.all([outbox.clear(), kept.forget()]);
  ["user", "draft", "talked", "read-aloud", "clock"].forEach((name) => localStorage.removeItem(name));
  navigator.serviceWorker?.controller?.postMessage("forget");
  store.forget();
  location.hash = "#talk";
  location.reload();
}

async function linked() {
  const left = online ? 0 : (await outbox.waiting().catch(() => [])).length;
  const said = ["No connection", left && `${left} to send`, session.seen && `as it was ${near(session.seen)}`];
  link.textContent = online || !entered ? "" : said.filter(Boolean).join(" · ");
  link.classList.toggle("down", !online && entered);
}

// What could not be read without a connection is read now, unless somebody is just typing there.
on("link", async (up) => {
  if (!up || !entered || !session.missed || !(await sure())) return;
  session.missed = false;
  if (session.seen) await again().catch(() => {});
  if (named() === "talk" || !main.contains(document.activeElement?.closest("input, textarea, select"))) route();
});

// What was shown as it was once is read anew.
async function again() {
  session.seen = null;
  talk.renew();
  await store.refresh();
}

// The server says who this is, where the page only remembered it.
async function sure() {
  if (!session.unsure) return true;
  const before = session.user_id;
  try {
    Object.assign(session, await get("/session"), { unsure: false });
  } catch (problem) {
    if (problem.status === 401) signIn();
    return false;
  }
  if (session.user_id !== before) location.reload();
  outbox.flush();
  return true;
}
["link", "outbox", "dropped"].forEach((name) => on(name, linked));
addEventListener("seen", linked);
on("reminder.fired", async ({ data }) => {
  if (data.again && document.querySelector(`[data-notice="${data.id}"]`)) return;
  (await VIEWS.day[1]()).remind(data, toast);
});
on("run.resumed", async ({ data }) => (await VIEWS.day[1]()).answered(data.approval_id));
addEventListener("hashchange", route);
addEventListener("signed-out", () => entered && !session.joining && signIn());
addEventListener("signed-in", reconnect);
addEventListener("sign-out", signOut);
start();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/page/worker.js", { scope: "/" }).catch(() => {});
