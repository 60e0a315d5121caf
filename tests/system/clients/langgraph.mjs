// LangGraph's client: a thread, a run that is waited for, one that is streamed, an interrupt and its answer.

import { Client } from "@langchain/langgraph-sdk";
import { key, told, url } from "./given.mjs";

const client = new Client({ apiUrl: `${url}/lg`, apiKey: key });
const said = (content) => ({ input: { messages: [{ role: "user", content }] } });
const { thread_id: thread } = await client.threads.create();
const waited = await client.runs.wait(thread, "summit", said("buy oat milk"));
let streamed;
for await (const { event, data } of client.runs.stream(thread, "summit", { ...said("mark it as done"), streamMode: "values" })) {
  if (event === "values") streamed = data.messages.at(-1).content;
}
await client.runs.wait(thread, "summit", said("always ask me before adding tasks"));
const { __interrupt__: asked } = await client.runs.wait(thread, "summit", said("add buy bread"));
const resumed = await client.runs.wait(thread, "summit", { command: { resume: true } });
told({ waited: waited.messages.at(-1).content, streamed, asked: asked.map((one) => one.value.question), resumed: resumed.messages.at(-1).content });
