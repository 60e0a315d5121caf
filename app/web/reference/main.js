// The OpenAPI document as a page that needs no network.

const make = (name, text, parent, kind) => {
  const node = document.createElement(name); node.textContent = text ?? "";
  if (kind) node.className = kind;
  parent.append(node); return node;
};
const follow = (schema, api) => schema?.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema;
const named = (schema, api) => {
  if (!schema) return "any";
  if (schema.$ref) return follow(schema, api).title;
  if (schema.anyOf) return schema.anyOf.map(one => named(one, api)).join(" | ");
  if (schema.enum) return schema.enum.map(one => JSON.stringify(one)).join(" | ");
  if (schema.type === "array") return named(schema.items, api) + "[]";
  return schema.format || schema.const || schema.type || "any";
};
const fields = (schema, api, parent) => {
  const found = follow(schema, api), rows = Object.entries(found?.properties ?? {});
  if (!rows.length) return make("div", named(schema, api), parent);
  const lines = rows.map(([name, field]) =>
    `${name}${found.required?.includes(name) ? "" : "?"}: ${named(field, api)}` +
    (field.description ? `   // ${field.description}` : ""));
  make("pre", lines.join("\n"), parent);
};
const contents = (title, content, api, parent) => {
  for (const [kind, { schema }] of Object.entries(content ?? {})) {
    make("h4", `${title}, ${kind}: ${schema.title ?? named(schema, api)}`, parent);
    fields(schema, api, parent);
  }
};
const describe = (path, verb, operation, api, parent) => {
  const box = make("details", "", parent), line = make("summary", "", box), body = make("div", "", box);
  make("span", verb.toUpperCase(), line, "verb"); make("code", path, line);
  make("span", "  " + operation.summary, line, "quiet");
  make("p", operation.description, body);
  for (const one of operation.parameters ?? [])
    make("div", `${one.name} (${one.in}): ${named(one.schema, api)}. ${one.description ?? ""}`, body);
  contents("Send", operation.requestBody?.content, api, body);
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status >= "400") make("div", `${status} ${answer.description}`, body, "quiet");
    else contents(`${status} ${answer.description}`, answer.content, api, body);
  }
};
fetch("openapi.json").then(answer => answer.json()).then(api => {
  document.getElementById("introduction").textContent = api.info.description;
  for (const tag of api.tags) {
    const part = document.querySelector("main");
    make("h2", tag.name, part); make("p", tag.description, part);
    for (const [path, verbs] of Object.entries(api.paths))
      for (const [verb, operation] of Object.entries(verbs))
        if (operation.tags?.includes(tag.name)) describe(path, verb, operation, api, part);
  }
});
