// Writes src/api-types.ts: the types of the API's JSON, from the description that the package prints (OpenAPI 3.1).
// With --check it writes nothing, and fails where the file is not what the description gives.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "src/api-types.ts";
const python = process.env.PYTHON ?? (existsSync("../.venv/bin/python") ? "../.venv/bin/python" : "python3");
const { schemas } = JSON.parse(execFileSync(python, ["-m", "octavo_server.api"], { encoding: "utf8" })).components;

const plain = (name) => name.replace(/Shape$/, "");
const comment = (text) => (text ? `/** ${text.replace(/\s*\n\s*/g, " ").replaceAll("*/", "*\\/")} */\n` : "");

function typeOf(schema) {
  if (schema.$ref) return plain(schema.$ref.split("/").at(-1));
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  if (schema.enum ?? schema.const !== undefined) return (schema.enum ?? [schema.const]).map((one) => JSON.stringify(one)).join(" | ");
  switch (schema.type) {
    case "array": return listOf(schema);
    case "object": return schema.additionalProperties?.type || schema.additionalProperties?.$ref ? `Record<string, ${typeOf(schema.additionalProperties)}>` : "Record<string, unknown>";
    case "integer": case "number": return "number";
    case "string": case "boolean": case "null": return schema.type;
    default: return "unknown";
  }
}

/** A list; one of fixed length is a tuple. */
function listOf({ items, prefixItems, minItems, maxItems }) {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(", ")}]`;
  const item = typeOf(items);
  if (minItems && minItems === maxItems) return `[${Array(minItems).fill(item).join(", ")}]`;
  return item.includes("|") ? `(${item})[]` : `${item}[]`;
}

const made = Object.entries(schemas).map(([name, { description, properties, required = [] }]) => {
  const fields = Object.entries(properties).map(([field, schema]) => `  ${field}${required.includes(field) ? "" : "?"}: ${typeOf(schema)};\n`);
  return `${comment(description)}export interface ${plain(name)} {\n${fields.join("")}}\n`;
});
const text = `// Made by types.mjs from the description of the API: change octavo_server/responses.py and run 'npm run build'.\n\n${made.join("\n")}`;

const kept = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";
if (kept !== text && process.argv.includes("--check")) {
  console.error(`${FILE} is not what the description of the API gives: run 'npm run build'`);
  process.exit(1);
}
if (kept !== text) writeFileSync(FILE, text);
