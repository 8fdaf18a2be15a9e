// The entry point of the `cardwright serve` page, which connects to a table by WebSocket.
import { render } from "preact";
import { App } from "./app";
import { listenForKeys } from "./keyboard";
import { Store } from "./store";
import { DeviceKey, SocketTransport } from "./transport";

const scheme = location.protocol === "https:" ? "wss" : "ws";
const store = new Store(new SocketTransport(new DeviceKey(), `${scheme}://${location.host}/table`));
render(<App store={store} />, document.getElementById("table")!);
listenForKeys(store);
store.start();
