// Bundles each page's script and style into one file each: node build.js <folder>. Beside a script stands the hash by which the page's
// Content-Security-Policy lets it run.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = process.argv[2] ?? "out";
const pages = ["report"];

await build({
  entryPoints: pages.flatMap((page) => [
    { in: `${page}/main.ts`, out: page },
    { in: `${page}/${page}.css`, out: page },
  ]),
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
});

for (const page of pages) {
  const script = readFileSync(join(out, `${page}.js`));
  const hash = createHash("sha256").update(script).digest("base64");
  writeFileSync(join(out, `${page}.js.sha256`), `sha256-${hash}\n`);
}
