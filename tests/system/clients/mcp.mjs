// The official client of the Model Context Protocol, over HTTP.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { key, told, url } from "./given.mjs";

const client = new Client({ name: "tests", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
const { tools } = await client.listTools();
const call = (name, given) => client.callTool({ name, arguments: given });
const added = await call("add_task", { task: "buy oat milk" });
const listed = await call("list_tasks", {});
const { contents } = await client.readResource({ uri: "summit://today" });
told({ tools: tools.map((tool) => tool.name), added: added.structuredContent, listed: listed.structuredContent, day: JSON.parse(contents[0].text).day });
await client.close();
