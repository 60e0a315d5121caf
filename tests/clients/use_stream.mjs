// LangGraph's hook for React, in a page without a browser: two messages of one conversation.

import { JSDOM } from "jsdom";
import { key, told, url } from "./given.mjs";

const { window } = new JSDOM("<!doctype html><body></body>", { url });
const page = { window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: false };
for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
const { renderHook, waitFor } = await import("@testing-library/react");
const { useStream } = await import("@langchain/langgraph-sdk/react");

const { result } = renderHook(() => useStream({ apiUrl: `${url}/lg`, apiKey: key, assistantId: "summit", messagesKey: "messages" }));
const words = () => result.current.messages.map(({ type, content }) => [type, content]);
async function say(content, messages) {
  result.current.submit({ messages: [{ type: "human", content }] });
  await waitFor(() => { if (result.current.isLoading || result.current.messages.length < messages) throw new Error("not yet"); }, { timeout: 20_000 });
}
await say("buy oat milk", 2);
await say("mark it as done", 4);
told({ words: words() });
process.exit(0);
