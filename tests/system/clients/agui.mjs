// A conversation over the Agent User Interaction protocol: a task, then one that waits for a yes.

import { HttpAgent } from "@ag-ui/client";
import { key, told, url } from "./given.mjs";

const agent = new HttpAgent({ url: `${url}/agui`, headers: { Authorization: `Bearer ${key}` } });
const seen = [];
const watching = { onEvent: ({ event }) => { seen.push(event.type); } };

async function say(content) {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  const { newMessages } = await agent.runAgent({}, watching);
  return newMessages;
}

const first = await say("buy oat milk today");
const due = agent.state.due.map((task) => task.task);
await say("always ask me before adding tasks");
await say("add buy bread");
const asked = agent.pendingInterrupts.map(({ id, message, toolCallId }) => ({ id, message, toolCallId }));
const resume = asked.map(({ id }) => ({ interruptId: id, status: "resolved", payload: { approved: true } }));
const { newMessages: after } = await agent.runAgent({ resume }, watching);
told({ first, due, asked, after, pending: agent.pendingInterrupts, seen });
