// Sends commands to a table and receives messages, by WebSocket or, in an exported page, by calls into WebAssembly.
import type { Command, Description, Message } from "./protocol";

// The state of the connection: `lost` is retried, `ended` is final.
export type Link = "connecting" | "on" | "lost" | "ended";

export interface Listener {
  link(state: Link, because?: string): void;
  message(message: Message): void;
  // The last steps received and their run of the table core, from which the table resumes.
  seen(): { steps?: Record<string, number>; run?: string };
}

export interface Transport {
  start(listener: Listener): void;
  send(command: Command): boolean; // false: not connected
  describe(hash: string): Promise<Description>;
  image(name: string): string; // URL of an image of the theme
}

const kLeast = 250,
  kMost = 8000; // maximum milliseconds before a retry

// The key of this device: from the invitation in the URL, which is then removed from it, or stored by an earlier visit.
export class Keys {
  private key: string | null;
  private readonly place: string;

  constructor() {
    this.place = `cardwright ${location.pathname}`;
    const invited = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
    if (invited) history.replaceState(null, "", location.pathname + location.search);
    const kept = invited ? localStorage.getItem(`${this.place} ${invited}`) : null;
    this.key = kept ?? (invited || sessionStorage.getItem(this.place) || localStorage.getItem(this.place));
    if (invited) this.invitation = invited;
    this.keep();
  }

  private invitation: string | null = null;

  get(): string | null {
    return this.key;
  }

  // Stores the device's own key, which the table sends. Opening the invitation again also leads to it.
  set(key: string): void {
    this.key = key;
    if (this.invitation) localStorage.setItem(`${this.place} ${this.invitation}`, key);
    this.keep();
  }

  private keep(): void {
    if (!this.key) return;
    sessionStorage.setItem(this.place, this.key);
    localStorage.setItem(this.place, this.key);
  }
}

export class SocketTransport implements Transport {
  private socket: WebSocket | null = null;
  private listener!: Listener;
  private wait = kLeast;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(
    private readonly keys: Keys,
    private readonly address: string,
  ) {}

  start(listener: Listener): void {
    this.listener = listener;
    const now = (): void => {
      if (document.visibilityState === "visible") this.retryNow();
    };
    document.addEventListener("visibilitychange", now);
    window.addEventListener("online", now);
    this.open();
  }

  send(command: Command): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  async describe(hash: string): Promise<Description> {
    const answer = await fetch(`/r/${encodeURIComponent(hash)}.json`);
    if (!answer.ok) throw new Error(`cannot load the description of the game (status ${answer.status})`);
    return (await answer.json()) as Description;
  }

  image(name: string): string {
    return `/i/${encodeURIComponent(name)}`;
  }

  private open(): void {
    if (this.over || this.socket) return;
    this.listener.link("connecting");
    const socket = new WebSocket(this.address, "cardwright.1");
    this.socket = socket;
    socket.onopen = () => this.send({ k: "hello", key: this.keys.get(), ...this.listener.seen() });
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => this.lost();
  }

  private hear(message: Message): void {
    if (message.k === "key") this.keys.set(message.key);
    if (message.k === "welcome") {
      this.wait = kLeast;
      this.listener.link("on");
    }
    if (message.k === "bye" && !message.again) {
      this.over = true;
      this.listener.link("ended", message.because);
      this.socket?.close();
      return;
    }
    this.listener.message(message);
  }

  private lost(): void {
    this.socket = null;
    if (this.over) return;
    this.listener.link("lost");
    clearTimeout(this.timer);
    // Varies the delay by ± 25 %, so that clients do not all reconnect at once after a server restart.
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(kMost, this.wait * 2);
  }

  private retryNow(): void {
    if (this.socket || this.over) return;
    clearTimeout(this.timer);
    this.wait = kLeast;
    this.open();
  }
}
