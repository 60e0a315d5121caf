// LangGraph's hook for React: two messages of one conversation.

import { told } from "./given.mjs";
import { opened, settled } from "./page.mjs";

const stream = opened({ messagesKey: "messages" });
async function say(content, messages) {
  stream.current.submit({ messages: [{ type: "human", content }] });
  await settled(stream, (now) => now.messages.length >= messages);
}
await say("buy oat milk", 2);
await say("mark it as done", 4);
told({ words: stream.current.messages.map(({ type, content }) => [type, content]) });
process.exit(0);
