// Narrows down options: each click or drag picks one thing on the table, until one option remains. Pure functions.
import { sharedWords } from "./question_text";
import { numberKey, partKey, type Layout } from "./layout";
import { target, type Target } from "./targets";
import type { ActionInfo, Option, Part } from "./protocol";

// The parts of the layout that options can name.
export type Drawn = Pick<Layout, "targets" | "sheets" | "parts" | "named">;

// Returns the place that the text of an option without targets names, such as "Draw from the stock"; null if there is
// none or more than one.
function impliedTarget({ words }: Option, { named }: Drawn): Target | null {
  const text = wordsOf(words);
  const found = [...named].filter(([name]) => text.includes(wordsOf(name)));
  return found.length === 1 ? found[0][1] : null;
}

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(" ")} `.replace(/ +/g, " ");

// Returns the sheet lines of a constant or number that is a key, or the row place of one of the player's own numbers.
function linesOf(part: Part, { sheets, parts }: Drawn): Target[] {
  const mine = part.kind === "number" ? parts.get(numberKey(part.words)) : undefined;
  if (mine) return mine;
  return sheets
    .filter((sheet) => sheet.numbers === (part.kind === "number"))
    .flatMap((sheet) => {
      const key = sheet.keys.indexOf(part.words.replaceAll("_", " "));
      return key < 0 ? [] : [target.key(sheet.variable, key)];
    });
}

// Returns the targets for a part of an option, one of which must be picked. Empty if none of them is drawn.
export function targetsOf(part: Part, table: Drawn): Target[] {
  const visible = table.targets;
  if (["constant", "number", "direction"].includes(part.kind) && part.cell === undefined) return linesOf(part, table);
  const found: Target[] = [];
  if (part.area !== undefined && part.index !== undefined)
    return (table.parts.get(partKey(part.area, part.owner ?? null, part.index)) ?? []).filter((one) =>
      visible.has(one),
    );
  if (part.print !== undefined) for (const zone of part.zones ?? []) found.push(target.card(zone, part.print));
  else if (part.zone !== undefined) found.push(target.zone(part.zone));
  else if (part.seat !== undefined) found.push(target.seat(part.seat));
  else if (part.cell !== undefined) found.push(target.cell(part.board ?? 0, part.cell));
  else if (part.edge !== undefined) found.push(target.edge(part.board ?? 0, part.edge));
  else if (part.piece !== undefined) found.push(target.piece(part.piece[0], part.piece[1]));
  const matches = found.filter((one) => visible.has(one));
  // A card inside a pile is represented by the pile.
  if (!matches.length && part.print !== undefined)
    return (part.zones ?? []).map((zone) => target.zone(zone)).filter((one) => visible.has(one));
  return matches;
}

// Targets of which one must be picked; `last` rows come after the others, such as a destination after a piece.
interface Row {
  any: Target[];
  last: boolean;
}

// Returns all rows of targets of an option.
function rowsOf(option: Option, drawn: Drawn): Row[] {
  const rows: Row[] = [];
  const add = (part: Part): void => {
    const any = targetsOf(part, drawn);
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

const firstOf = (rows: Row[]): Row[] => (rows.every((row) => row.last) ? rows : rows.filter((row) => !row.last));

// Returns the rows that remain of an option after these picks; null if the picks exclude it. Equal cards can be picked
// several times; other targets count once for all parts that name them.
export function remainingRows(option: Option, picks: readonly Target[], drawn: Drawn): Target[][] | null {
  let rows = rowsOf(option, drawn);
  if (!rows.length && picks.length === 1 && picks[0] === impliedTarget(option, drawn)) return [];
  for (const pick of picks) {
    if (pick.startsWith("a:")) {
      if (pick !== target.action(option.action) || picks.filter((one) => one === pick).length > 1) return null;
      continue;
    }
    const matching = firstOf(rows).find((row) => row.any.includes(pick));
    if (!matching) return null;
    const card = pick.startsWith("c:");
    rows = rows.filter((row) => (card ? row !== matching : row.last !== matching.last || !row.any.includes(pick)));
  }
  return firstOf(rows).map((row) => row.any);
}

export interface Narrowed {
  options: Option[]; // options that match the picks
  next: Map<Target, number>; // targets that can be picked, with the number of options that remain
  buttons: Option[]; // options that need no further pick
}

export function narrow(options: readonly Option[], picks: readonly Target[], drawn: Drawn): Narrowed {
  const out: Narrowed = { options: [], next: new Map(), buttons: [] };
  for (const option of options) {
    const left = remainingRows(option, picks, drawn);
    if (!left) continue;
    out.options.push(option);
    for (const one of new Set(left.flat())) out.next.set(one, (out.next.get(one) ?? 0) + 1);
    if (left.length) continue;
    out.buttons.push(option);
    const implied = picks.length ? null : impliedTarget(option, drawn);
    if (implied !== null) out.next.set(implied, (out.next.get(implied) ?? 0) + 1);
  }
  return out;
}

// A button that starts an action whose options all need targets.
export interface ActionStart {
  action: number;
  words: string; // "Steal from …, as a Rogue"
}

// Creates start buttons if several actions are possible, because a target alone would be ambiguous. Cards imply their
// action. Actions with a single remaining option are in `single` instead.
export function actionStarts(
  { options, buttons }: Pick<Narrowed, "options" | "buttons">,
  actions: readonly ActionInfo[],
): { actionStarts: ActionStart[]; single: Option[] } {
  const out: { actionStarts: ActionStart[]; single: Option[] } = { actionStarts: [], single: [] };
  const offered = [...new Set(options.map((option) => option.action))];
  const choices = offered.filter((action) => !["pass", "done"].includes(actions[action]?.kind));
  if (choices.length < 2) return out;
  for (const action of choices) {
    const matching = options.filter((option) => option.action === action);
    if (actions[action]?.kind !== "use" || buttons.some((option) => option.action === action)) continue;
    if (matching.length === 1) out.single.push(matching[0]);
    else out.actionStarts.push({ action, words: startText(matching, actions[action]) });
  }
  // Appends the name of the action to identical texts.
  const isAmbiguous = (words: string): boolean => out.actionStarts.filter((one) => one.words === words).length > 1;
  const labelled = out.actionStarts.map(({ action, words }) => ({
    action,
    words: isAmbiguous(words) ? `${words} (${actions[action].words})` : words,
  }));
  return { ...out, actionStarts: labelled };
}

export function startText(options: readonly Option[], action: ActionInfo): string {
  const words = sharedWords([...new Set(options.map((option) => option.words))]);
  return /\p{L}/u.test(words) ? words : `${action.words.charAt(0).toUpperCase()}${action.words.slice(1)} …`;
}

// Returns the action whose start button was picked; null: none.
export const startedAction = (picks: readonly Target[]): number | null => {
  const pick = picks.find((one) => one.startsWith("a:"));
  return pick === undefined ? null : Number(pick.slice(2));
};

export type Picked =
  | { kind: "taken"; option: Option } // one option remains
  | { kind: "narrowed"; picks: Target[] }
  | { kind: "dropped"; picks: Target[] } // the target was picked before and is now deselected
  | { kind: "not offered" };

// Returns the result of a click on a target. Clicking a picked target deselects it; a target that does not match the
// picks but is offered starts a new selection.
export function pickTarget(options: readonly Option[], picks: readonly Target[], at: Target, drawn: Drawn): Picked {
  for (const before of [picks, [] as Target[]]) {
    if (before.length < picks.length && picks.includes(at)) break;
    const next = [...before, at];
    const { options: matching } = narrow(options, next, drawn);
    if (matching.length === 1) return { kind: "taken", option: matching[0] };
    if (matching.length) return { kind: "narrowed", picks: next };
  }
  const before = picks.lastIndexOf(at);
  if (before >= 0) return { kind: "dropped", picks: picks.filter((_, i) => i !== before) };
  return { kind: "not offered" };
}

// Returns the targets that options name, which must be visible.
export function namedTargets(options: readonly Option[]): Set<Target> {
  const out = new Set<Target>();
  for (const option of options)
    for (const part of option.parts) {
      if (part.area !== undefined && part.index !== undefined)
        out.add(partKey(part.area, part.owner ?? null, part.index));
      for (const zone of part.zones ?? [])
        for (const print of part.print !== undefined ? [part.print] : (part.prints ?? []))
          out.add(target.card(zone, print));
    }
  return out;
}

// ---- buttons

export interface Slider {
  kind: "slider";
  part: string; // the part with the chosen number
  options: { value: number; option: Option }[];
}
export type Control = { kind: "button"; option: Option } | Slider;

const kMinSliderOptions = 5; // minimum length of a series of numbers for a slider

function withoutNumber(option: Option): string | null {
  const numbers = option.parts.filter((part) => part.kind === "number" && typeof part.value === "number");
  if (numbers.length !== 1) return null;
  const rest = option.parts.filter((part) => part !== numbers[0]).map((part) => `${part.name}=${part.words}`);
  return [option.action, numbers[0].name, ...rest].join("|");
}

const numberPart = (option: Option): Part => option.parts.find((part) => part.kind === "number")!;

// Returns controls in the order of the options. Five or more options that differ only in consecutive numbers share a
// slider; passing comes last.
export function controls(options: readonly Option[], isPass: (option: Option) => boolean): Control[] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const key = withoutNumber(option);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  const out: Control[] = [];
  const done = new Set<string>();
  for (const option of options) {
    const key = withoutNumber(option);
    const group = key === null ? [] : groups.get(key)!;
    const values = group.map((one) => numberPart(one).value as number);
    const consecutive = values.every((value, i) => i === 0 || value === values[i - 1] + 1);
    if (key === null || group.length < kMinSliderOptions || !consecutive) out.push({ kind: "button", option });
    else if (!done.has(key)) {
      done.add(key);
      out.push({
        kind: "slider",
        part: numberPart(option).name,
        options: group.map((one, i) => ({ value: values[i], option: one })),
      });
    }
  }
  const last = (control: Control): boolean => control.kind === "button" && isPass(control.option);
  return [...out.filter((one) => !last(one)), ...out.filter(last)];
}
