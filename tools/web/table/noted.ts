// Formats variables as chips at a seat or on the table, and as notes at the places of an area. Pure.
import type { Arranging, Place } from "./layout";
import type { Value, VariableInfo } from "./protocol";
import {
  in_words,
  is_zero,
  keys_of,
  label_of,
  name_of,
  plainly,
  said_of,
  says_nothing,
  unknown_sign,
  type Said,
} from "./said";
import { is_in_row, is_of_places, on_sheets } from "./sheets";

export type Chip =
  | {
      kind: "number";
      variable: number;
      label: string;
      value: number;
      most: number | null;
      tokens: string | null;
      score: boolean; // a score, according to its name
    }
  | { kind: "tag"; variable: number; label: string; said: Said }
  | { kind: "player"; variable: number; label: string; seats: number[] }
  | {
      kind: "dice";
      variable: number;
      label: string;
      placed: number;
      faces: string[];
      symbol: string | null;
      colour: string | null;
    }
  | { kind: "cards"; variable: number; label: string; prints: (number | null)[] }
  | { kind: "table"; variable: number; label: string; rows: { key: string; said: Said; seat: number | null }[] };

const kTokens = 10; // maximum number of drawn tokens, unless the theme sets another
const kPips = 5; // numbers with a higher bound are shown as digits, since the bound may only be a guard
const kKeys = 12; // larger tables omit entries without information

function table_chip(number: number, info: VariableInfo, values: Value[], from: Arranging): Chip | null {
  const keys = keys_of(info, from.description);
  const zeros = keys.length > kKeys && !values.includes(null);
  const quiet = (value: Value): boolean => says_nothing(value) || (zeros && is_zero(value, info));
  const of_players = info.keys.length === 1 && info.keys[0].kind === "player";
  const rows = keys
    .map((key, i) => ({ key, said: said_of(values[i], info, from), seat: of_players ? i : null, i }))
    .filter(({ i }) => !quiet(values[i]));
  return rows.length ? { kind: "table", variable: number, label: label_of(info), rows } : null;
}

// For tables with cards as keys: the values that differ from the most common one.
function card_chip(number: number, info: VariableInfo, cards: [number, Value][], from: Arranging): Chip | null {
  const rows = cards
    .filter(([, value]) => !says_nothing(value))
    .map(([print, value]) => ({ key: name_of(print, from.description), said: said_of(value, info, from), seat: null }));
  return rows.length ? { kind: "table", variable: number, label: label_of(info), rows } : null;
}

// Names of scores. Whether high or low is good is unknown.
const kScores = /^(\w+_)?(score|scores|points|total|won|wins|victories)$/;

export const is_score = (chip: Chip): boolean => chip.kind === "number" && chip.score;

function chip_of(number: number, info: VariableInfo, value: Value | undefined, from: Arranging): Chip | null {
  if (says_nothing(value)) return null;
  const label = label_of(info);
  if (value === unknown_sign) return { kind: "tag", variable: number, label, said: plainly(unknown_sign) };
  const { tokens, most } = from.look.variable(info.name);
  if (!info.list && info.kind === "number" && typeof value === "number")
    return {
      kind: "number",
      variable: number,
      label,
      value,
      tokens,
      score: info.owner && kScores.test(info.name),
      most: most ?? (tokens ? kTokens : (info.from ?? -1) >= 0 && (info.to ?? 99) <= kPips ? info.to! : null),
    };
  if (info.kind === "player" || info.kind === "players") {
    const seats = (Array.isArray(value) ? value : [value]).filter((one): one is number => typeof one === "number");
    if (seats.length) return { kind: "player", variable: number, label, seats };
  }
  if (!info.list && info.kind === "card" && typeof value === "number")
    return { kind: "cards", variable: number, label, prints: [value] };
  if (
    !info.list &&
    info.kind === "cards" &&
    typeof value === "object" &&
    value &&
    "cards" in value &&
    Array.isArray(value.cards)
  ) {
    const unknown = Array<null>(Number(value.unknown ?? 0)).fill(null);
    return { kind: "cards", variable: number, label, prints: [...(value.cards as number[]), ...unknown] };
  }
  if (value === true) return { kind: "tag", variable: number, label: "", said: plainly(label) };
  return { kind: "tag", variable: number, label, said: said_of(value, info, from) };
}

function dice_chip(number: number, info: VariableInfo, values: Value[], from: Arranging): Chip | null {
  const placed = info.placed === null ? undefined : from.description.placed[info.placed];
  if (info.placed === null || !placed?.faces || (placed.face ?? number) !== number) return null;
  return {
    kind: "dice",
    variable: number,
    label: placed.name.replaceAll("_", " "),
    placed: info.placed,
    faces: values.map((value) => in_words(said_of(value, info, from))),
    ...from.look.piece(placed.name),
  };
}

// True if a board shows the table.
const shown_on_board = (variable: number, { description }: Arranging): boolean =>
  description.boards.some(({ shows, shows_on_edges }) =>
    [shows?.variable, shows_on_edges?.variable].includes(variable),
  );

export function chips(seat: number | null, from: Arranging): Chip[] {
  const out: Chip[] = [];
  const sheeted = new Set(on_sheets(from).flat());
  from.description.variables.forEach((info, number) => {
    if (!info || info.owner !== (seat !== null) || from.look.variable(info.name).hidden) return;
    if (is_of_places(info, from) || is_in_row(info, from) || sheeted.has(number) || shown_on_board(number, from))
      return;
    const thing = from.things[`v${number}`] as Value[] | { cards: [number, Value][][] } | undefined;
    if (info.board !== null && info.placed === null && !info.keys.length) return; // shown by the board
    if (thing && !Array.isArray(thing)) {
      const chip = card_chip(number, info, thing.cards[seat ?? 0] ?? [], from);
      return chip ? void out.push(chip) : undefined;
    }
    const values = thing;
    if (!Array.isArray(values)) return;
    const dice = seat === null ? dice_chip(number, info, values, from) : null;
    if (dice) return void out.push(dice);
    if (info.placed !== null) return; // shown by pieces
    const size = info.keys.reduce((n, key) => n * key.values.length, 1);
    const mine = seat === null ? values : values.slice(seat * size, (seat + 1) * size);
    const chip = info.keys.length ? table_chip(number, info, mine, from) : chip_of(number, info, mine[0], from);
    if (chip) out.push(chip);
  });
  return out;
}

// Adds the notes of each part of an area (`area line x 5 { owner: player? }`) to its first zone. Values none, no and 0
// are omitted, since they mostly mean that nothing has happened yet.
export function add_notes(all: readonly Place[], from: Arranging): void {
  const noted = new Set<string>();
  for (const place of all) {
    const { area, copy, owner } = from.description.zones[place.zone];
    const part = `${area} ${owner} ${copy}`;
    if (area === null || area === undefined || noted.has(part)) continue;
    noted.add(part);
    from.description.variables.forEach((info, number) => {
      const values = from.things[`v${number}`];
      if (!info || info.area !== area || !Array.isArray(values) || !is_of_places(info, from)) return;
      if (info.owner !== (owner !== null) || from.look.variable(info.name).hidden) return;
      const at = (owner ?? 0) * info.keys[0].values.length + Math.max(0, copy - 1);
      const value = values[at] as Value;
      if (says_nothing(value) || is_zero(value, info)) return;
      const seat = info.kind === "player" && typeof value === "number" ? value : null;
      const label = label_of(info);
      if (value === true) place.note.push({ label: "", said: plainly(label), seat });
      else place.note.push({ label, said: said_of(value, info, from), seat });
    });
  }
}
