// Runs the table of an exported page in a worker, so that thinking bots do not block the page. If workers are missing
// or fail, it runs in the page, where bots think one at a time and the page is redrawn in between.
import { InnerTable, type FromTable, type ToTable } from "./table";

export class Place {
  private worker: Worker | null = null;
  private table: InnerTable | null = null;

  // `failed` is called when the worker and its table are lost. Later messages go to a table in the page, which must be
  // opened first.
  constructor(
    script: string,
    private readonly tell: (message: FromTable) => void,
    private readonly failed: (because: string) => void,
  ) {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = (event) => worker === this.worker && tell(event.data as FromTable);
      worker.onerror = (event) => this.give_up(worker, event.message || "it cannot be started");
      worker.onmessageerror = () => this.give_up(worker, "invalid message");
      this.worker = worker;
    } catch {
      this.table = new InnerTable(tell);
    }
  }

  get in_page(): boolean {
    return this.worker === null;
  }

  post(message: ToTable): void {
    if (this.worker) this.worker.postMessage(message);
    else this.table!.hear(message);
  }

  private give_up(worker: Worker, because: string): void {
    if (worker !== this.worker) return; // already reported
    worker.terminate();
    this.worker = null;
    this.table = new InnerTable(this.tell);
    this.failed(because);
  }
}
