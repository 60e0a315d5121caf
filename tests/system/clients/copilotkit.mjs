// CopilotKit's own suggestions beside a chat: its core makes the prompt, forces its tool and reads the answer.

import { createRequire } from "node:module";
import { CopilotKitCore } from "@copilotkit/core";
import { key, told, url } from "./given.mjs";

// The agent that comes with it: another version of the protocol's client than the one beside.
const { HttpAgent } = createRequire(import.meta.resolve("@copilotkit/core"))("@ag-ui/client");
const agent = new HttpAgent({ url: `${url}/agui`, headers: { Authorization: `Bearer ${key}` } });
const core = new CopilotKitCore({ agents__unsafe_dev_only: { default: agent } });
agent.setMessages(JSON.parse(process.env.CHAT).map((content, at) => ({ id: `m${at}`, role: at % 2 ? "assistant" : "user", content })));
const asked = [];
const { fetch } = globalThis;
globalThis.fetch = async (...call) => { asked.push(call[1]?.body); return fetch(...call); };
const over = new Promise((resolve) => core.subscribe({ onSuggestionsFinishedLoading: resolve }));
core.addSuggestionsConfig({ instructions: "Remind me tomorrow to follow up.", available: "always" });
core.reloadSuggestions("default");
await over;
const body = JSON.parse(asked.at(-1));
told({ asked: asked.length, choice: body.forwardedProps.toolChoice, last: body.messages.at(-1).content, got: core.getSuggestions("default") });
process.exit(0);
