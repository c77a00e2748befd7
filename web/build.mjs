// Builds the viewer into the package: one script and one style sheet, the same bytes from the same sources; the script of
// the page of the API; and the page for chats, which is one file that asks for nothing else, with a policy that lets its own
// script and style in by their hashes.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const out = process.argv[2] ?? "../packages/octavo_server/src/octavo_server/pages/static";
const options = {
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome123", "firefox128", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  outdir: out,
  entryNames: "[name]",
  logLevel: "warning",
};
await build({ ...options, entryPoints: { app: "src/main.tsx", "app-style": "src/style/app.css", "api-page": "src/api-page/main.ts" } });

const inner = await build({ ...options, write: false, entryPoints: { chat: "src/mcp-app/main.tsx", "chat-style": "src/mcp-app/app.css" } });
const [script, style] = [".js", ".css"].map((ending) => inner.outputFiles.find((one) => one.path.endsWith(ending)).text.trim());
if (/<\/(script|style)/i.test(script + style)) throw new Error("what stands in the page for chats would end its own element");
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
const parts = { script, style, "script hash": hash(script), "style hash": hash(style) };
const page = (await readFile("src/mcp-app/page.html", "utf8")).replace(/\{\{([a-z ]+)\}\}/g, (_, name) => parts[name]);
await writeFile(`${out}/chat.html`, page);

let total = 0;
for (const name of ["app.js", "app-style.css"]) {
  const bytes = await readFile(`${out}/${name}`);
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${name}: ${bytes.length} bytes, ${packed} gzipped`);
}
console.log(`together ${total} gzipped`);
console.log(`chat.html: ${Buffer.byteLength(page)} bytes`);
