// Runs the tests of pages: node test.js [folder to work in] [folder of the bundled pages] [folder of the tests]. Tests
// are bundled as pages are, and run by Node's own test runner; those that need a browser are skipped where there is no
// Chromium, and say so. Those in `browser` need CARDWRIGHT, the program, in the environment.
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
