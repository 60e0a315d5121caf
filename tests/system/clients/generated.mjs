// A client that orval generates from the API's description: it is generated, type-checked and used.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { key, told, url } from "./given.mjs";

const folder = process.env.FOLDER, input = path.join(folder, "openapi.json"), target = path.join(folder, "api.ts");
fs.writeFileSync(input, await (await fetch(`${url}/openapi.json`)).text());
const config = path.join(folder, "orval.config.cjs");
fs.writeFileSync(config, `module.exports = ${JSON.stringify({ summit: { input, output: { target, client: "fetch", baseUrl: url } } })}`);
const run = (program, ...args) => execFileSync(process.execPath, [path.resolve("node_modules", program), ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
run("orval/dist/bin/orval.js", "--config", config);
run("typescript/bin/tsc", target, "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom", "--skipLibCheck", "--outDir", folder);
fs.renameSync(path.join(folder, "api.js"), path.join(folder, "api.mjs"));
const api = await import(path.join(folder, "api.mjs"));
// A turn may also be a form, so the caller says which it is.
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
const { status, data } = await api.postTurn({ text: "buy oat milk" }, { headers });
told({ status, reply: data.reply, operations: Object.keys(api).length });
