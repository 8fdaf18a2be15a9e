// Runs the tests of web pages: node test.js [work folder] [folder of bundled pages] [folder of tests]. Tests are
// bundled like pages and run by Node's test runner. Tests that need Chromium are skipped with a message if it is
// missing. Tests in `browser` need the path of the program in the environment variable CARDWRIGHT.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = process.argv[2] ?? "out/tests";
const pages = process.argv[3] ?? "out";
const from = process.argv[4] ?? "table/tests";
const tests = readdirSync(from).filter((file) => file.endsWith(".test.ts"));

await build({
  entryPoints: tests.map((file) => `${from}/${file}`),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  external: ["playwright-core"],
  logLevel: "warning",
});
const files = tests.map((file) => join(out, file.replace(/\.ts$/, ".mjs")));
const ran = spawnSync(process.execPath, ["--test", ...files], {
  stdio: "inherit",
  env: { ...process.env, PAGES: pages },
});
process.exit(ran.status ?? 1);
