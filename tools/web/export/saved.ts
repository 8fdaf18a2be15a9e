// The saved form of a game, and its file format for other browsers and backups. Pure.
import type { Entry } from "./module";

export interface Kept {
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
  id: string; // identifies the page's contents: choices of another page may have another meaning
  game: string; // name of the game
  title: string;
  configurations: Configuration[];
}

// The file also contains the name of the game and its options, for `cardwright play --resume`.
export function file_of(kept: Kept, { id, game, title, configurations }: Game): { name: string; text: string } {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const { players, options, fingerprint } = configurations[kept.which];
  return {
    name: `${name.replace(/^-|-$/g, "") || "game"}.json`,
    text: JSON.stringify({ what: kFileKind, id, game, players, options, fingerprint, ...kept }),
  };
}

const is_whole = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);

function is_entry(entry: unknown): entry is Entry {
  const { kind, seat, id, name } = (entry ?? {}) as Record<string, unknown>;
  return is_whole(kind) && kind >= 0 && kind < kKindCount && is_whole(seat) && is_whole(id) && typeof name === "string";
}

// Parses such a file; returns the reason if it does not match this page.
export function kept_of(text: string, id: string, players: readonly number[]): Kept | { because: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return { because: "this is not a saved game" };
  }
  const all = (read ?? {}) as Record<string, unknown>;
  if (all.what !== kFileKind) return { because: "this is not a saved game" };
  if (all.id !== id) return { because: "this was saved by a page with another game or other rules" };
  const { seed, people, bot_seconds } = (all.settings ?? {}) as Record<string, unknown>;
  const seats = is_whole(all.which) ? players[all.which] : undefined;
  const fits =
    seats !== undefined &&
    is_whole(seed) &&
    typeof bot_seconds === "number" &&
    Array.isArray(people) &&
    people.every((seat) => is_whole(seat) && seat >= 0 && seat < seats) &&
    Array.isArray(all.journal) &&
    all.journal.every(is_entry);
  if (!fits) return { because: "the file is damaged" };
  return {
    which: all.which as number,
    settings: { seed, people: people as number[], bot_seconds },
    journal: all.journal as Entry[],
  };
}
