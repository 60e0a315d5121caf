// OpenAI's library: the models, a reply, a streamed reply, words out of sound.

import fs from "node:fs";
import OpenAI from "openai";
import { key, told, url } from "./given.mjs";

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
const models = [];
for await (const model of client.models.list()) models.push(model.id);
const messages = [{ role: "user", content: "buy oat milk" }];
const whole = await client.chat.completions.create({ model: "summit", messages });
const stream = await client.chat.completions.create({ model: "summit", messages: [...messages, { role: "assistant", content: whole.choices[0].message.content }, { role: "user", content: "mark it as done" }], stream: true });
let streamed = "";
for await (const chunk of stream) streamed += chunk.choices[0]?.delta?.content ?? "";
const { text: heard } = await client.audio.transcriptions.create({ model: "whisper-1", file: fs.createReadStream(process.env.CLIP) });
told({ models, whole: whole.choices[0].message.content, streamed, heard });
