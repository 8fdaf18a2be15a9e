// Runs a table inside the page: owns the module and calls it when events are due. It runs in a worker or, if
// table_host.ts decides so, in the page.
import { Module, type Entry } from "./module";

export type ToTable =
  { k: "open"; code: ArrayBuffer; game: Uint8Array; settings: object } | { k: "receive"; text: string };
export type FromTable =
  | { k: "open"; description: string }
  | { k: "messages"; messages: unknown[]; journal: Entry[] | null; hash: string } // null: unchanged
  | { k: "failed"; because: string };

export class EmbeddedTable {
  private module: Module | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private thinking = false;

  constructor(private readonly deliver: (message: FromTable) => void) {}

  receive(message: ToTable): void {
    if (message.k === "open") void this.open(message);
    else this.guard(() => this.module?.receive(message.text));
  }

  private async open(message: Extract<ToTable, { k: "open" }>): Promise<void> {
    try {
      const module = await Module.load(message.code);
      module.open(message.game);
      this.deliver({ k: "open", description: module.describe() });
      module.sit(message.settings);
      this.module = module;
    } catch (error) {
      this.deliver({ k: "failed", because: errorText(error) });
      return;
    }
    this.guard(() => {});
  }

  // An error ends the table; earlier entries are already saved.
  private guard(action: () => void): void {
    const module = this.module;
    if (!module) return;
    try {
      action();
      const taken = module.take();
      if (taken.messages.length || taken.changed)
        this.deliver({
          k: "messages",
          messages: taken.messages,
          journal: taken.changed ? module.journal() : null,
          hash: module.hash(),
        });
    } catch (error) {
      this.module = null;
      this.deliver({ k: "failed", because: errorText(error) });
      return;
    }
    this.scheduleNext();
  }

  // Schedules the next event. Bots think one at a time, after earlier messages have been displayed.
  private scheduleNext(): void {
    if (!this.thinking) {
      this.thinking = true;
      setTimeout(() => {
        this.thinking = false;
        this.think();
      }, 0);
    }
    clearTimeout(this.timer);
    const wait = this.module?.wait() ?? null;
    if (wait !== null)
      this.timer = setTimeout(() => this.guard(() => this.module?.passTime()), Math.min(wait, 2 ** 30));
  }

  private think(): void {
    let hasDecided = false;
    try {
      hasDecided = this.module?.think() ?? false;
    } catch (error) {
      this.module = null;
      this.deliver({ k: "failed", because: errorText(error) });
    }
    if (hasDecided) this.guard(() => {});
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
