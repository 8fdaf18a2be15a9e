// Sends commands to a table and receives messages, by WebSocket or, in an exported page, by calls into WebAssembly.
import type { Command, Description, Message } from "./protocol";

// The state of the connection: `lost` is retried, `ended` is final.
export type Link = "connecting" | "on" | "lost" | "ended";

export interface Listener {
  link(state: Link, reason?: string): void;
  message(message: Message): void;
  // Returns the last steps received and their run of the table core, from which the table resumes.
  resumePoint(): { steps?: Record<string, number>; run?: string };
}

export interface Transport {
  start(listener: Listener): void;
  send(command: Command): boolean; // false: not connected
  describe(hash: string): Promise<Description>;
  image(name: string): string; // URL of an image of the theme
}

const kMinRetryDelay = 250,
  kMaxRetryDelay = 8000; // maximum milliseconds before a retry

// A network can drop data without an error, so the page sends a ping after a time without messages. If nothing arrives
// within the time limit, the connection is lost. All times are in milliseconds.
const kCheckInterval = 500,
  kSilence = 2500, // time without messages after which a ping is sent
  kAnswerTime = 5000, // time limit for an answer
  kShortAnswerTime = 2000; // time limit after a change of the network or of the page's visibility

// The key of this device: either from the invitation in the URL, which is then removed, or stored by an earlier
// visit.
export class DeviceKey {
  private key: string | null;
  private readonly storageKey: string;

  constructor() {
    this.storageKey = `cardwright ${location.pathname}`;
    const inviteKey = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
    if (inviteKey) history.replaceState(null, "", location.pathname + location.search);
    const stored = inviteKey ? localStorage.getItem(`${this.storageKey} ${inviteKey}`) : null;
    this.key =
      stored ?? (inviteKey || sessionStorage.getItem(this.storageKey) || localStorage.getItem(this.storageKey));
    if (inviteKey) this.invitation = inviteKey;
    this.save();
  }

  private invitation: string | null = null;

  get(): string | null {
    return this.key;
  }

  // Stores the device's own key, which the table sends. If the invitation is opened again, this key is used.
  set(key: string): void {
    this.key = key;
    if (this.invitation) localStorage.setItem(`${this.storageKey} ${this.invitation}`, key);
    this.save();
  }

  private save(): void {
    if (!this.key) return;
    sessionStorage.setItem(this.storageKey, this.key);
    localStorage.setItem(this.storageKey, this.key);
  }
}

export class SocketTransport implements Transport {
  private socket: WebSocket | null = null;
  private listener!: Listener;
  private retryDelay = kMinRetryDelay;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private heardAt = 0; // arrival time of the last message
  private answerDue: number | null = null; // the latest time for the answer to a ping or to `hello`; null: none expected

  constructor(
    private readonly deviceKey: DeviceKey,
    private readonly address: string,
  ) {}

  start(listener: Listener): void {
    this.listener = listener;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.checkNow();
    });
    for (const change of ["online", "offline"]) window.addEventListener(change, () => this.checkNow());
    setInterval(() => this.check(), kCheckInterval);
    this.open();
  }

  send(command: Command): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  async describe(hash: string): Promise<Description> {
    const response = await fetch(`/r/${encodeURIComponent(hash)}.json`);
    if (!response.ok) throw new Error(`cannot load the description of the game (status ${response.status})`);
    return (await response.json()) as Description;
  }

  image(name: string): string {
    return `/i/${encodeURIComponent(name)}`;
  }

  private open(): void {
    if (this.ended || this.socket) return;
    this.listener.link("connecting");
    const socket = new WebSocket(this.address, "cardwright.1");
    this.socket = socket;
    this.answerDue = performance.now() + kAnswerTime;
    socket.onopen = () => this.send({ k: "hello", key: this.deviceKey.get(), ...this.listener.resumePoint() });
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => this.connectionLost();
  }

  private receive(message: Message): void {
    this.heardAt = performance.now();
    this.answerDue = null;
    if (message.k === "pong") return;
    if (message.k === "key") this.deviceKey.set(message.key);
    if (message.k === "welcome") {
      this.retryDelay = kMinRetryDelay;
      this.listener.link("on");
    }
    if (message.k === "bye" && !message.again) {
      this.ended = true;
      this.listener.link("ended", message.because);
      this.socket?.close();
      return;
    }
    this.listener.message(message);
  }

  // Browsers run timers of hidden pages rarely. Therefore, only an unanswered ping counts, not the time since the last
  // message.
  private check(): void {
    if (!this.socket) return;
    const now = performance.now();
    if (this.answerDue !== null) {
      if (now > this.answerDue) this.abandon();
    } else if (now - this.heardAt > kSilence) this.ping(kAnswerTime);
  }

  private ping(answerTime: number): void {
    if (!this.send({ k: "ping" })) return;
    const due = performance.now() + answerTime;
    this.answerDue = Math.min(due, this.answerDue ?? due);
  }

  // Checks the connection after an event that often breaks it, or retries a lost one.
  private checkNow(): void {
    this.retryDelay = kMinRetryDelay;
    if (this.socket?.readyState === WebSocket.CONNECTING) this.abandon();
    if (this.socket) this.ping(kShortAnswerTime);
    else this.retryNow();
  }

  // Closes a connection that does not answer. Its `close` event could take minutes.
  private abandon(): void {
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.connectionLost();
  }

  private connectionLost(): void {
    this.socket = null;
    this.answerDue = null;
    if (this.ended) return;
    this.listener.link("lost");
    clearTimeout(this.timer);
    // Varies the delay by ± 25 %, so that clients do not all reconnect at once after a server restart.
    this.timer = setTimeout(() => this.open(), this.retryDelay * (0.75 + Math.random() / 2));
    this.retryDelay = Math.min(kMaxRetryDelay, this.retryDelay * 2);
  }

  private retryNow(): void {
    if (this.socket || this.ended) return;
    clearTimeout(this.timer);
    this.retryDelay = kMinRetryDelay;
    this.open();
  }
}
