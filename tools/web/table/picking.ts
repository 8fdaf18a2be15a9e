// Narrowing: a click or a drag picks one thing on the table after another, until one option is left. Pure.
import { shared_words } from "./asking";
import { number_key, part_key, type Layout } from "./layout";
import { target, type Target } from "./targets";
import type { ActionInfo, Option, Part } from "./protocol";

// What is drawn, as far as options can name it.
export type Drawn = Pick<Layout, "targets" | "sheets" | "parts">;

// A constant or number that is a key of a sheet: the line of the sheet. A number of mine in a row: its place there.
function lines_of(part: Part, { sheets, parts }: Drawn): Target[] {
  const mine = part.kind === "number" ? parts.get(number_key(part.words)) : undefined;
  if (mine) return mine;
  return sheets
    .filter((sheet) => sheet.numbers === (part.kind === "number"))
    .flatMap((sheet) => {
      const key = sheet.keys.indexOf(part.words.replaceAll("_", " "));
      return key < 0 ? [] : [target.key(sheet.variable, key)];
    });
}

// What a part of an option names on the table: one of these has to be picked. Empty: nothing that is drawn.
export function targets_of(part: Part, table: Drawn): Target[] {
  const shown = table.targets;
  if (["constant", "number", "direction"].includes(part.kind) && part.cell === undefined) return lines_of(part, table);
  const found: Target[] = [];
  if (part.area !== undefined && part.index !== undefined)
    return (table.parts.get(part_key(part.area, part.owner ?? null, part.index)) ?? []).filter((one) => shown.has(one));
  if (part.print !== undefined) for (const zone of part.zones ?? []) found.push(target.card(zone, part.print));
  else if (part.zone !== undefined) found.push(target.zone(part.zone));
  else if (part.seat !== undefined) found.push(target.seat(part.seat));
  else if (part.cell !== undefined) found.push(target.cell(part.board ?? 0, part.cell));
  else if (part.edge !== undefined) found.push(target.edge(part.board ?? 0, part.edge));
  else if (part.piece !== undefined) found.push(target.piece(part.piece[0], part.piece[1]));
  const drawn = found.filter((one) => shown.has(one));
  // a card that lies somewhere in a pile is pointed at by the pile
  if (!drawn.length && part.print !== undefined)
    return (part.zones ?? []).map((zone) => target.zone(zone)).filter((one) => shown.has(one));
  return drawn;
}

// Things of which any one has to be picked; `last`: when the others of the option are, as whither comes after who.
interface Row {
  any: Target[];
  last: boolean;
}

// All that the parts of an option name, a row for each thing that has to be picked.
function rows_of(option: Option, shown: Drawn): Row[] {
  const rows: Row[] = [];
  const add = (part: Part): void => {
    const any = targets_of(part, shown);
    if (any.length) rows.push({ any, last: part.kind === "direction" && part.cell !== undefined });
  };
  for (const part of option.parts) {
    if (part.prints || part.cells || part.edges) {
      for (const print of part.prints ?? []) add({ ...part, print, prints: undefined });
      for (const cell of part.cells ?? []) add({ ...part, cell, cells: undefined });
      for (const edge of part.edges ?? []) add({ ...part, edge, edges: undefined });
    } else {
      add(part);
    }
  }
  return rows;
}

const first_of = (rows: Row[]): Row[] => (rows.every((row) => row.last) ? rows : rows.filter((row) => !row.last));

// What is to be picked next of an option after these picks; null: it is none of those that are meant. Of equal cards
// each pick is one; anything else is there once, so one pick is all that an option says of it, however often.
export function left_of(option: Option, picks: readonly Target[], shown: Drawn): Target[][] | null {
  let rows = rows_of(option, shown);
  for (const pick of picks) {
    if (pick.startsWith("a:")) {
      if (pick !== target.action(option.action) || picks.filter((one) => one === pick).length > 1) return null;
      continue;
    }
    const meant = first_of(rows).find((row) => row.any.includes(pick));
    if (!meant) return null;
    const card = pick.startsWith("c:");
    rows = rows.filter((row) => (card ? row !== meant : row.last !== meant.last || !row.any.includes(pick)));
  }
  return first_of(rows).map((row) => row.any);
}

export interface Narrowed {
  options: Option[]; // those that are still meant
  next: Map<Target, number>; // what can be picked, and how many options that leaves
  buttons: Option[]; // those of which nothing on the table is left to pick
}

export function narrow(options: readonly Option[], picks: readonly Target[], shown: Drawn): Narrowed {
  const out: Narrowed = { options: [], next: new Map(), buttons: [] };
  for (const option of options) {
    const left = left_of(option, picks, shown);
    if (!left) continue;
    out.options.push(option);
    for (const one of new Set(left.flat())) out.next.set(one, (out.next.get(one) ?? 0) + 1);
    if (!left.length) out.buttons.push(option);
  }
  return out;
}

// Something to do of which each option needs something to be pointed at: a button by which that is begun.
export interface Beginning {
  action: number;
  words: string; // "Steal from …, as a Rogue"
}

