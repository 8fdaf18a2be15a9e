// Formats values as text: variables, constants with the settings of the theme, and cards. Pure functions.
import { constantOf, type Theme } from "./theme";
import type { Description, EnumInfo, Value, VariableInfo } from "./protocol";

export interface TextContext {
  description: Description;
  theme: Theme;
}

// A value as text, with the theme's settings of a constant.
export interface ValueText {
  text: string; // the value as text
  symbol: string | null;
  colour: string | null; // "#rrggbb"
}

export const kUnknown = "?";

// Formats a value as text: players as letters, cards by name.
export function valueString(value: Value | undefined, info: VariableInfo, description: Description): string {
  if (value === undefined || value === null) return "–";
  if (value === kUnknown) return kUnknown;
  if (Array.isArray(value))
    return value.length ? value.map((one) => valueString(one, info, description)).join(", ") : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if ((info.kind === "player" || info.kind === "players") && typeof value === "number")
    return description.seats[value] ?? `${value}`;
  if ((info.kind === "card" || info.kind === "cards") && typeof value === "number")
    return printName(value, description);
  if (typeof value === "object") {
    if ("cards" in value && Array.isArray(value.cards)) {
      const known = value.cards.map((one) => valueString(one as Value, info, description));
      const more = Number(value.unknown ?? 0);
      return [...known, ...(more ? [`${more} unknown`] : [])].join(", ") || "none";
    }
    return Object.entries(value)
      .map(([name, part]) => `${name} ${valueString(part as Value, info, description)}`)
      .join(", ");
  }
  return String(value).replaceAll("_", " ");
}

export const plainText = (text: string): ValueText => ({ text, symbol: null, colour: null });

// Returns a constant with its theme settings. If its enum is unknown, the first enum with this constant is used.
export function constantText(words: string, enumInfo: EnumInfo | null, { description, theme }: TextContext): ValueText {
  const name = words.replaceAll(" ", "_");
  const known =
    enumInfo ??
    description.enums.find((one) =>
      [words, name].some((candidate) => one.labels.includes(candidate) || one.constants.includes(candidate)),
    );
  if (!known) return plainText(words.replaceAll("_", " "));
  const constant = known.constants.includes(name) ? name : constantOf(known, words);
  return { text: words.replaceAll("_", " "), ...theme.constant(known, constant) };
}

// Formats any value of a variable. In lists of constants, signs appear in the text.
export function valueText(value: Value | undefined, info: VariableInfo, context: TextContext): ValueText {
  const enumInfo = info.enum === null || info.enum === undefined ? null : context.description.enums[info.enum];
  if (!enumInfo) return plainText(valueString(value, info, context.description));
  if (typeof value === "string" && value !== kUnknown) return constantText(value, enumInfo, context);
  if (!Array.isArray(value) || !value.length || !value.every((one) => typeof one === "string"))
    return plainText(valueString(value, info, context.description));
  return plainText(value.map((one) => fullText(valueText(one, info, context))).join(", "));
}

export const fullText = ({ symbol, text }: ValueText): string =>
  symbol === null || symbol === text ? text : `${symbol} ${text}`;

export function printName(print: number | null, description: Description): string {
  return print === null ? "a card" : (description.prints[print]?.name ?? "a card");
}

// Returns true for values that are omitted: false, none and undefined.
export const isOmitted = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.every((one) => isOmitted(one)));

// Returns true for the number 0, but not for seat 0.
export const isZero = (value: Value | undefined, info: VariableInfo): boolean => value === 0 && info.kind === "number";

// Values of cards on a board are declared as "card.facing".
export const labelOf = (info: VariableInfo): string => info.name.replace(/^card\./, "").replaceAll("_", " ");

// Returns the seats of a team by its index: "a + c".
export function teamText(team: number, { seats, teams }: Description): string {
  return (teams?.[team] ?? []).map((seat) => seats[seat]).join(" + ");
}

// Returns the area with one part for each team; -1: none.
export const teamArea = ({ teams, areas }: Description): number =>
  teams?.length ? areas.findIndex(({ name }) => name === "team") : -1;

// Returns the keys of a table as text; the last key varies fastest.
export function keyTexts(info: VariableInfo, description: Description): string[] {
  const teams = info.area !== null && info.area === teamArea(description);
  return info.keys.reduce<string[]>(
    (all, key, at) =>
      all.flatMap((before) =>
        key.values.map((value, i) => {
          const words = at === 0 && teams ? teamText(i, description) : value;
          return before ? `${before}, ${words}` : words;
        }),
      ),
    [""],
  );
}
