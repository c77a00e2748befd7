// Builds the viewer into the package: one script and one style sheet, the same bytes from the same sources.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const out = process.argv[2] ?? "../packages/octavo_server/src/octavo_server/pages/static";
await build({
  entryPoints: { app: "src/main.tsx", "app-style": "src/style/app.css" },
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
});
let total = 0;
for (const name of ["app.js", "app-style.css"]) {
  const bytes = await readFile(`${out}/${name}`);
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${name}: ${bytes.length} bytes, ${packed} gzipped`);
}
console.log(`together ${total} gzipped`);
