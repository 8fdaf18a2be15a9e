// Arranges tables of variables as rows of places before each player, such as kalah pits, or as score sheets. Pure
// functions.
import type { LayoutInput } from "./layout";
import type { EnumInfo, Value, VariableInfo } from "./protocol";
import { isZero, labelOf, plainText, valueText, isOmitted, teamArea, type ValueText } from "./value_text";
import { target, type Target } from "./targets";

const kMinSheetKeys = 6; // minimum number of keys of a sheet
const kMaxRowPlaces = 13; // maximum number of places in a row
export const kMinTrackKeys = 14; // number of keys from which a sheet is drawn as a track

// ---- parts of areas

// Returns true if the variable is shown as a note at a zone of the same area part.
export function isPlaceNote(info: VariableInfo, { description, theme }: LayoutInput): boolean {
  const { area, keys, list } = info;
  if (area === null || area === undefined || keys.length !== 1 || list) return false;
  if (area === teamArea(description)) return false;
  return description.zones.some((zone) => zone.area === area && zone.board === null && !theme.zone(zone.name).hidden);
}

const isPlainTable = (info: VariableInfo): boolean =>
  info.keys.length === 1 && info.placed === null && info.board === null && !info.list;

// ---- rows

// The values of a player, or of the table, at each place of a row.
export interface PlacesRow {
  key: string; // equal for related rows
  label: string;
  seat: number | null;
  me: boolean;
  reversed: boolean; // drawn from right to left, as seen by the player opposite
  area: number | null;
  several: boolean; // the row has several variables, so values need labels
  cells: { at: Target; key: string; values: { label: string; value: ValueText; zero: boolean }[] }[];
}

export function isInRow(info: VariableInfo, input: LayoutInput): boolean {
  if (!isPlainTable(info) || info.keys[0].kind !== "number" || isPlaceNote(info, input)) return false;
  const places = info.keys[0].values.length;
  if (places > kMaxRowPlaces) return false;
  if (info.area !== null && info.area !== undefined) return places > 1 && info.area !== teamArea(input.description);
  return info.owner && info.kind === "number" && places >= kMinSheetKeys;
}

// Returns the rows of the table first, then those of other seats clockwise from the left, and those of the player's own
// seat last.
export function rowsOf(seats: readonly number[], input: LayoutInput): PlacesRow[] {
  const groups = new Map<string, number[]>();
  input.description.variables.forEach((info, number) => {
    if (!info || !isInRow(info, input) || input.theme.variable(info.name).hidden) return;
    if (!Array.isArray(input.things[`v${number}`])) return;
    const key = info.area === null || info.area === undefined ? `v${number}` : `a${info.area} ${info.owner}`;
    groups.set(key, [...(groups.get(key) ?? []), number]);
  });
  const out: PlacesRow[] = [];
  for (const [key, variables] of groups) {
    const [first] = variables.map((number) => input.description.variables[number]!);
    for (const seat of first.owner ? seats : [null]) out.push(rowOf(key, variables, seat, input));
  }
  return out;
}

function rowOf(key: string, variables: readonly number[], seat: number | null, input: LayoutInput): PlacesRow {
  const { description, me } = input;
  const infos = variables.map((number) => description.variables[number]!);
  const [first] = infos,
    area = first.area ?? null;
  const keys = first.keys[0].values;
  const cell = (i: number): PlacesRow["cells"][number] => ({
    at: target.part(variables[0], seat, i),
    key: keys[i],
    values: infos.flatMap((info, j) => {
      const value = (input.things[`v${variables[j]}`] as Value[])[(seat ?? 0) * keys.length + i];
      const label = labelOf(info);
      if (isOmitted(value)) return [];
      if (value === true) return [{ label: "", value: plainText(label), zero: false }];
      return [{ label, value: valueText(value, info, input), zero: isZero(value, info) }];
    }),
  });
  return {
    key: `${key} ${seat}`,
    label: area === null ? labelOf(first) : description.areas[area].name.replaceAll("_", " "),
    seat,
    me: seat !== null && seat === me,
    reversed: me !== null && seat !== null && seat !== me && description.players === 2,
    area,
    several: variables.length > 1,
    cells: keys.map((_, i) => cell(i)),
  };
}

// ---- sheets

export interface SheetCell {
  value: ValueText;
  seat: number | null; // the seat, if the value is a player
}

// A variable or attribute, with one column or a column for each player.
export interface SheetGroup {
  label: string;
  columns: { seat: number | null; cells: (SheetCell | null)[] }[]; // by key; null: not worth showing
}

// Values of each player and the table for several keys: a score sheet, or the points of a track.
export interface Sheet {
  variable: number; // the first variable
  label: string;
  keys: string[];
  numbers: boolean; // the keys are numbers: places in a row
  groups: SheetGroup[];
  track: TrackBoard | null; // the theme draws the sheet as a board of points
}

