// Runs the table of an exported page in a worker, so that thinking bots do not block the page. If workers are missing
// or fail, it runs in the page, where bots think one at a time and the page is redrawn in between.
import { EmbeddedTable, type FromTable, type ToTable } from "./embedded_table";

export class TableHost {
  private worker: Worker | null = null;
  private table: EmbeddedTable | null = null;

  // `failed` is called when the worker and its table are lost. Later messages go to a table in the page, which must be
  // opened first.
  constructor(
    script: string,
    private readonly deliver: (message: FromTable) => void,
    private readonly failed: (reason: string) => void,
  ) {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = (event) => worker === this.worker && deliver(event.data as FromTable);
      worker.onerror = (event) => this.useFallback(worker, event.message || "it cannot be started");
      worker.onmessageerror = () => this.useFallback(worker, "invalid message");
      this.worker = worker;
    } catch {
      this.table = new EmbeddedTable(deliver);
    }
  }

  get inPage(): boolean {
    return this.worker === null;
  }

  post(message: ToTable): void {
    if (this.worker) this.worker.postMessage(message);
    else this.table!.receive(message);
  }

  private useFallback(worker: Worker, reason: string): void {
    if (worker !== this.worker) return; // already reported
    worker.terminate();
    this.worker = null;
    this.table = new EmbeddedTable(this.deliver);
    this.failed(reason);
  }
}
