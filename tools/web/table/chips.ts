// Formats variables as chips at a seat or on the table, and as notes at the places of an area. Pure functions.
import type { LayoutInput, Place } from "./layout";
import type { Value, VariableInfo } from "./protocol";
import {
  fullText,
  isZero,
  keyTexts,
  labelOf,
  printName,
  plainText,
  valueText,
  isOmitted,
  kUnknown,
  type ValueText,
} from "./value_text";
import { isInRow, isPlaceNote, sheetVariables } from "./sheets";

export type Chip =
  | {
      kind: "number";
      variable: number;
      label: string;
      value: number;
      max: number | null;
      tokens: string | null;
      score: boolean; // a score, according to its name
    }
  | { kind: "tag"; variable: number; label: string; value: ValueText }
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
  | { kind: "table"; variable: number; label: string; rows: { key: string; value: ValueText; seat: number | null }[] };

const kMaxTokens = 10; // maximum number of drawn tokens, unless the theme sets another
const kMaxPips = 5; // numbers with a higher bound are shown as digits, because such a bound is often only a safeguard
const kMaxFullKeys = 12; // larger tables omit entries without information

function tableChip(number: number, info: VariableInfo, values: Value[], input: LayoutInput): Chip | null {
  const keys = keyTexts(info, input.description);
  const zeros = keys.length > kMaxFullKeys && !values.includes(null);
  const isHidden = (value: Value): boolean => isOmitted(value) || (zeros && isZero(value, info));
  const isByPlayer = info.keys.length === 1 && info.keys[0].kind === "player";
  const rows = keys
    .map((key, i) => ({ key, value: valueText(values[i], info, input), seat: isByPlayer ? i : null, i }))
    .filter(({ i }) => !isHidden(values[i]));
  return rows.length ? { kind: "table", variable: number, label: labelOf(info), rows } : null;
}

// Formats a table with cards as keys: the values that differ from the most common one.
function cardChip(number: number, info: VariableInfo, cards: [number, Value][], input: LayoutInput): Chip | null {
  const rows = cards
    .filter(([, value]) => !isOmitted(value))
    .map(([print, value]) => ({
      key: printName(print, input.description),
      value: valueText(value, info, input),
      seat: null,
    }));
  return rows.length ? { kind: "table", variable: number, label: labelOf(info), rows } : null;
}

// Matches names of scores. A name does not reveal whether high or low scores are better.
const kScoreNames = /^(\w+_)?(score|scores|points|total|won|wins|victories)$/;

export const isScore = (chip: Chip): boolean => chip.kind === "number" && chip.score;

function chipOf(number: number, info: VariableInfo, value: Value | undefined, input: LayoutInput): Chip | null {
  if (isOmitted(value)) return null;
  const label = labelOf(info);
  if (value === kUnknown) return { kind: "tag", variable: number, label, value: plainText(kUnknown) };
  const { tokens, max } = input.theme.variable(info.name);
  if (!info.list && info.kind === "number" && typeof value === "number")
    return {
      kind: "number",
      variable: number,
      label,
      value,
      tokens,
      score: info.owner && kScoreNames.test(info.name),
      max: max ?? (tokens ? kMaxTokens : (info.from ?? -1) >= 0 && (info.to ?? 99) <= kMaxPips ? info.to! : null),
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
  if (value === true) return { kind: "tag", variable: number, label: "", value: plainText(label) };
  return { kind: "tag", variable: number, label, value: valueText(value, info, input) };
}

function diceChip(number: number, info: VariableInfo, values: Value[], input: LayoutInput): Chip | null {
  const placed = info.placed === null ? undefined : input.description.placed[info.placed];
  if (info.placed === null || !placed?.faces || (placed.face ?? number) !== number) return null;
  return {
    kind: "dice",
    variable: number,
    label: placed.name.replaceAll("_", " "),
    placed: info.placed,
    faces: values.map((value) => fullText(valueText(value, info, input))),
    ...input.theme.piece(placed.name),
  };
}

// Returns true if a board shows the table.
const shownOnBoard = (variable: number, { description }: LayoutInput): boolean =>
  description.boards.some(({ shows, shows_on_edges: showsOnEdges }) =>
    [shows?.variable, showsOnEdges?.variable].includes(variable),
  );

// Returns true for a number that is 0 for all players and is not a score: it mostly means that nothing has happened yet.
function isNothingYet(info: VariableInfo, values: readonly Value[], input: LayoutInput): boolean {
  const { tokens, max } = input.theme.variable(info.name);
  const isPlain = info.kind === "number" && !info.keys.length && !info.list && tokens === null && max === null;
  return isPlain && !kScoreNames.test(info.name) && values.every((value) => value === 0);
}

// Returns true for the place of cards on a board, which the board shows.
const isPlaceOnBoard = ({ board, keys }: VariableInfo): boolean => board !== null && keys[0]?.kind === "card";

export function chips(seat: number | null, input: LayoutInput): Chip[] {
  const out: Chip[] = [];
  const onSheets = new Set(sheetVariables(input).flat());
  input.description.variables.forEach((info, number) => {
    if (!info || info.owner !== (seat !== null) || input.theme.variable(info.name).hidden) return;
    if (
      isPlaceOnBoard(info) ||
      isPlaceNote(info, input) ||
      isInRow(info, input) ||
      onSheets.has(number) ||
      shownOnBoard(number, input)
    )
      return;
    const thing = input.things[`v${number}`] as Value[] | { cards: [number, Value][][] } | undefined;
    if (info.board !== null && info.placed === null && !info.keys.length) return; // shown by the board
    if (thing && !Array.isArray(thing)) {
      const chip = cardChip(number, info, thing.cards[seat ?? 0] ?? [], input);
      return chip ? void out.push(chip) : undefined;
    }
    const values = thing;
    if (!Array.isArray(values)) return;
    if (isNothingYet(info, values, input)) return;
    const dice = seat === null ? diceChip(number, info, values, input) : null;
    if (dice) return void out.push(dice);
    if (info.placed !== null) return; // shown by pieces
    const size = info.keys.reduce((n, key) => n * key.values.length, 1);
    const mine = seat === null ? values : values.slice(seat * size, (seat + 1) * size);
    const chip = info.keys.length ? tableChip(number, info, mine, input) : chipOf(number, info, mine[0], input);
    if (chip) out.push(chip);
  });
  return out;
}

// Adds the notes of each part of an area (`area line x 5 { owner: player? }`) to its first zone. Values none, no and 0
// are omitted, since they mostly mean that nothing has happened yet.
export function addNotes(all: readonly Place[], input: LayoutInput): void {
  const done = new Set<string>();
  for (const place of all) {
    const { area, copy, owner } = input.description.zones[place.zone];
    const part = `${area} ${owner} ${copy}`;
    if (area === null || area === undefined || done.has(part)) continue;
    done.add(part);
    input.description.variables.forEach((info, number) => {
      const values = input.things[`v${number}`];
      if (!info || info.area !== area || !Array.isArray(values) || !isPlaceNote(info, input)) return;
      if (info.owner !== (owner !== null) || input.theme.variable(info.name).hidden) return;
      const at = (owner ?? 0) * info.keys[0].values.length + Math.max(0, copy - 1);
      const value = values[at] as Value;
      if (isOmitted(value) || isZero(value, info)) return;
      const seat = info.kind === "player" && typeof value === "number" ? value : null;
      const label = labelOf(info);
      if (value === true) place.notes.push({ label: "", value: plainText(label), seat });
      else place.notes.push({ label, value: valueText(value, info, input), seat });
    });
  }
}
