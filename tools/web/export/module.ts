// Wraps the WebAssembly table core (tools/web/wasm/module.cpp) and provides the system functions that it imports.
export interface Exports {
  memory: WebAssembly.Memory;
  _initialize?(): void;
  allocate(size: number): number;
  free(at: number): void;
  result_size(): number;
  open(at: number, size: number): void;
  describe(): number;
  sit(at: number, size: number, now: number): void;
  receive(at: number, size: number, now: number): void;
  pass_time(now: number): void;
  next_due(): number; // microseconds; -1: none
  take(): number;
  journal(): number;
  think(): number;
  hash(): number;
}

export interface Entry {
  kind: number;
  seat: number;
  id: number;
  name: string;
}

export interface Output {
  messages: unknown[];
  changed: boolean; // entries were added that must be saved
}

const kDone = 0,
  kBadDescriptor = 8; // WASI error codes: success, bad file descriptor

export class Module {
  private constructor(private readonly exports: Exports) {}

  // Loads the module. Throws an error with the message of the core.
  static async load(code: BufferSource): Promise<Module> {
    let memory: WebAssembly.Memory;
    const bytes = (): DataView => new DataView(memory.buffer);
    const random = (at: number, size: number): number => {
      for (let done = 0; done < size; done += 65536)
        crypto.getRandomValues(new Uint8Array(memory.buffer, at + done, Math.min(65536, size - done)));
      return kDone;
    };
    const system: Record<string, (...all: number[]) => number> = {
      clock_time_get: (_clock: number, _precision: unknown, at: number) => {
        bytes().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return kDone;
      },
      random_get: random,
    };
    const page = {
      failed: (at: number, size: number) => {
        throw new Error(new TextDecoder().decode(new Uint8Array(memory.buffer, at, size)));
      },
      random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
    };
    const wasi = new Proxy(system, { get: (of, name: string) => of[name] ?? (() => kBadDescriptor) });
    const compiled = await WebAssembly.compile(code);
    const imports: WebAssembly.Imports = { page, wasi_snapshot_preview1: {} };
    for (const one of WebAssembly.Module.imports(compiled))
      if (one.module === "wasi_snapshot_preview1") imports[one.module][one.name] = wasi[one.name];
    const exports = (await WebAssembly.instantiate(compiled, imports)).exports as unknown as Exports;
    memory = exports.memory;
    exports._initialize?.();
    return new Module(exports);
  }

  open(game: Uint8Array): void {
    this.passBytes(game, (at, size) => this.exports.open(at, size));
  }
  describe(): string {
    return this.readText(this.exports.describe());
  }
  sit(settings: object): void {
    this.passText(JSON.stringify(settings), (at, size) => this.exports.sit(at, size, now()));
  }
  receive(text: string): void {
    this.passText(text, (at, size) => this.exports.receive(at, size, now()));
  }
  passTime(): void {
    this.exports.pass_time(now());
  }
  // Returns the number of milliseconds until the next event; null: none.
  wait(): number | null {
    const due = this.exports.next_due();
    return due < 0 ? null : Math.max(0, (due - now()) / 1000);
  }
  take(): Output {
    return JSON.parse(this.readText(this.exports.take())) as Output;
  }
  // Returns the entries that `sit` needs to resume this game.
  journal(): Entry[] {
    return JSON.parse(this.readText(this.exports.journal())) as Entry[];
  }
  // Lets one bot think; returns false if no bot has to decide.
  think(): boolean {
    return this.exports.think() !== 0;
  }
  hash(): string {
    return this.readText(this.exports.hash());
  }

  private readText(at: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, this.exports.result_size()));
  }
  private passText(text: string, take: (at: number, size: number) => void): void {
    this.passBytes(new TextEncoder().encode(text), take);
  }
  private passBytes(bytes: Uint8Array, take: (at: number, size: number) => void): void {
    const at = this.exports.allocate(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    take(at, bytes.length);
    this.exports.free(at);
  }
}

const now = (): number => performance.now() * 1000;
