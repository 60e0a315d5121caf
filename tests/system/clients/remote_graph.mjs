// LangGraph's RemoteGraph: alone with its state, as a node of another graph, a question and its yes.

import { HumanMessage } from "@langchain/core/messages";
import { Command, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { RemoteGraph } from "@langchain/langgraph/remote";
import { key, told, url } from "./given.mjs";

const remote = new RemoteGraph({ graphId: "summit", url: `${url}/lg`, apiKey: key });
const within = (more) => ({ configurable: { thread_id: crypto.randomUUID(), ...more } });
const words = ({ messages }) => messages.map((one) => [one.type ?? one.getType(), one.content]);

const alone = within({ tone: "brief" });
const values = await remote.invoke({ messages: [{ role: "user", content: "buy oat milk" }] }, { ...alone, tags: ["home"], metadata: { shift: "day" } });
const state = await remote.getState(alone);
const again = await remote.getState(state.config);

const graph = new StateGraph(MessagesAnnotation).addNode("assistant", remote).addEdge(START, "assistant").addEdge("assistant", END).compile();
const around = await graph.invoke({ messages: [new HumanMessage({ id: "mine", content: "mark oat milk as done" })] }, within());

await remote.invoke({ messages: [new HumanMessage("always ask me before adding tasks")] }, within());
const careful = within();
let interrupted;
try { await remote.invoke({ messages: [new HumanMessage("add buy bread")] }, careful); } catch (error) { interrupted = error.interrupts; }
await remote.invoke(new Command({ resume: true }), careful);
told({ alone: words(values), state: words(state.values), again: words(again.values), around: around.messages.map((one) => [one.getType(), one.content]), first: around.messages[0].id, asked: interrupted.map(({ value }) => value.question) });
