// The entry point of the worker of an exported page.
import { InnerTable, type ToTable } from "./table";

const table = new InnerTable((message) => postMessage(message));
onmessage = (event: MessageEvent) => table.hear(event.data as ToTable);