// Beginnings where there are several things to do, so that a thing that can be picked doesn't say what for. Cards say
// it. What has a single option left is not begun but done: it is among `single`.
export function beginnings(
  { options, buttons }: Pick<Narrowed, "options" | "buttons">,
  actions: readonly ActionInfo[],
): { beginnings: Beginning[]; single: Option[] } {
  const out: { beginnings: Beginning[]; single: Option[] } = { beginnings: [], single: [] };
  const offered = [...new Set(options.map((option) => option.action))];
  const to_do = offered.filter((action) => !["pass", "done"].includes(actions[action]?.kind));
  if (to_do.length < 2) return out;
  for (const action of to_do) {
    const of = options.filter((option) => option.action === action);
    if (actions[action]?.kind !== "use" || buttons.some((option) => option.action === action)) continue;
    if (of.length === 1) out.single.push(of[0]);
    else out.beginnings.push({ action, words: begun_words(of, actions[action]) });
  }
  // what reads alike is called by its name besides
  const alike = (words: string): boolean => out.beginnings.filter((one) => one.words === words).length > 1;
  const named = out.beginnings.map(({ action, words }) => ({
    action,
    words: alike(words) ? `${words} (${actions[action].words})` : words,
  }));
  return { ...out, beginnings: named };
}

export function begun_words(options: readonly Option[], action: ActionInfo): string {
  const words = shared_words([...new Set(options.map((option) => option.words))]);
  return /\p{L}/u.test(words) ? words : `${action.words.charAt(0).toUpperCase()}${action.words.slice(1)} …`;
}

// The action that was picked to begin with; null: none was.
export const begun = (picks: readonly Target[]): number | null => {
  const pick = picks.find((one) => one.startsWith("a:"));
  return pick === undefined ? null : Number(pick.slice(2));
};

export type Picked =
  | { kind: "taken"; option: Option } // one is left
  | { kind: "narrowed"; picks: Target[] }
  | { kind: "dropped"; picks: Target[] } // picked before: taken back
  | { kind: "not offered" };

// What comes of pointing at a thing. Pointing at one that is picked takes it back; one that doesn't go with what is
// picked, but is offered, begins anew.
export function point(options: readonly Option[], picks: readonly Target[], at: Target, shown: Drawn): Picked {
  for (const before of [picks, [] as Target[]]) {
    if (before.length < picks.length && picks.includes(at)) break;
    const next = [...before, at];
    const { options: meant } = narrow(options, next, shown);
    if (meant.length === 1) return { kind: "taken", option: meant[0] };
    if (meant.length) return { kind: "narrowed", picks: next };
  }
  const before = picks.lastIndexOf(at);
  if (before >= 0) return { kind: "dropped", picks: picks.filter((_, i) => i !== before) };
  return { kind: "not offered" };
}

// The names that options have for things: what is drawn openly because of them.
export function named(options: readonly Option[]): Set<Target> {
  const out = new Set<Target>();
  for (const option of options)
    for (const part of option.parts) {
      if (part.area !== undefined && part.index !== undefined)
        out.add(part_key(part.area, part.owner ?? null, part.index));
      for (const zone of part.zones ?? [])
        for (const print of part.print !== undefined ? [part.print] : (part.prints ?? []))
          out.add(target.card(zone, print));
    }
  return out;
}

// ---- buttons

export interface Slider {
  kind: "slider";
  part: string; // the number that is chosen
  options: { value: number; option: Option }[];
}
export type Control = { kind: "button"; option: Option } | Slider;

const kSlider = 5; // so many numbers in a row, or more

function without_number(option: Option): string | null {
  const numbers = option.parts.filter((part) => part.kind === "number" && typeof part.value === "number");
  if (numbers.length !== 1) return null;
  const rest = option.parts.filter((part) => part !== numbers[0]).map((part) => `${part.name}=${part.words}`);
  return [option.action, numbers[0].name, ...rest].join("|");
}

const number_in = (option: Option): Part => option.parts.find((part) => part.kind === "number")!;

// Buttons in the order offered; what differs in a number only, five or more in a row, is one slider; passing comes
// last.
export function controls(options: readonly Option[], is_pass: (option: Option) => boolean): Control[] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const key = without_number(option);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  const out: Control[] = [];
  const done = new Set<string>();
  for (const option of options) {
    const key = without_number(option);
    const group = key === null ? [] : groups.get(key)!;
    const values = group.map((one) => number_in(one).value as number);
    const in_a_row = values.every((value, i) => i === 0 || value === values[i - 1] + 1);
    if (key === null || group.length < kSlider || !in_a_row) out.push({ kind: "button", option });
    else if (!done.has(key)) {
      done.add(key);
      out.push({
        kind: "slider",
        part: number_in(option).name,
        options: group.map((one, i) => ({ value: values[i], option: one })),
      });
    }
  }
  const last = (control: Control): boolean => control.kind === "button" && is_pass(control.option);
  return [...out.filter((one) => !last(one)), ...out.filter(last)];
}
