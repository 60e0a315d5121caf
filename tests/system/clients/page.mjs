// LangGraph's hook for React in a page without a browser: `opened(options)` is the hook, whose thread
// the page remembers; `settled` waits for it.

import { JSDOM } from "jsdom";
import { key, url } from "./given.mjs";

const { window } = new JSDOM("<!doctype html><body></body>", { url });
const page = { window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: false };
for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
const { renderHook, waitFor } = await import("@testing-library/react");
const { useStream } = await import("@langchain/langgraph-sdk/react");

export function opened(options) {
  const onThreadId = (threadId) => rerender({ threadId });
  const all = { apiUrl: `${url}/lg`, apiKey: key, assistantId: "summit", onThreadId, ...options };
  const { result, rerender } = renderHook(({ threadId }) => useStream({ ...all, threadId }), { initialProps: { threadId: null } });
  return result;
}

export function settled(result, holds) {
  return waitFor(() => { if (result.current.isLoading || !holds(result.current)) throw new Error("not yet"); }, { timeout: 20_000 });
}
