// How many decisions a second the table core makes in WebAssembly, as exported pages run it: node playouts.mjs
// TABLE.wasm GAME SECONDS. GAME is what Game::bytes gives. Prints the rate of the fastest slice; bench_web calls it.
import { readFileSync } from "node:fs";

const [module, file, seconds] = process.argv.slice(2);
let memory;
const text = (at, size) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, size));
const page = {
  failed: (at, size) => {
    throw new Error(text(at, size));
  },
  random: () => 1n,
};
const kNoSuch = 8; // of WASI: nothing of a system is asked for
const compiled = await WebAssembly.compile(readFileSync(module));
const system = {};
for (const one of WebAssembly.Module.imports(compiled)) if (one.module !== "page") system[one.name] = () => kNoSuch;
const { exports } = await WebAssembly.instantiate(compiled, { page, wasi_snapshot_preview1: system });
memory = exports.memory;
exports._initialize();
const game = readFileSync(file);
const at = exports.give(game.length);
new Uint8Array(memory.buffer, at, game.length).set(game);
exports.open(at, game.length);

const kSlice = 20; // milliseconds
const spent_so_far = () => process.cpuUsage().user / 1000; // others may use the machine, too
let games = 1;
const slice = () => {
  const start = spent_so_far();
  const decisions = exports.play_out(1, games);
  const spent = spent_so_far() - start;
  if (spent < kSlice) games *= 2;
  return spent < kSlice ? 0 : (1000 * decisions) / spent;
};
let best = 0;
for (const end = performance.now() + 1000 * Number(seconds); performance.now() < end; ) best = Math.max(best, slice());
console.log(Math.round(best));
