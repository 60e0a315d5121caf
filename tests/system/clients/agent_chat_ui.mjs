// The calls of Agent Chat UI: its look at the server, its list of threads, messages as blocks, and its approval.

import { Client } from "@langchain/langgraph-sdk";
import { key, told, url } from "./given.mjs";
import { opened, settled } from "./page.mjs";

const info = await fetch(`${url}/lg/info`, { headers: { "X-Api-Key": key } });
const stream = opened({ fetchStateHistory: true });
const how = { streamMode: ["values"], streamSubgraphs: true, streamResumable: true };

async function say(text, holds) {
  const message = { id: crypto.randomUUID(), type: "human", content: [{ type: "text", text }] };
  const optimisticValues = (prev) => ({ ...prev, messages: [...(prev.messages ?? []), message] });
  stream.current.submit({ messages: [message], context: undefined }, { ...how, optimisticValues });
  await settled(stream, holds);
}

await say("always ask me before adding tasks", (now) => now.messages.length >= 2);
await say("add buy bread", (now) => now.interrupt);
const { value } = stream.current.interrupt;
stream.current.submit({}, { command: { resume: { decisions: [{ type: "approve" }] } } });
await settled(stream, (now) => !now.interrupt);
const client = new Client({ apiUrl: `${url}/lg`, apiKey: key });
const threads = await client.threads.search({ metadata: { graph_id: "summit" }, limit: 100 });
told({ ok: info.ok, asked: value, words: stream.current.messages.map(({ type, content }) => [type, content]), shown: threads[0].values.messages.length });
process.exit(0);
