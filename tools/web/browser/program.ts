// Runs the command (CARDWRIGHT) as people do: starts servers, reads their links, and exports pages.
import { spawn, spawnSync, type Child } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const kProgram = process.env.CARDWRIGHT ?? "";
const kBrowsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const kStart = 60_000; // milliseconds until a server prints its links: a loaded machine compiles large games slowly

export const browserPath = kBrowsers.find(existsSync);
export const skip = !browserPath
  ? "Chromium is not installed"
  : !existsSync(kProgram)
    ? "CARDWRIGHT does not name a program"
    : false;

// Exported pages also need the table core in WebAssembly.
export const skipExport =
  skip ||
  (existsSync(`${kProgram.replace(/\/[^/]*$/, "")}/../lib/cardwright/table.wasm`)
    ? false
    : "missing WebAssembly runtime; build the target web_runtime");

const folders: string[] = [];
const children: Child[] = [];

export function folder(): string {
  const path = mkdtempSync(`${tmpdir()}/cardwright-browser-`);
  folders.push(path);
  return path;
}

export function cleanUp(): void {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}

const environment = (): Record<string, string | undefined> => ({
  ...process.env,
  TERM: "dumb",
  XDG_STATE_HOME: folder(),
});

export function run(...args: string[]): string {
  const result = spawnSync(kProgram, args, { env: environment(), encoding: "utf8" });
  if (result.status !== 0) throw new Error(`cardwright ${args.join(" ")}: ${result.stderr || result.stdout}`);
  return result.stdout;
}

export interface Table {
  host: string;
  seats: Record<string, string>; // links, by letter
  watch: string;
}

export interface Server {
  tables: Table[];
  output: () => string; // all output
  port: string;
  data: string; // the folder of the database
  end: (signal: "SIGINT" | "SIGKILL") => Promise<void>;
}

function tablesOf(text: string): Table[] {
  const tables: Table[] = [];
  for (const line of text.split("\n")) {
    const [, role, link] = /^ {2}(\w+) +(http\S+)$/.exec(line) ?? [];
    if (role === "host") tables.push({ host: link, seats: {}, watch: "" });
    else if (role === "watch") tables.at(-1)!.watch = link;
    else if (role) tables.at(-1)!.seats[role] = link;
  }
  return tables;
}

// Starts a server on its own port, unless one is given. Bots think only briefly, because these tests check the table,
// not the bots.
export async function serve(games: string[], options: string[], { data = folder(), port = "0" } = {}): Promise<Server> {
  const args = ["serve", ...games, ...options, "--bots", "0.01s", "--port", port, "--data", data];
  const child = spawn(kProgram, args, { env: environment(), stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (more) => (text += more));
  }
  const exited = new Promise<void>((resolve) => child.on("exit", resolve));
  const deadline = Date.now() + kStart;
  while (!/^Data: /m.test(text)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`cardwright ${args.join(" ")}:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const tables = tablesOf(text);
  return {
    tables,
    data,
    output: () => text,
    port: new URL(tables[0].host).port,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

// Returns the bundled games, as printed by `cardwright list`: each line after the header starts with a name.
export const games = (): string[] => [...run("list").matchAll(/^[a-z]\w*(?= )/gm)].map(([name]) => name).slice(1);
