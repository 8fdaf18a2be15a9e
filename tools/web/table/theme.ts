// Provides the theme of a game, from NAME.look, with defaults. No other code reads the theme data.
import { colourNamed, hex, hue } from "./colours";
import type { Description, EnumInfo, PrintInfo } from "./protocol";

export interface ZoneTheme {
  fan: boolean | null; // null: default of the layout
  sort: string[] | null; // attributes by which a hand is sorted
  centre: boolean;
  bySeat: boolean; // in the centre, in front of the player who placed the cards
  hidden: boolean;
}

export interface VariableTheme {
  hidden: boolean;
  tokens: string | null; // the symbol is drawn once for each unit of the number
  max: number | null; // maximum number of units to draw
  track: number | null; // the first places of the table are drawn as a track of this number of points
  mirrored: boolean; // the players count these points from opposite ends
}

export interface CardTheme {
  colour: string | null;
  symbol: string | null;
  image: string | null;
}

export interface AttributeTheme {
  hidden: boolean;
  symbol: string | null; // shown after the number instead of its name
  mostlyZero: boolean; // most cards have 0 here, so 0 is not shown
}

export interface ConstantTheme {
  symbol: string | null;
  colour: string | null; // "#rrggbb"
}

// The ranks of std.french and similar games, as drawn in the corner of a card. Suits use the signs of
// stdlib/french.look.
const kRanks: Record<string, string> = {
  ace: "A",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  jack: "J",
  queen: "Q",
  king: "K",
};
const kSuits = ["clubs", "diamonds", "hearts", "spades"];

function properties(map: Record<string, Record<string, unknown>> | undefined, name: string): Record<string, unknown> {
  return map?.[name] ?? {};
}
const colourOrNull = (value: unknown): string | null => (typeof value === "string" ? hex(value) : null);
const textOrNull = (value: unknown): string | null => (typeof value === "string" && value ? value : null);

export class Theme {
  readonly pace: number; // duration of one move in milliseconds
  private readonly constants = new Map<string, ConstantTheme>();
  private readonly mostlyZero: ReadonlySet<string>; // attributes that are 0 on most cards
  private suitEnum = -1; // enums of cards that are drawn as playing cards
  private rankEnum = -1;
  private readonly repeated = new Set<string>();

  constructor(private readonly description: Description) {
    this.pace = description.look?.pace ?? 400;
    const names = [...new Set(description.attributes.map(({ name }) => name))]; // kinds of cards may share a name
    names.forEach((name, i) => {
      const prints = description.prints.filter((print) => print.attributes[name] !== undefined);
      const same = (other: string): boolean =>
        prints.length > 1 && prints.every((print) => print.attributes[name] === print.attributes[other]);
      if (!prints.every((print) => typeof print.attributes[name] === "number")) return;
      if (names.slice(0, i).some(same)) this.repeated.add(name);
    });
    const values = (name: string): unknown[] =>
      description.prints.map((print) => print.attributes[name]).filter((value) => value !== undefined);
    const isMostlyZero = (all: unknown[]): boolean => all.filter((value) => value === 0).length * 2 > all.length;
    this.mostlyZero = new Set(
      description.attributes.map(({ name }) => name).filter((name) => isMostlyZero(values(name))),
    );
    description.enums.forEach(({ constants }, number) => {
      if (constants.length && constants.every((name) => kSuits.includes(name))) this.suitEnum = number;
      if (constants.length > 8 && constants.every((name) => name in kRanks)) this.rankEnum = number;
    });
  }

  // Returns true if the attribute repeats an earlier one on every card, as in `points: 0..9 = number`.
  repeatsEarlier(attribute: string): boolean {
    return this.repeated.has(attribute);
  }

  zone(name: string): ZoneTheme {
    const settings = properties(this.description.look?.zones, name);
    return {
      fan: typeof settings.fan === "boolean" ? settings.fan : null,
      sort: Array.isArray(settings.sort) ? settings.sort.map(String) : null,
      centre: settings.centre === true,
      bySeat: settings.by_seat === true,
      hidden: settings.hidden === true,
    };
  }

  // Returns the time in milliseconds for which cards remain visible after a zone is emptied.
  linger(zone: string): number {
    return this.description.look?.linger?.[zone] ?? 900;
  }

