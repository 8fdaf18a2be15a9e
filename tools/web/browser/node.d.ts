// Declares the Node functions that these tests use, in addition to table/tests/node.d.ts.
interface Stream {
  setEncoding(encoding: "utf8"): void;
  on(event: "data", received: (text: string) => void): void;
}
declare module "node:child_process" {
  export interface Child {
    stdout: Stream;
    stderr: Stream;
    exitCode: number | null;
    signalCode: string | null;
    kill(signal: "SIGINT" | "SIGKILL"): boolean;
    on(event: "exit", exited: () => void): void;
  }
  export function spawn(
    command: string,
    words: string[],
    options: { env: Record<string, string | undefined>; stdio: ["ignore", "pipe", "pipe"] },
  ): Child;
  export function spawnSync(
    command: string,
    words: string[],
    options: { env: Record<string, string | undefined>; encoding: "utf8" },
  ): { status: number | null; stdout: string; stderr: string };
}
declare module "node:fs" {
  export function mkdtempSync(prefix: string): string;
  export function mkdirSync(path: string, options: { recursive: true }): void;
  export function copyFileSync(from: string, to: string): void;
  export function writeFileSync(path: string, content: string | Uint8Array): void;
  export function rmSync(path: string, options: { recursive: true; force: true }): void;
  export function readdirSync(path: string): string[];
  export function statSync(path: string): { size: number };
}
declare module "node:os" {
  export function tmpdir(): string;
}
declare module "node:net" {
  export interface Socket {
    on(event: "data", received: (bytes: Uint8Array) => void): void;
    on(event: "error" | "close", happened: () => void): void;
    write(bytes: Uint8Array): void;
    destroy(): void;
  }
  export interface Server {
    listen(port: number, address: string, ready: () => void): void;
    address(): { port: number };
    close(ended: () => void): void;
  }
  export function connect(port: number, address: string): Socket;
  export function createServer(connected: (socket: Socket) => void): Server;
}
