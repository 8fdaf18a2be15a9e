// Bundles each page's script and its style sheet into one file each: node build.js <folder>. Next to each script, it
// writes the hash with which the page's Content-Security-Policy allows the script.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = process.argv[2] ?? "out";
const scripts = { report: "report/main.ts", table: "table/main.tsx", export: "export/main.tsx" };
const options = {
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
};

// An exported page contains the script of its worker.
const worker = await build({ ...options, entryPoints: ["export/worker.ts"], write: false });

await build({
  ...options,
  entryPoints: Object.entries(scripts).flatMap(([page, script]) => [
    { in: script, out: page },
    { in: `${page}/${page}.css`, out: page },
  ]),
  outdir: out,
  define: { kWorkerScript: JSON.stringify(worker.outputFiles[0].text) },
});

for (const page of Object.keys(scripts)) {
  const script = readFileSync(join(out, `${page}.js`));
  const hash = createHash("sha256").update(script).digest("base64");
  writeFileSync(join(out, `${page}.js.sha256`), `sha256-${hash}\n`);
}
copyFileSync("table/table.html", join(out, "table.html"));
copyFileSync("export/export.html", join(out, "export.html"));
