// The entry point of an exported page, which lets people choose a game setup, and then runs the table inside the page.
// It works offline and saves the game in the browser.
import { render } from "preact";
import { useState } from "preact/hooks";
import { App } from "../table/app";
import { listenForKeys } from "../table/keyboard";
import type { Command, Description, Message } from "../table/protocol";
import { Store } from "../table/store";
import type { Listener, Transport } from "../table/transport";
import { TableHost } from "./table_host";
import type { FromTable } from "./embedded_table";
import { savedGameFile, parseSavedGame, type Game, type SavedGame } from "./saved_game";

declare const kWorkerScript: string; // the worker's script, inserted by build.js

interface Head extends Game {
  about: string;
  build: string;
  bots: number; // thinking time in seconds
  seed: number | null;
  images: Record<string, string>; // images of the theme, as data: URLs
}
const head = JSON.parse(document.getElementById("head")!.textContent) as Head;

// Decodes data that the page contains as gzipped base64 text.
async function unpack(id: string): Promise<ArrayBuffer> {
  const text = atob(document.getElementById(id)!.textContent.trim());
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// If the browser blocks storage for pages on disk, a game lasts only while the page is open.
const storageKey = `cardwright export ${head.id}`;
function loadGame(): SavedGame | null {
  try {
    const text = localStorage.getItem(storageKey);
    return text ? (JSON.parse(text) as SavedGame) : null;
  } catch {
    return null;
  }
}
function storeGame(saved: SavedGame | null): void {
  try {
    if (saved) localStorage.setItem(storageKey, JSON.stringify(saved));
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage is not available.
  }
}

const kInPageSeconds = 0.2; // maximum thinking time in seconds when bots run on the page's main thread

class EmbeddedTransport implements Transport {
  private listener!: Listener;
  private host: TableHost | null = null;
  private openCount = 0; // how often the table was opened
  private description: string | null = null;
  private waiting: ((text: string) => void)[] = [];

  constructor(private readonly game: SavedGame) {}

  start(listener: Listener): void {
    this.listener = listener;
    listener.link("connecting");
    this.host = new TableHost(
      kWorkerScript,
      (message) => this.receive(message),
      (reason) => void this.open(reason),
    );
    void this.open();
  }

  send(command: Command): boolean {
    this.host?.post({ k: "receive", text: JSON.stringify(command) });
    return this.host !== null;
  }

  async describe(): Promise<Description> {
    const text = this.description ?? (await new Promise<string>((resolve) => this.waiting.push(resolve)));
    return JSON.parse(text) as Description;
  }

  // Images are part of the page.
  image(id: string): string {
    return head.images[id] ?? "";
  }

  // Opens the table with the saved game. If a worker with this game failed, `reason` is the cause.
  private async open(reason = ""): Promise<void> {
    const attempt = ++this.openCount;
    try {
      const [code, game] = await Promise.all([unpack("code"), unpack(`game-${this.game.which}`)]);
      if (attempt !== this.openCount || !this.host) return; // another table was opened meanwhile
      const { bot_seconds: botSeconds } = this.game.settings;
      const settings = {
        ...this.game.settings,
        bot_seconds: this.host.inPage ? Math.min(botSeconds, kInPageSeconds) : botSeconds,
        journal: this.game.journal,
        build: head.build,
      };
      this.host.post({ k: "open", code, game: new Uint8Array(game), settings });
      // The last choice may be lost, so its question is repeated.
      if (reason)
        this.listener.message({
          k: "refused",
          because:
            `The background worker of this page failed (${reason}). Bots now run in the page itself, ` +
            `think at most ${kInPageSeconds} s, and may block it while they think`,
        });
    } catch (error) {
      this.listener.link("ended", `this browser cannot unpack the game (${String(error)}); use a newer browser`);
    }
  }

  private receive(message: FromTable): void {
    if (message.k === "failed")
      return this.listener.link(
        "ended",
        `internal error in this page: ${message.because}. Your game is saved: reload the page to continue`,
      );
    if (message.k === "open") {
      this.description = message.description;
      for (const resolve of this.waiting.splice(0)) resolve(message.description);
      return;
    }
    document.documentElement.dataset.hash = message.hash;
    if (message.journal) {
      this.game.journal = message.journal;
      storeGame(this.game);
    }
    for (const one of message.messages as Message[]) {
      if (one.k === "welcome") this.listener.link("on");
      this.listener.message(one);
    }
  }
}

function startTable(game: SavedGame): void {
  const store = new Store(new EmbeddedTransport(game));
  render(<App store={store} />, document.getElementById("table")!);
  listenForKeys(store);
  store.start();
}

const kLargestFile = 16 << 20; // maximum file size in bytes

function saveToFile(saved: SavedGame): void {
  const { name, text } = savedGameFile(saved, head);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function Start() {
  const previous = loadGame();
  const [which, setWhich] = useState(0);
  const [people, setPeople] = useState(1);
  const [seconds, setSeconds] = useState(head.bots);
  const players = head.configurations[which].players;
  const [error, setError] = useState("");
  const open = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (!file) return;
    const seats = head.configurations.map((one) => one.players);
    const saved =
      file.size > kLargestFile
        ? { because: "the file is too large" }
        : parseSavedGame(await file.text(), head.id, seats);
    if (!("because" in saved)) return startTable(saved);
    setError(`Cannot open ${file.name}: ${saved.because}.`);
    input.value = "";
  };
  const startGame = (): void => {
    const seed = head.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
    const seats = Array.from({ length: Math.min(people, players) }, (_, seat) => seat);
    startTable({ which, settings: { seed, people: seats, bot_seconds: seconds }, journal: [] });
  };
  return (
    <main class="start">
      <h1>{head.title}</h1>
      {head.about ? <p>{head.about}</p> : null}
      {head.configurations.length > 1 ? (
        <label>
          Play
          <select value={which} onChange={(event) => setWhich(Number(event.currentTarget.value))}>
            {head.configurations.map((one, number) => (
              <option value={number}>{one.label}</option>
            ))}
          </select>
        </label>
      ) : (
        <p class="one">{head.configurations[0].label}</p>
      )}
      <label>
        People on this device
        <select value={Math.min(people, players)} onChange={(event) => setPeople(Number(event.currentTarget.value))}>
          {Array.from({ length: players }, (_, count) => (
            <option value={count + 1}>{count === 0 ? "1, against bots" : `${count + 1}, sharing the device`}</option>
          ))}
        </select>
      </label>
      {people < players ? (
        <label>
          Bots think
          <select value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
            {[...new Set([0.05, 0.2, 1, 3, head.bots])]
              .sort((a, b) => a - b)
              .map((one) => (
                <option value={one}>{one} s</option>
              ))}
          </select>
        </label>
      ) : null}
      <div class="row">
        <button type="button" class="option first" onClick={startGame}>
          Play
        </button>
        {previous && previous.journal.length && previous.which < head.configurations.length ? (
          <>
            <button type="button" class="option" onClick={() => startTable(previous)}>
              Continue the previous game
            </button>
            <button type="button" class="option" onClick={() => saveToFile(previous)}>
              Save to a file
            </button>
          </>
        ) : null}
        <label class="option file">
          Open a saved game
          <input type="file" accept=".json,application/json" onChange={(event) => void open(event.currentTarget)} />
        </label>
      </div>
      {error ? <p role="alert">{error}</p> : null}
      <p class="soft">
        This page works offline: you can save it, share it, or host it anywhere. Your game is saved in this browser.
      </p>
    </main>
  );
}

document.title = head.title;
render(<Start />, document.getElementById("table")!);
