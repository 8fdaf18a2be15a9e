// Where the table of an exported page runs: in a worker, so that bots that think hold nobody up; in the page itself
// where a browser has none, or where it failed. There bots think one after the other, and the page is drawn between.
import { InnerTable, type FromTable, type ToTable } from "./table";

export class Place {
  private worker: Worker | null = null;
  private table: InnerTable | null = null;

  // `failed`: the worker is gone with all that it knew; what is posted from now on is heard by a table in the page, which
  // has to be opened first.
  constructor(
    script: string,
    private readonly tell: (message: FromTable) => void,
    private readonly failed: (because: string) => void,
  ) {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = (event) => worker === this.worker && tell(event.data as FromTable);
      worker.onerror = (event) => this.give_up(worker, event.message || "it can't be started");
      worker.onmessageerror = () => this.give_up(worker, "it can't be understood");
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
    if (worker !== this.worker) return; // said before
    worker.terminate();
    this.worker = null;
    this.table = new InnerTable(this.tell);
    this.failed(because);
  }
}
