// Arranges tables of variables as rows of places before each player, such as kalah pits, or as score sheets. Pure.
import type { Arranging } from "./layout";
import type { EnumInfo, Value, VariableInfo } from "./protocol";
import { is_zero, label_of, plainly, said_of, says_nothing, team_area, type Said } from "./said";
import { target, type Target } from "./targets";

const kSheet = 6; // minimum number of keys of a sheet
const kRow = 13; // maximum number of places in a row
export const kTrack = 14; // number of keys from which a sheet is drawn as a track

// ---- parts of areas

// True if the variable is shown as a note at a zone of the same area part.
export function is_of_places(info: VariableInfo, { description, look }: Arranging): boolean {
  const { area, keys, list } = info;
  if (area === null || area === undefined || keys.length !== 1 || list) return false;
  if (area === team_area(description)) return false;
  return description.zones.some((zone) => zone.area === area && zone.board === null && !look.zone(zone.name).hidden);
}

const is_plain_table = (info: VariableInfo): boolean =>
  info.keys.length === 1 && info.placed === null && info.board === null && !info.list;

// ---- rows

// The values of a player, or of the table, at each place of a row.
export interface PlacesRow {
  key: string; // equal for related rows
  label: string;
  seat: number | null;
  me: boolean;
  back: boolean; // drawn from right to left, as seen by the player opposite
  area: number | null;
  several: boolean; // the row has several variables, so values need labels
  cells: { at: Target; key: string; values: { label: string; said: Said; none: boolean }[] }[];
}

export function is_in_row(info: VariableInfo, from: Arranging): boolean {
  if (!is_plain_table(info) || info.keys[0].kind !== "number" || is_of_places(info, from)) return false;
  const places = info.keys[0].values.length;
  if (places > kRow) return false;
  if (info.area !== null && info.area !== undefined) return places > 1 && info.area !== team_area(from.description);
  return info.owner && info.kind === "number" && places >= kSheet;
}

// Rows of the table first, then those of other seats clockwise from the left, and the own seat last.
export function rows_of(seats: readonly number[], from: Arranging): PlacesRow[] {
  const groups = new Map<string, number[]>();
  from.description.variables.forEach((info, number) => {
    if (!info || !is_in_row(info, from) || from.look.variable(info.name).hidden) return;
    if (!Array.isArray(from.things[`v${number}`])) return;
    const key = info.area === null || info.area === undefined ? `v${number}` : `a${info.area} ${info.owner}`;
    groups.set(key, [...(groups.get(key) ?? []), number]);
  });
  const out: PlacesRow[] = [];
  for (const [key, variables] of groups) {
    const [first] = variables.map((number) => from.description.variables[number]!);
    for (const seat of first.owner ? seats : [null]) out.push(row_of(key, variables, seat, from));
  }
  return out;
}

function row_of(key: string, variables: readonly number[], seat: number | null, from: Arranging): PlacesRow {
  const { description, me } = from;
  const infos = variables.map((number) => description.variables[number]!);
  const [first] = infos,
    area = first.area ?? null;
  const keys = first.keys[0].values;
  const cell = (i: number): PlacesRow["cells"][number] => ({
    at: target.part(variables[0], seat, i),
    key: keys[i],
    values: infos.flatMap((info, j) => {
      const value = (from.things[`v${variables[j]}`] as Value[])[(seat ?? 0) * keys.length + i];
      const label = label_of(info);
      if (says_nothing(value)) return [];
      if (value === true) return [{ label: "", said: plainly(label), none: false }];
      return [{ label, said: said_of(value, info, from), none: is_zero(value, info) }];
    }),
  });
  return {
    key: `${key} ${seat}`,
    label: area === null ? label_of(first) : description.areas[area].name.replaceAll("_", " "),
    seat,
    me: seat !== null && seat === me,
    back: me !== null && seat !== null && seat !== me && description.players === 2,
    area,
    several: variables.length > 1,
    cells: keys.map((_, i) => cell(i)),
  };
}

// ---- sheets

export interface SheetCell {
  said: Said;
  seat: number | null; // if the value is a player
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
}

const keys_id = ({ keys: [key] }: VariableInfo): string => JSON.stringify([key.kind, key.enum ?? null, key.values]);

// The variables of each sheet: those with the same keys share a sheet. A variable of the table alone needs others to be
// on a sheet.
export function on_sheets(from: Arranging): number[][] {
  const groups = new Map<string, number[]>();
  from.description.variables.forEach((info, number) => {
    if (!info || !is_plain_table(info) || !Array.isArray(from.things[`v${number}`])) return;
    const [{ kind, values }] = info.keys;
    if (values.length < kSheet || !["constant", "number"].includes(kind)) return;
    if (from.look.variable(info.name).hidden || is_of_places(info, from) || is_in_row(info, from)) return;
    const id = values.length < kTrack ? keys_id(info) : `${number}`;
    groups.set(id, [...(groups.get(id) ?? []), number]);
  });
  const of_players = (number: number): boolean => from.description.variables[number]!.owner;
  return [...groups.values()].filter((group) => group.length > 1 || of_players(group[0]));
}

export const sheets = (from: Arranging): Sheet[] => on_sheets(from).map((variables) => sheet_of(variables, from));

function sheet_of(variables: readonly number[], from: Arranging): Sheet {
  const { description } = from;
  const first = description.variables[variables[0]]!;
  const [key] = first.keys;
  const of = key.kind === "constant" && typeof key.enum === "number" ? description.enums[key.enum] : null;
  const noted = variables.map((number) => variable_group(number, from));
  const groups = [...(of && key.values.length < kTrack ? attribute_groups(of, key.values.length) : []), ...noted];
  return {
    variable: variables[0],
    label: groups.length > 1 ? (of?.name ?? "").replaceAll("_", " ") : label_of(first),
    keys: key.values.map((words) => words.replaceAll("_", " ")),
    numbers: key.kind === "number",
    groups,
  };
}

function variable_group(number: number, from: Arranging): SheetGroup {
  const info = from.description.variables[number]!;
  const values = from.things[`v${number}`] as Value[],
    size = info.keys[0].values.length,
    zeros = !values.includes(null);
  const cell = (value: Value): SheetCell | null => {
    if (says_nothing(value) || (zeros && is_zero(value, info))) return null;
    return {
      said: said_of(value, info, from),
      seat: info.kind === "player" && typeof value === "number" ? value : null,
    };
  };
  const seats = info.owner ? Array.from({ length: from.description.players }, (_, seat) => seat) : [null];
  const of = (seat: number | null): Value[] => values.slice((seat ?? 0) * size, ((seat ?? 0) + 1) * size);
  return { label: label_of(info), columns: seats.map((seat) => ({ seat, cells: of(seat).map(cell) })) };
}

// The number attributes of constants, such as the length of a path.
function attribute_groups(of: EnumInfo, size: number): SheetGroup[] {
  const is_number = (value: unknown): boolean => value === null || typeof value === "number";
  return (of.attributes ?? [])
    .filter(({ values }) => values.length === size && values.every(is_number) && values.some((value) => value !== null))
    .map(({ name, values }) => ({
      label: name.replaceAll("_", " "),
      columns: [
        {
          seat: null,
          cells: values.map((value) => (value === null ? null : { said: plainly(`${value}`), seat: null })),
        },
      ],
    }));
}
