// The way in where keys exist: a key becomes a session, and the page forgets the key at once.

import { post, session } from "./api.js";
import { el, field, fill } from "./dom.js";

export function show(main, entered) {
  const key = el("input", { type: "password", autocomplete: "current-password", required: true, spellcheck: "false", name: "key" });
  const wrong = el("p", { class: "reason", role: "alert", hidden: true });
  const enter = async (event) => {
    event.preventDefault();
    wrong.hidden = true;
    try {
      Object.assign(session, await post("/session", { api_key: key.value.trim() }));
      key.value = "";
      entered();
    } catch (problem) {
      wrong.textContent = problem.status === 401 || problem.status === 422 ? "That key is not known here. It may have expired or been revoked." : `${problem.message} ${problem.hint}`;
      wrong.hidden = false;
      key.select();
    }
  };
  fill(main, el("div", { class: "login" }, el("h1", { text: "Welcome back" }),
    el("p", { class: "quiet", text: "This server has keys. Enter yours once; this browser then keeps a session, not the key." }),
    el("form", { onsubmit: enter }, field("Your API key", key, "It begins with sk_summit_. Whoever runs the server can make one."), wrong,
      el("div", { class: "row" }, el("button", { class: "button primary", type: "submit" }, el("span", { text: "Sign in" }))))));
  key.focus();
}

