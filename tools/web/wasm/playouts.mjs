// Measures the decisions per second of the table core in WebAssembly, as in exported pages. Called by bench_web as
// `node playouts.mjs TABLE.wasm GAME SECONDS`; GAME contains the result of Game::bytes. Prints the rate of the fastest
// slice.
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
const kBadDescriptor = 8; // WASI error code for all imports: no system call is available
const compiled = await WebAssembly.compile(readFileSync(module));
const system = {};
for (const one of WebAssembly.Module.imports(compiled))
  if (one.module !== "page") system[one.name] = () => kBadDescriptor;
const { exports } = await WebAssembly.instantiate(compiled, { page, wasi_snapshot_preview1: system });
memory = exports.memory;
exports._initialize();
const game = readFileSync(file);
const at = exports.allocate(game.length);
new Uint8Array(memory.buffer, at, game.length).set(game);
exports.open(at, game.length);

const kSlice = 20; // milliseconds
const cpuTime = () => process.cpuUsage().user / 1000; // CPU time, because other processes may use the machine
let games = 1;
const slice = () => {
  const start = cpuTime();
  const decisions = exports.play_out(1, games);
  const spent = cpuTime() - start;
  if (spent < kSlice) games *= 2;
  return spent < kSlice ? 0 : (1000 * decisions) / spent;
};
let best = 0;
for (const end = performance.now() + 1000 * Number(seconds); performance.now() < end;) best = Math.max(best, slice());
console.log(Math.round(best));
