// The entry point of the `cardwright serve` page, which connects to a table by WebSocket.
import { render } from "preact";
import { App } from "./app";
import { listen } from "./keys";
import { Store } from "./store";
import { Keys, SocketTransport } from "./transport";

const scheme = location.protocol === "https:" ? "wss" : "ws";
const store = new Store(new SocketTransport(new Keys(), `${scheme}://${location.host}/table`));
render(<App store={store} />, document.getElementById("table")!);
listen(store);
store.start();
