// Formats values as text: variables, constants with the settings of the theme, and cards. Pure.
import { constant_of, type Look } from "./look";
import type { Description, EnumInfo, Value, VariableInfo } from "./protocol";

export interface Saying {
  description: Description;
  look: Look;
}

// A value as text, with the theme's settings of a constant.
export interface Said {
  text: string; // as text
  symbol: string | null;
  colour: string | null; // "#rrggbb"
}

export const unknown_sign = "?";

// A value as text: players as letters, cards by name.
export function say(value: Value | undefined, info: VariableInfo, description: Description): string {
  if (value === undefined || value === null) return "–";
  if (value === unknown_sign) return unknown_sign;
  if (Array.isArray(value)) return value.length ? value.map((one) => say(one, info, description)).join(", ") : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if ((info.kind === "player" || info.kind === "players") && typeof value === "number")
    return description.seats[value] ?? `${value}`;
  if ((info.kind === "card" || info.kind === "cards") && typeof value === "number") return name_of(value, description);
  if (typeof value === "object") {
    if ("cards" in value && Array.isArray(value.cards)) {
      const known = value.cards.map((one) => say(one as Value, info, description));
      const more = Number(value.unknown ?? 0);
      return [...known, ...(more ? [`${more} unknown`] : [])].join(", ") || "none";
    }
    return Object.entries(value)
      .map(([name, part]) => `${name} ${say(part as Value, info, description)}`)
      .join(", ");
  }
  return String(value).replaceAll("_", " ");
}

export const plainly = (text: string): Said => ({ text, symbol: null, colour: null });

// A constant with its theme settings. If its enum is unknown, the first enum with this constant is used.
export function said_constant(words: string, of: EnumInfo | null, { description, look }: Saying): Said {
  const name = words.replaceAll(" ", "_");
  const known =
    of ??
    description.enums.find((one) =>
      [words, name].some((said) => one.labels.includes(said) || one.constants.includes(said)),
    );
  if (!known) return plainly(words.replaceAll("_", " "));
  const constant = known.constants.includes(name) ? name : constant_of(known, words);
  return { text: words.replaceAll("_", " "), ...look.constant(known, constant) };
}

// Any value of a variable. In lists of constants, signs appear in the text.
export function said_of(value: Value | undefined, info: VariableInfo, from: Saying): Said {
  const of = info.enum === null || info.enum === undefined ? null : from.description.enums[info.enum];
  if (!of) return plainly(say(value, info, from.description));
  if (typeof value === "string" && value !== unknown_sign) return said_constant(value, of, from);
  if (!Array.isArray(value) || !value.length || !value.every((one) => typeof one === "string"))
    return plainly(say(value, info, from.description));
  return plainly(value.map((one) => in_words(said_of(one, info, from))).join(", "));
}

export const in_words = ({ symbol, text }: Said): string =>
  symbol === null || symbol === text ? text : `${symbol} ${text}`;

export function name_of(print: number | null, description: Description): string {
  return print === null ? "a card" : (description.prints[print]?.name ?? "a card");
}

// True for values that are omitted: false, none and undefined.
export const says_nothing = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.every((one) => says_nothing(one)));

// True for the number 0, but not for seat 0.
export const is_zero = (value: Value | undefined, info: VariableInfo): boolean => value === 0 && info.kind === "number";

export const label_of = (info: VariableInfo): string => info.name.replaceAll("_", " ");

// The seats of a team by its index: "a + c".
export function team_words(team: number, { seats, teams }: Description): string {
  return (teams?.[team] ?? []).map((seat) => seats[seat]).join(" + ");
}

// The area with one part for each team; -1: none.
export const team_area = ({ teams, areas }: Description): number =>
  teams?.length ? areas.findIndex(({ name }) => name === "team") : -1;

// The keys of a table as text; the last key varies fastest.
export function keys_of(info: VariableInfo, description: Description): string[] {
  const teams = info.area !== null && info.area === team_area(description);
  return info.keys.reduce<string[]>(
    (all, key, at) =>
      all.flatMap((before) =>
        key.values.map((value, i) => {
          const words = at === 0 && teams ? team_words(i, description) : value;
          return before ? `${before}, ${words}` : words;
        }),
      ),
    [""],
  );
}
