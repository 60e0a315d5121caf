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
const asked = value;

// Its buttons Edit and Refresh, which begin where a message was first seen.
const placeOf = (message) => stream.current.getMessagesMetadata(message)?.firstSeenState?.parent_checkpoint;
const spoken = () => stream.current.messages.map(({ type, content }) => [type, content]);
const talk = spoken();
await say("note: the hall is cold", (now) => now.messages.length >= talk.length + 2);
const human = stream.current.messages.at(-2);
stream.current.submit({ messages: [{ type: "human", content: "note: the hall is warm" }] }, { ...how, checkpoint: placeOf(human) });
await settled(stream, (now) => now.messages.at(-2)?.content === "note: the hall is warm");
const edited = spoken();
const ai = stream.current.messages.at(-1);
stream.current.submit(undefined, { ...how, checkpoint: placeOf(ai) });
await settled(stream, (now) => now.messages.at(-1)?.id !== ai.id && now.messages.at(-1)?.type === "ai");
const refreshed = spoken();

const client = new Client({ apiUrl: `${url}/lg`, apiKey: key });
const threads = await client.threads.search({ metadata: { graph_id: "summit" }, limit: 100 });
told({ ok: info.ok, asked, words: talk, edited, refreshed, shown: threads[0].values.messages.length });
process.exit(0);
