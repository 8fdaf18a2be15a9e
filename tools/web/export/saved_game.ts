// Converts a game to its saved form and back, and to a file for other browsers and backups. Pure functions.
import type { Entry } from "./module";

export interface SavedGame {
  which: number; // index of the page's configuration
  settings: { seed: number; people: number[]; bot_seconds: number };
  journal: Entry[];
}

const kFileKind = "cardwright game",
  kKindCount = 7; // number of entry kinds: TableEntry::Kind
export interface Configuration {
  label: string; // "4 players"
  players: number;
  options: [string, string][];
  fingerprint: string;
}
export interface Game {
  id: string; // identifies the page's contents, because choices saved by another page can have another meaning
  game: string; // name of the game
  title: string;
  configurations: Configuration[];
}

// Returns the contents of the file. It also contains the name of the game and its options, for `cardwright play
// --resume`.
export function savedGameFile(
  saved: SavedGame,
  { id, game, title, configurations }: Game,
): { name: string; text: string } {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const { players, options, fingerprint } = configurations[saved.which];
  return {
    name: `${name.replace(/^-|-$/g, "") || "game"}.json`,
    text: JSON.stringify({ what: kFileKind, id, game, players, options, fingerprint, ...saved }),
  };
}

const isInteger = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);

function isEntry(entry: unknown): entry is Entry {
  const { kind, seat, id, name } = (entry ?? {}) as Record<string, unknown>;
  return (
    isInteger(kind) && kind >= 0 && kind < kKindCount && isInteger(seat) && isInteger(id) && typeof name === "string"
  );
}

// Parses such a file; returns the reason if it does not match this page.
export function parseSavedGame(text: string, id: string, players: readonly number[]): SavedGame | { because: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { because: "this is not a saved game" };
  }
  const all = (parsed ?? {}) as Record<string, unknown>;
  if (all.what !== kFileKind) return { because: "this is not a saved game" };
  if (all.id !== id) return { because: "this was saved by a page with another game or other rules" };
  const { seed, people, bot_seconds: botSeconds } = (all.settings ?? {}) as Record<string, unknown>;
  const seats = isInteger(all.which) ? players[all.which] : undefined;
  const isValid =
    seats !== undefined &&
    isInteger(seed) &&
    typeof botSeconds === "number" &&
    Array.isArray(people) &&
    people.every((seat) => isInteger(seat) && seat >= 0 && seat < seats) &&
    Array.isArray(all.journal) &&
    all.journal.every(isEntry);
  if (!isValid) return { because: "the file is damaged" };
  return {
    which: all.which as number,
    settings: { seed, people: people as number[], bot_seconds: botSeconds },
    journal: all.journal as Entry[],
  };
}
