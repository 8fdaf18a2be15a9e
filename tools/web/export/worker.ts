// The entry point of the worker of an exported page.
import { EmbeddedTable, type ToTable } from "./embedded_table";

const table = new EmbeddedTable((message) => postMessage(message));
onmessage = (event: MessageEvent) => table.receive(event.data as ToTable);