// A place of a track. Its number and its target are those of the observer.
export interface TrackPoint {
  index: number; // index of the key
  men: { seat: number | null; n: number }[];
}

// A track of points in two rows, as seen by the observer, whose first point is at the lower right. Further places,
// such as a bar, are in the middle.
export interface TrackBoard {
  points: TrackPoint[];
  rest: TrackPoint[];
}

// Returns the men of each seat on each point. If players count from opposite ends, the point n of one player is the
// point N + 1 - n of all others.
function trackOf(variable: number, input: LayoutInput): TrackBoard | null {
  const info = input.description.variables[variable]!;
  const { track, mirrored } = input.theme.variable(info.name);
  const size = info.keys[0].values.length;
  if (track === null || track > size || info.kind !== "number") return null;
  const values = input.things[`v${variable}`] as Value[];
  const seats = info.owner ? Array.from({ length: input.description.players }, (_, seat) => seat) : [null];
  const me = input.me ?? 0;
  const men = (index: number): TrackPoint["men"] =>
    seats.flatMap((seat) => {
      const opposite = mirrored && seat !== null && seat !== me && index < track;
      const value = values[(seat ?? 0) * size + (opposite ? track - 1 - index : index)];
      return typeof value === "number" && value > 0 ? [{ seat, n: value }] : [];
    });
  const all = Array.from({ length: size }, (_, index) => ({ index, men: men(index) }));
  return { points: all.slice(0, track), rest: all.slice(track) };
}

const keysId = ({ keys: [key] }: VariableInfo): string => JSON.stringify([key.kind, key.enum ?? null, key.values]);

// Returns the variables of each sheet: those with the same keys share a sheet. A single variable of the table does not
// form a sheet.
export function sheetVariables(input: LayoutInput): number[][] {
  const groups = new Map<string, number[]>();
  input.description.variables.forEach((info, number) => {
    if (!info || !isPlainTable(info) || !Array.isArray(input.things[`v${number}`])) return;
    const [{ kind, values }] = info.keys;
    if (values.length < kMinSheetKeys || !["constant", "number"].includes(kind)) return;
    if (input.theme.variable(info.name).hidden || isPlaceNote(info, input) || isInRow(info, input)) return;
    const id = values.length < kMinTrackKeys ? keysId(info) : `${number}`;
    groups.set(id, [...(groups.get(id) ?? []), number]);
  });
  const isByPlayer = (number: number): boolean => input.description.variables[number]!.owner;
  return [...groups.values()].filter((group) => group.length > 1 || isByPlayer(group[0]));
}

export const sheets = (input: LayoutInput): Sheet[] =>
  sheetVariables(input).map((variables) => sheetOf(variables, input));

function sheetOf(variables: readonly number[], input: LayoutInput): Sheet {
  const { description } = input;
  const first = description.variables[variables[0]]!;
  const [key] = first.keys;
  const of = key.kind === "constant" && typeof key.enum === "number" ? description.enums[key.enum] : null;
  const variableGroups = variables.map((number) => variableGroup(number, input));
  const groups = [
    ...(of && key.values.length < kMinTrackKeys ? attributeGroups(of, key.values.length) : []),
    ...variableGroups,
  ];
  return {
    variable: variables[0],
    label: groups.length > 1 ? (of?.name ?? "").replaceAll("_", " ") : labelOf(first),
    keys: key.values.map((words) => words.replaceAll("_", " ")),
    numbers: key.kind === "number",
    groups,
    track: trackOf(variables[0], input),
  };
}

function variableGroup(number: number, input: LayoutInput): SheetGroup {
  const info = input.description.variables[number]!;
  const values = input.things[`v${number}`] as Value[],
    size = info.keys[0].values.length,
    zeros = !values.includes(null);
  const cell = (value: Value): SheetCell | null => {
    if (isOmitted(value) || (zeros && isZero(value, info))) return null;
    return {
      value: valueText(value, info, input),
      seat: info.kind === "player" && typeof value === "number" ? value : null,
    };
  };
  const seats = info.owner ? Array.from({ length: input.description.players }, (_, seat) => seat) : [null];
  const of = (seat: number | null): Value[] => values.slice((seat ?? 0) * size, ((seat ?? 0) + 1) * size);
  return { label: labelOf(info), columns: seats.map((seat) => ({ seat, cells: of(seat).map(cell) })) };
}

// Returns the number attributes of constants, such as the length of a path.
function attributeGroups(of: EnumInfo, size: number): SheetGroup[] {
  const isNumber = (value: unknown): boolean => value === null || typeof value === "number";
  return (of.attributes ?? [])
    .filter(({ values }) => values.length === size && values.every(isNumber) && values.some((value) => value !== null))
    .map(({ name, values }) => ({
      label: name.replaceAll("_", " "),
      columns: [
        {
          seat: null,
          cells: values.map((value) => (value === null ? null : { value: plainText(`${value}`), seat: null })),
        },
      ],
    }));
}
