// The theme of a game, from NAME.look, with defaults. No other code reads the theme data.
import { colour_named, hex, hue } from "./colours";
import type { Description, EnumInfo, PrintInfo } from "./protocol";

export interface ZoneLook {
  fan: boolean | null; // null: default of the layout
  sort: string[] | null; // attributes by which a hand is sorted
  centre: boolean;
  by_seat: boolean; // in the centre, before the player
  hidden: boolean;
}

export interface VariableLook {
  hidden: boolean;
  tokens: string | null; // the symbol is drawn once for each unit of the number
  most: number | null; // and this maximum
}

export interface CardLook {
  colour: string | null;
  symbol: string | null;
  image: string | null;
}

export interface AttributeLook {
  hidden: boolean;
  symbol: string | null; // shown after the number instead of its name
  mostly_zero: boolean; // most cards have 0 here, so 0 is not shown
}

export interface ConstantLook {
  symbol: string | null;
  colour: string | null; // "#rrggbb"
}

// Ranks of std.french and similar games as drawn in the corner of a card; suits use the signs of stdlib/french.look.
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
const colour = (value: unknown): string | null => (typeof value === "string" ? hex(value) : null);
const text = (value: unknown): string | null => (typeof value === "string" && value ? value : null);

export class Look {
  readonly pace: number; // duration of one move in milliseconds
  private readonly constants = new Map<string, ConstantLook>();
  private readonly zeros: ReadonlySet<string>; // attributes that are 0 on most cards
  private suit = -1; // enums of cards that are drawn as playing cards
  private rank = -1;
  private readonly again = new Set<string>();

  constructor(private readonly description: Description) {
    this.pace = description.look?.pace ?? 400;
    const names = [...new Set(description.attributes.map(({ name }) => name))]; // kinds of cards may share one
    names.forEach((name, i) => {
      const of = description.prints.filter((print) => print.attributes[name] !== undefined);
      const same = (other: string): boolean =>
        of.length > 1 && of.every((print) => print.attributes[name] === print.attributes[other]);
      if (!of.every((print) => typeof print.attributes[name] === "number")) return;
      if (names.slice(0, i).some(same)) this.again.add(name);
    });
    const values = (name: string): unknown[] =>
      description.prints.map((print) => print.attributes[name]).filter((value) => value !== undefined);
    const mostly_zero = (all: unknown[]): boolean => all.filter((value) => value === 0).length * 2 > all.length;
    this.zeros = new Set(description.attributes.map(({ name }) => name).filter((name) => mostly_zero(values(name))));
    description.enums.forEach((one, number) => {
      if (one.constants.length && one.constants.every((name) => kSuits.includes(name))) this.suit = number;
      if (one.constants.length > 8 && one.constants.every((name) => name in kRanks)) this.rank = number;
    });
  }

  // True if the attribute repeats an earlier one on every card, as in `points: 0..9 = number`.
  says_again(attribute: string): boolean {
    return this.again.has(attribute);
  }

  zone(name: string): ZoneLook {
    const said = properties(this.description.look?.zones, name);
    return {
      fan: typeof said.fan === "boolean" ? said.fan : null,
      sort: Array.isArray(said.sort) ? said.sort.map(String) : null,
      centre: said.centre === true,
      by_seat: said.by_seat === true,
      hidden: said.hidden === true,
    };
  }

  // How long cards remain visible after a zone is emptied, in milliseconds.
  linger(zone: string): number {
    return this.description.look?.linger?.[zone] ?? 900;
  }

  variable(name: string): VariableLook {
    const said = properties(this.description.look?.variables, name);
    return {
      hidden: said.hidden === true,
      tokens: text(said.tokens),
      most: typeof said.max === "number" ? said.max : null,
    };
  }

  // Settings of the card take precedence over those of its kind.
  card(print: PrintInfo): CardLook {
    const of = this.description.look?.cards;
    const kind = this.description.kinds[print.kind];
    const said = { ...properties(of, kind.label), ...properties(of, kind.name), ...properties(of, print.name) };
    return { colour: colour(said.colour), symbol: text(said.symbol), image: text(said.image) };
  }

  attribute(name: string): AttributeLook {
    const said = properties(this.description.look?.attributes, name);
    return { hidden: said.hidden === true, symbol: text(said.symbol), mostly_zero: this.zeros.has(name) };
  }

  constant(of: EnumInfo, name: string): ConstantLook {
    const key = `${of.name}.${name}`;
    const known = this.constants.get(key);
    if (known) return known;
    const index = of.constants.indexOf(name);
    const said = {
      ...properties(this.description.look?.constants, of.labels[index] ?? name),
      ...properties(this.description.look?.constants, name),
    };
    const named = index < 0 ? null : (colour_named(name) ?? colour_named(of.labels[index]) ?? hue(index));
    const look = { symbol: text(said.symbol), colour: colour(said.colour) ?? named };
    this.constants.set(key, look);
    return look;
  }

  // The table cloth and card backs.
  table(): { colour: string | null; back: string | null; back_colour: string | null } {
    const said = this.description.look?.table ?? {};
    return { colour: colour(said.colour), back: text(said.back), back_colour: colour(said.back_colour) };
  }

  board(name: string): { size: number | null } {
    const size = properties(this.description.look?.boards, name).size;
    return { size: typeof size === "number" ? size : null };
  }

  // The look of pieces, dice and cells of a variable.
  piece(name: string): ConstantLook {
    const said = properties(this.description.look?.pieces, name);
    return { symbol: text(said.symbol), colour: colour(said.colour) };
  }

  // Suit and rank of a playing card for its corner; null for other cards.
  french(print: PrintInfo): { rank: string; suit: string; red: boolean } | null {
    if (this.suit < 0 || this.rank < 0) return null;
    let rank: string | null = null,
      suit: string | null = null,
      red = false;
    for (const attribute of this.description.attributes) {
      const value = print.attributes[attribute.name];
      if (typeof value !== "string" || attribute.enum === null) continue;
      const name = constant_of(this.description.enums[attribute.enum], value);
      if (attribute.enum === this.suit) {
        const look = this.constant(this.description.enums[this.suit], name);
        suit = look.symbol ?? name;
        red = look.colour === hex("red");
      } else if (attribute.enum === this.rank) {
        rank = kRanks[name] ?? name;
      }
    }
    return rank !== null && suit !== null ? { rank, suit, red } : null;
  }
}

// The constant with this name or label.
export function constant_of(of: EnumInfo, words: string): string {
  const at = of.constants.indexOf(words);
  if (at >= 0) return words;
  const label = of.labels.indexOf(words);
  return label >= 0 ? of.constants[label] : words;
}

// The enum of an attribute's value. Different kinds of cards can have attributes with the same name and other enums.
export function enum_of(attribute: string, value: string, { attributes, enums }: Description): EnumInfo | null {
  const all = attributes.filter(({ name, enum: of }) => name === attribute && typeof of === "number");
  const found = all.map(({ enum: of }) => enums[of!]);
  return found.find((of) => of.labels.includes(value) || of.constants.includes(value)) ?? found[0] ?? null;
}