  variable(name: string): VariableTheme {
    const settings = properties(this.description.look?.variables, name);
    return {
      hidden: settings.hidden === true,
      tokens: textOrNull(settings.tokens),
      max: typeof settings.max === "number" ? settings.max : null,
      track: typeof settings.track === "number" ? settings.track : null,
      mirrored: settings.mirrored === true,
    };
  }

  // Returns the settings of a card, which take precedence over those of its kind.
  card(print: PrintInfo): CardTheme {
    const cards = this.description.look?.cards;
    const kind = this.description.kinds[print.kind];
    const settings = {
      ...properties(cards, kind.label),
      ...properties(cards, kind.name),
      ...properties(cards, print.name),
    };
    return {
      colour: colourOrNull(settings.colour),
      symbol: textOrNull(settings.symbol),
      image: textOrNull(settings.image),
    };
  }

  attribute(name: string): AttributeTheme {
    const settings = properties(this.description.look?.attributes, name);
    return {
      hidden: settings.hidden === true,
      symbol: textOrNull(settings.symbol),
      mostlyZero: this.mostlyZero.has(name),
    };
  }

  constant(of: EnumInfo, name: string): ConstantTheme {
    const key = `${of.name}.${name}`;
    const known = this.constants.get(key);
    if (known) return known;
    const index = of.constants.indexOf(name);
    const settings = {
      ...properties(this.description.look?.constants, of.labels[index] ?? name),
      ...properties(this.description.look?.constants, name),
    };
    const namedColour = index < 0 ? null : (colourNamed(name) ?? colourNamed(of.labels[index]) ?? hue(index));
    const theme = { symbol: textOrNull(settings.symbol), colour: colourOrNull(settings.colour) ?? namedColour };
    this.constants.set(key, theme);
    return theme;
  }

  // Returns the settings of the tablecloth and the card backs.
  table(): { colour: string | null; back: string | null; backColour: string | null } {
    const settings = this.description.look?.table ?? {};
    return {
      colour: colourOrNull(settings.colour),
      back: textOrNull(settings.back),
      backColour: colourOrNull(settings.back_colour),
    };
  }

  board(name: string): { size: number | null } {
    const size = properties(this.description.look?.boards, name).size;
    return { size: typeof size === "number" ? size : null };
  }

  // Returns the symbol and colour of a piece, a die or a variable's cells.
  piece(name: string): ConstantTheme {
    const settings = properties(this.description.look?.pieces, name);
    return { symbol: textOrNull(settings.symbol), colour: colourOrNull(settings.colour) };
  }

  // Returns the suit and rank of a playing card for its corner; null for other cards.
  french(print: PrintInfo): { rank: string; suit: string; red: boolean } | null {
    if (this.suitEnum < 0 || this.rankEnum < 0) return null;
    let rank: string | null = null,
      suit: string | null = null,
      red = false;
    for (const attribute of this.description.attributes) {
      const value = print.attributes[attribute.name];
      if (typeof value !== "string" || attribute.enum === null) continue;
      const name = constantOf(this.description.enums[attribute.enum], value);
      if (attribute.enum === this.suitEnum) {
        const theme = this.constant(this.description.enums[this.suitEnum], name);
        suit = theme.symbol ?? name;
        red = theme.colour === hex("red");
      } else if (attribute.enum === this.rankEnum) {
        rank = kRanks[name] ?? name;
      }
    }
    return rank !== null && suit !== null ? { rank, suit, red } : null;
  }
}

// Returns the constant with this name or label.
export function constantOf(of: EnumInfo, words: string): string {
  const at = of.constants.indexOf(words);
  if (at >= 0) return words;
  const label = of.labels.indexOf(words);
  return label >= 0 ? of.constants[label] : words;
}

// Returns the enum of an attribute's value. Different kinds of cards can have attributes with the same name and other
// enums.
export function enumOf(attribute: string, value: string, { attributes, enums }: Description): EnumInfo | null {
  const all = attributes.filter(({ name, enum: of }) => name === attribute && typeof of === "number");
  const found = all.map(({ enum: of }) => enums[of!]);
  return found.find((of) => of.labels.includes(value) || of.constants.includes(value)) ?? found[0] ?? null;
}
