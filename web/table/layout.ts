// What lies where: from the description of a game and the things that an observer knows, without a word about any one
// game. Pure: parts/ draw what comes out, picking.ts finds the targets of options in it.
import { constant_of, enum_of, type Look } from "./look";
import type {
  BoardInfo,
  BoardPiece,
  Description,
  EnumInfo,
  Ground,
  PrintInfo,
  SeatThing,
  TableThing,
  Things,
  Value,
  VariableInfo,
  ZoneInfo,
  ZoneThing,
} from "./protocol";

// Something that an option can name and that lies on the table: "c:3:17" is print 17 in zone 3. See target.
export type Target = string;

export const target = {
  card: (zone: number, print: number): Target => `c:${zone}:${print}`,
  zone: (zone: number): Target => `z:${zone}`,
  seat: (seat: number): Target => `s:${seat}`,
  cell: (board: number, cell: number): Target => `k:${board}:${cell}`,
  edge: (board: number, edge: number): Target => `e:${board}:${edge}`,
  piece: (placed: number, index: number): Target => `p:${placed}:${index}`,
  key: (variable: number, index: number): Target => `n:${variable}:${index}`, // a line of a sheet
  action: (action: number): Target => `a:${action}`, // what is to be done, before what it is done to
};

export type PlaceKind = "hand" | "spread" | "pile" | "slot";

// Equal cards that are drawn as one.
export interface CardStack {
  print: number | null; // null: not known
  n: number;
}

export interface Place {
  zone: number;
  kind: PlaceKind;
  name: string; // as it is called beside its owner: "hand", "cards 3"
  short: string; // as it is called among those alike: "3"
  words: string; // as it is called anywhere: "hand of a"
  owner: number | null;
  n: number;
  cards: CardStack[]; // of a pile: what lies on top; of others all, in the order in which they are drawn
  facedown: CardStack[]; // those of them that lie face down, besides
  long: boolean; // too much to lie open in a seat's box
  note: { label: string; said: Said; seat: number | null }[]; // of one of several places alike
}

// A value as people read it, and what the look says of it where it is a constant.
export interface Said {
  text: string; // in words
  symbol: string | null;
  colour: string | null; // "#rrggbb"
}

export type Chip =
  | {
      kind: "number";
      variable: number;
      label: string;
      value: number;
      most: number | null;
      tokens: string | null;
      score: boolean; // what the game is about, as its name says
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

// What each player has of each of several things: a score sheet, the points of a track.
export interface Sheet {
  variable: number;
  label: string;
  keys: string[];
  numbers: boolean; // the keys are numbers: places in a row
  rows: (Said | null)[][]; // by seat, then by key; null: nothing worth saying
}

export interface SeatBox {
  seat: number;
  in: boolean;
  shown: string[];
  places: Place[];
  chips: Chip[];
}

// Something on a board, as it is drawn: a piece over all its cells, a set of cells once in each of them.
export interface Lying {
  key: string;
  cells: number[];
  seat: number | null;
  sign: string; // on a disc
  letter: string; // of its seat, where the sign doesn't say it
  colour: string | null; // of one that belongs to nobody
  words: string;
  piece: [number, number] | null;
  facing: string | null;
  form: "disc" | "square" | "area"; // an area colours the cell, and what stands there is drawn over it
  above: number; // so many lie below it
}

// What the last step that changed a board did there.
export interface LastMove {
  cells: ReadonlyMap<number, "left" | "reached">;
  edges: ReadonlySet<number>; // with something new on them
}

export interface BoardView {
  board: number;
  info: BoardInfo;
  lying: Lying[]; // lowest first
  ground: Ground;
  values: (Said | null)[]; // of the ground, by cell; null: nothing worth showing
  last: LastMove; // nothing where none was seen
  legend: [string, string][]; // signs that don't speak for themselves, and what they mean
}

// A card in the middle of the table that lies before somebody.
export interface Played {
  seat: number;
  zone: number;
  stack: CardStack[];
  facedown: boolean;
}

// What lies before a seat in the middle of the table, beside tricks.
export interface Before {
  seat: number;
  places: Place[];
}

export interface Layout {
  me: SeatBox | null;
  others: SeatBox[]; // clockwise, from my left
  piles: Place[];
  centre: Place[];
  before: Before[]; // clockwise from my left, mine last
  ring: { name: string; played: Played[]; empty: boolean } | null;
  boards: BoardView[];
  sheets: Sheet[];
  dice: Chip[];
  chips: Chip[]; // of the table
  shown: string[];
  active: number | null;
  turn: number | null;
  round: number | null;
  targets: Set<Target>; // what can be pointed at
}

export type Saying = Pick<Arranging, "description" | "look">;

export interface Arranging {
  description: Description;
  look: Look;
  things: Things;
  me: number | null;
  laid: ReadonlyMap<number, { print: number | null; seat: number }[]>;
  emptied: ReadonlySet<number>; // zones that were, so that a few cards there are a trick
  named: ReadonlySet<Target>; // by options: a pile is spread out where they name what lies below
  last_move?: { before: Things; after: Things } | null; // boards before the last step that changed them, and now
  order?: ReadonlyMap<number, readonly number[]>; // of my hands, as I sorted them myself
}

const kLong = 4,
  kLongFrench = 10; // more cards than that in somebody's box are folded
const kSheet = 6; // keys of a table of players that is drawn as a sheet, at least
const kAlike = 9; // from that many on equal cards are drawn as one
const kTokens = 10; // that are drawn, where the look says nothing else
const kPips = 5; // a number with a higher bound is a number: often the bound is only a guard
const kKeys = 12; // tables with more entries leave out those that say nothing

// ---- cards

export const is_public = (zone: ZoneInfo, players: number): boolean => zone.sees.length === players;

function stacks(prints: readonly (number | null)[]): CardStack[] {
  if (prints.length < kAlike) return prints.map((print) => ({ print, n: 1 }));
  const out: CardStack[] = [];
  const alike = (print: number | null): number => prints.filter((one) => one === print).length;
  for (const print of prints) {
    const there = out.find((stack) => stack.print === print);
    if (there && alike(print) >= kAlike) there.n += 1;
    else out.push({ print, n: 1 });
  }
  return out;
}

function by_attributes(print: PrintInfo, names: readonly string[], description: Description): number[] {
  return names.map((name) => {
    const value = print.attributes[name];
    if (typeof value === "number") return value;
    const of = typeof value === "string" ? enum_of(name, value, description) : null;
    return of ? of.constants.indexOf(constant_of(of, String(value))) : -1;
  });
}

function sorted(prints: readonly number[], names: readonly string[], description: Description): number[] {
  const keys = new Map(prints.map((print) => [print, by_attributes(description.prints[print], names, description)]));
  return [...prints].sort((a, b) => {
    const x = keys.get(a)!,
      y = keys.get(b)!;
    const at = x.findIndex((value, i) => value !== y[i]);
    return at < 0 ? a - b : x[at] - y[at];
  });
}

// As I sorted them; what came since stands where it would stand anyway.
function as_ordered(prints: readonly number[], order: readonly number[]): number[] {
  const left = [...prints];
  const out: number[] = [];
  for (const print of order) {
    const at = left.indexOf(print);
    if (at >= 0) out.push(...left.splice(at, 1));
  }
  for (const print of left) {
    const before = out.findIndex((one) => one > print);
    if (before < 0) out.push(print);
    else out.splice(before, 0, print);
  }
  return out;
}

// All cards of a zone in the order in which they are drawn, what isn't known as null. Of an ordered zone the top card
// comes last.
function drawn(thing: ZoneThing, zone: ZoneInfo, zone_number: number, from: Arranging): (number | null)[] {
  const unknown = Math.max(0, thing.n - thing.cards.length);
  if (zone.ordered && thing.top) {
    const below = thing.bottom ?? [];
    const out: (number | null)[] = [];
    for (let i = 0; i < thing.n; ++i) out.push(below[i] ?? thing.top[thing.n - 1 - i] ?? null);
    return out;
  }
  const order = from.order?.get(zone_number);
  const sort = from.look.zone(zone.name).sort;
  const known = order
    ? as_ordered(thing.cards, order)
    : sort
      ? sorted(thing.cards, sort, from.description)
      : thing.cards;
  return [...known, ...Array<null>(unknown).fill(null)];
}

function kind_of(zone: ZoneInfo, number: number, from: Arranging, cards: readonly (number | null)[]): PlaceKind {
  const own = zone.owner !== null && zone.sees.length < from.description.players;
  if (zone.shape === "slot") return own && zone.sees.includes(zone.owner!) ? "hand" : "slot";
  if (zone.shape === "pile") {
    const below = cards.slice(0, -1).some((print) => print !== null && from.named.has(target.card(number, print)));
    return below ? "spread" : "pile";
  }
  const { fan } = from.look.zone(zone.name);
  if (zone.owner !== null && (fan ?? own)) return "hand";
  return "spread";
}

// Too many known cards for a seat's box; but what options name is always to be seen.
function is_long(cards: readonly (number | null)[], zone: number, from: Arranging): boolean {
  const known = cards.filter((print): print is number => print !== null);
  const french = known.some((print) => from.look.french(from.description.prints[print]));
  return (
    known.length > (french ? kLongFrench : kLong) && !known.some((print) => from.named.has(target.card(zone, print)))
  );
}

function place_of(number: number, from: Arranging): Place {
  const zone = from.description.zones[number];
  const thing = (from.things[`z${number}`] as ZoneThing | undefined) ?? { n: 0, cards: [] };
  const cards = drawn(thing, zone, number, from);
  const kind = kind_of(zone, number, from, cards);
  const below = from.description.zones.findIndex((other) => other.up === number);
  const under = below < 0 ? null : ((from.things[`z${below}`] as ZoneThing | undefined) ?? null);
  const n = thing.n + (under?.n ?? 0);
  const down = under ? drawn(under, from.description.zones[below], below, from) : [];
  return {
    zone: number,
    kind,
    name: zone.copies > 1 ? `${zone.name.replaceAll("_", " ")} ${zone.copy}` : zone.name.replaceAll("_", " "),
    short: zone.copies > 1 ? `${zone.copy}` : zone.name.replaceAll("_", " "),
    words: zone.words,
    owner: zone.owner,
    n,
    cards: kind === "pile" ? cards.slice(-1).map((print) => ({ print, n: 1 })) : stacks(cards),
    facedown: stacks(down),
    long: is_long(cards, number, from),
    note: [],
  };
}

// What is there to be seen of a zone: piles and slots also when they are empty, by which one finds them again.
function worth_a_place(place: Place, zone: ZoneInfo): boolean {
  return place.n > 0 || zone.shape === "pile" || zone.shape === "slot";
}

function places(owner: number | null, from: Arranging, left_out: ReadonlySet<number>): Place[] {
  const out: Place[] = [];
  from.description.zones.forEach((zone, number) => {
    if (zone.owner !== owner || zone.up !== null || zone.board !== null || left_out.has(number)) return;
    if (from.look.zone(zone.name).hidden) return;
    const place = place_of(number, from);
    if (worth_a_place(place, zone)) out.push(place);
  });
  // of several places alike all that belongs to the first comes first
  const copy = (place: Place): number =>
    from.description.zones[place.zone].copies > 1 ? from.description.zones[place.zone].copy : 0;
  return out
    .map((place, i) => ({ place, i }))
    .sort((a, b) => copy(a.place) - copy(b.place) || a.i - b.i)
    .map(({ place }) => place);
}

// ---- the ring: what was played lies before who played it

// Zones of players in which one card lies open before each, as in `zone played: slot, public`.
function open_slots(from: Arranging): Set<number> {
  const { zones, players, boards } = from.description;
  if (boards.length) return new Set();
  const found = new Map<string, number[]>();
  zones.forEach((zone, number) => {
    const seat = zone.owner !== null && zone.shape === "slot" && zone.copies === 1 && zone.up === null;
    if (seat && !from.look.zone(zone.name).hidden && is_public(zone, players))
      found.set(zone.name, [...(found.get(zone.name) ?? []), number]);
  });
  return new Set(found.size === 1 ? [...found.values()][0] : []);
}

// Zones of the table whose cards came from seats, are no more than there are players, and were taken away before: what
// only grows is no trick.
function tricks(from: Arranging): Map<number, Played[]> {
  const out = new Map<number, Played[]>();
  const { zones, players } = from.description;
  zones.forEach((zone, number) => {
    const thing = from.things[`z${number}`] as ZoneThing | undefined;
    const look = from.look.zone(zone.name);
    if (look.hidden || zone.owner !== null || zone.shape === "pile" || zone.board !== null || !thing || zone.copies > 1)
      return;
    const open = zone.sees.length === players && from.emptied.has(number);
    if (thing.n > players || !(open || look.by_seat)) return;
    const laid = from.laid.get(number) ?? [];
    const played: Played[] = [];
    const free = [...laid];
    for (const print of drawn(thing, zone, number, from)) {
      const at = free.findIndex((card) => card.print === print || (print === null && card.print !== null));
      if (at < 0) return; // not all of it was laid by somebody
      played.push({
        seat: free.splice(at, 1)[0].seat,
        zone: number,
        stack: [{ print, n: 1 }],
        facedown: print === null,
      });
    }
    out.set(number, played);
  });
  return out;
}

// Packs and slots alike, of which each seat is noted to have as many (`area stack x 20 { owner: player }`), lie before
// their seats, and the open slots of players with them.
function before_seats(table: readonly Place[], slots: ReadonlySet<number>, seats: number[], from: Arranging): Before[] {
  const names = [...new Set(table.map((place) => from.description.zones[place.zone].name))];
  const whose = (place: Place): number | null => place.note.find(({ seat }) => seat !== null)?.seat ?? null;
  const all = names.flatMap((name) => {
    const alike = table.filter((place) => from.description.zones[place.zone].name === name);
    const counts = seats.map((seat) => alike.filter((place) => whose(place) === seat).length);
    const owned = counts.filter((n) => n > 0);
    const fair = owned.length > 1 && owned.every((n) => n === owned[0]);
    const flat = alike.every((place) => (place.kind === "pile" || place.kind === "slot") && whose(place) !== null);
    return alike.length > owned.length && fair && flat ? alike : [];
  });
  if (!all.length) return [];
  const of_seat = (seat: number): Place[] =>
    all
      .filter((place) => whose(place) === seat)
      .map((place) => ({ ...place, note: place.note.filter((note) => note.seat !== seat) }));
  const slot = (seat: number): Place[] =>
    [...slots].map((zone) => place_of(zone, from)).filter((place) => place.owner === seat);
  return seats
    .map((seat) => ({ seat, places: [...of_seat(seat), ...slot(seat)] }))
    .filter(({ places }) => places.length > 0);
}

function ring_of(from: Arranging, slots: ReadonlySet<number>, laid: ReadonlyMap<number, Played[]>): Layout["ring"] {
  const played: Played[] = [];
  for (const number of slots) {
    const place = place_of(number, from);
    if (place.owner === null) continue;
    if (place.n)
      played.push({
        seat: place.owner,
        zone: number,
        stack: [...place.cards, ...place.facedown],
        facedown: place.cards.length === 0,
      });
  }
  for (const cards of laid.values()) played.push(...cards);
  if (!slots.size && !played.length) return null;
  const zone = played.length ? played[0].zone : [...slots][0];
  return { name: from.description.zones[zone].name.replaceAll("_", " "), played, empty: played.length === 0 };
}

// ---- variables

const unknown_sign = "?";

// A value in words: of players their letter, of cards what is printed on them.
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

const plainly = (text: string): Said => ({ text, symbol: null, colour: null });

// A constant with what the look says of it. Of which enum isn't told everywhere: then the first one that has it counts.
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

// Any value of a variable. Several constants have their signs among the words.
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

// false, none and nothing at all are left out, as on the terminal.
const says_nothing = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.every((one) => says_nothing(one)));

function keys_of(info: VariableInfo): string[] {
  return info.keys.reduce<string[]>(
    (all, key) => all.flatMap((before) => key.values.map((words) => (before ? `${before}, ${words}` : words))),
    [""],
  );
}

function table_chip(number: number, info: VariableInfo, values: Value[], from: Arranging): Chip | null {
  const keys = keys_of(info);
  const zeros = keys.length > kKeys && !values.includes(null);
  const quiet = (value: Value): boolean => says_nothing(value) || (value === 0 && zeros);
  const of_players = info.keys.length === 1 && info.keys[0].kind === "player";
  const rows = keys
    .map((key, i) => ({ key, said: said_of(values[i], info, from), seat: of_players ? i : null, i }))
    .filter(({ i }) => !quiet(values[i]));
  return rows.length ? { kind: "table", variable: number, label: label_of(info), rows } : null;
}

const is_sheet = (info: VariableInfo): boolean =>
  info.owner &&
  info.keys.length === 1 &&
  info.keys[0].values.length >= kSheet &&
  info.placed === null &&
  info.board === null &&
  !info.list &&
  ["constant", "number"].includes(info.keys[0].kind);

function sheets(from: Arranging): Sheet[] {
  const out: Sheet[] = [];
  from.description.variables.forEach((info, variable) => {
    const values = info ? (from.things[`v${variable}`] as Value[] | undefined) : undefined;
    if (!info || !Array.isArray(values) || !is_sheet(info) || from.look.variable(info.name).hidden) return;
    const keys = info.keys[0].values,
      zeros = !values.includes(null);
    const text = (value: Value): Said | null =>
      says_nothing(value) || (value === 0 && zeros) ? null : said_of(value, info, from);
    const rows = Array.from({ length: from.description.players }, (_, seat) =>
      values.slice(seat * keys.length, (seat + 1) * keys.length).map(text),
    );
    out.push({
      variable,
      label: label_of(info),
      keys: keys.map((key) => key.replaceAll("_", " ")),
      numbers: info.keys[0].kind === "number",
      rows,
    });
  });
  return out;
}

// Of cards: what is noted of each that differs from the rest.
function card_chip(number: number, info: VariableInfo, cards: [number, Value][], from: Arranging): Chip | null {
  const rows = cards
    .filter(([, value]) => !says_nothing(value))
    .map(([print, value]) => ({ key: name_of(print, from.description), said: said_of(value, info, from), seat: null }));
  return rows.length ? { kind: "table", variable: number, label: label_of(info), rows } : null;
}

// Names of what players are after; whether much or little of it is good, nobody tells the page.
const kScores = /^(\w+_)?(score|scores|points|total|won|wins|victories)$/;

export const is_score = (chip: Chip): boolean => chip.kind === "number" && chip.score;

const label_of = (info: VariableInfo): string => info.name.replaceAll("_", " ");

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

// A table that a board shows is seen there.
const shown_on_board = (variable: number, { description }: Arranging): boolean =>
  description.boards.some(({ shows, shows_on_edges }) =>
    [shows?.variable, shows_on_edges?.variable].includes(variable),
  );

function chips(seat: number | null, from: Arranging): Chip[] {
  const out: Chip[] = [];
  from.description.variables.forEach((info, number) => {
    if (
      !info ||
      is_sheet(info) ||
      is_of_places(info, from) ||
      shown_on_board(number, from) ||
      info.owner !== (seat !== null) ||
      from.look.variable(info.name).hidden
    )
      return;
    const thing = from.things[`v${number}`] as Value[] | { cards: [number, Value][][] } | undefined;
    if (info.board !== null && info.placed === null && !info.keys.length) return; // the board shows it
    if (thing && !Array.isArray(thing)) {
      const chip = card_chip(number, info, thing.cards[seat ?? 0] ?? [], from);
      return chip ? void out.push(chip) : undefined;
    }
    const values = thing;
    if (!Array.isArray(values)) return;
    const dice = seat === null ? dice_chip(number, info, values, from) : null;
    if (dice) return void out.push(dice);
    if (info.placed !== null) return; // so do pieces
    const size = info.keys.reduce((n, key) => n * key.values.length, 1);
    const mine = seat === null ? values : values.slice(seat * size, (seat + 1) * size);
    const chip = info.keys.length ? table_chip(number, info, mine, from) : chip_of(number, info, mine[0], from);
    if (chip) out.push(chip);
  });
  return out;
}

// What is noted of each part of an area (`area line x 5 { owner: player? }`) stands beside its first place.
function is_of_places(info: VariableInfo, { description }: Arranging): boolean {
  if (typeof info.area !== "number" || info.owner || info.keys.length !== 1 || info.list) return false;
  return description.zones.some((zone) => zone.owner === null && zone.copies > 1 && zone.area === info.area);
}

function add_notes(all: readonly Place[], from: Arranging): void {
  const noted = new Set<string>();
  for (const place of all) {
    const { area, copy, copies } = from.description.zones[place.zone];
    if (typeof area !== "number" || copies < 2 || noted.has(`${area} ${copy}`)) continue;
    noted.add(`${area} ${copy}`);
    from.description.variables.forEach((info, number) => {
      const values = from.things[`v${number}`];
      if (!info || info.area !== area || !Array.isArray(values) || !is_of_places(info, from)) return;
      const value = values[copy - 1] as Value;
      if (says_nothing(value) || from.look.variable(info.name).hidden) return;
      const seat = info.kind === "player" && typeof value === "number" ? value : null;
      place.note.push({ label: label_of(info), said: said_of(value, info, from), seat });
    });
  }
}

// ---- all of it

function seat_box(seat: number, from: Arranging, left_out: ReadonlySet<number>): SeatBox {
  const thing = (from.things.seats as SeatThing[] | undefined)?.[seat];
  return {
    seat,
    in: thing?.in ?? true,
    shown: thing?.shown ?? [],
    places: places(seat, from, left_out),
    chips: chips(seat, from).sort((a, b) => Number(is_score(b)) - Number(is_score(a))),
  };
}

function add_targets(out: Set<Target>, place: Place, from: Arranging): void {
  out.add(target.zone(place.zone));
  const down = from.description.zones.findIndex((other) => other.up === place.zone);
  if (down >= 0) out.add(target.zone(down));
  for (const { print } of place.cards) if (print !== null) out.add(target.card(place.zone, print));
  for (const { print } of place.facedown) if (print !== null && down >= 0) out.add(target.card(down, print));
}

function all_targets(layout: Layout, from: Arranging): Set<Target> {
  const out = new Set<Target>();
  const boxes = [...(layout.me ? [layout.me] : []), ...layout.others];
  for (const box of boxes) {
    out.add(target.seat(box.seat));
    for (const place of box.places) add_targets(out, place, from);
  }
  const before = layout.before.flatMap(({ places }) => places);
  for (const place of [...layout.piles, ...layout.centre, ...before]) add_targets(out, place, from);
  for (const played of layout.ring?.played ?? []) {
    out.add(target.zone(played.zone));
    for (const { print } of played.stack) if (print !== null) out.add(target.card(played.zone, print));
  }
  for (const view of layout.boards) {
    view.info.cells.forEach((_, cell) => out.add(target.cell(view.board, cell)));
    view.info.edges?.forEach((_, edge) => out.add(target.edge(view.board, edge)));
    for (const piece of view.lying) if (piece.piece) out.add(target.piece(...piece.piece));
  }
  for (const sheet of layout.sheets) sheet.keys.forEach((_, key) => out.add(target.key(sheet.variable, key)));
  for (const chip of layout.dice)
    if (chip.kind === "dice") chip.faces.forEach((_, i) => out.add(target.piece(chip.placed, i)));
  return out;
}

// ---- boards

// What is written on the disc of a variable's cells: the seat's letter for its first variable on the board, the initial
// for others.
function variable_sign(piece: BoardPiece, firsts: ReadonlyMap<number | null, number>, from: Arranging): string {
  const seat = piece.seat ?? null;
  const info = piece.variable === undefined ? null : from.description.variables[piece.variable];
  if (seat !== null && firsts.get(seat) === piece.variable) return from.description.seats[seat];
  return [...(info?.name ?? piece.means)][0] ?? "";
}

function name_on_board(piece: BoardPiece, { description }: Arranging): string {
  if (piece.piece) return description.placed[piece.piece[0]].name;
  return piece.variable === undefined ? "" : (description.variables[piece.variable]?.name ?? "");
}

// What the rules show of a piece may be a constant that the look has a sign for ("*weapon token").
const constant_shown = (piece: BoardPiece, from: Arranging): Said => said_constant(piece.means, null, from);

function sign_of(piece: BoardPiece, firsts: ReadonlyMap<number | null, number>, from: Arranging): string {
  const symbol = from.look.piece(name_on_board(piece, from)).symbol ?? constant_shown(piece, from).symbol;
  const plain = symbol === "●" || symbol === "○"; // as it is drawn anyway
  if (plain && piece.seat !== undefined) return from.description.seats[piece.seat];
  if (symbol) return symbol;
  if (piece.kind !== "piece") return piece.sign ?? variable_sign(piece, firsts, from);
  // an arrow is drawn besides; the letter says whose it is
  const arrow = piece.sign === undefined || /^[\u2190-\u21ff]$/.test(piece.sign);
  return arrow && piece.seat !== undefined ? from.description.seats[piece.seat] : (piece.sign ?? "");
}

// Sets that have cells in common with what was declared before them are grounds, as a goal under the men that stand
// there.
function is_area(piece: BoardPiece, pieces: readonly BoardPiece[]): boolean {
  if (piece.kind !== "set") return false;
  const cells = new Set(piece.cells);
  return pieces.some(
    (other) =>
      other.kind !== "piece" &&
      (other.variable ?? 0) < (piece.variable ?? 0) &&
      other.cells.some((cell) => cells.has(cell)),
  );
}

function lying_on(pieces: readonly BoardPiece[], from: Arranging): Lying[] {
  const firsts = new Map<number | null, number>();
  for (const piece of pieces) {
    const seat = piece.seat ?? null;
    if (piece.variable !== undefined) firsts.set(seat, Math.min(firsts.get(seat) ?? Infinity, piece.variable));
  }
  const areas = new Set(pieces.filter((piece) => is_area(piece, pieces)).map((piece) => piece.variable));
  const out: Lying[] = [];
  const lie = new Map<number, number>();
  for (const piece of [...pieces].reverse()) {
    const form =
      piece.kind !== "piece" && areas.has(piece.variable)
        ? "area"
        : piece.kind === "mark" && piece.seat === undefined
          ? "square"
          : "disc";
    const sign = sign_of(piece, firsts, from),
      seat = piece.seat ?? null;
    const letter = seat === null || sign === from.description.seats[seat] ? "" : from.description.seats[seat];
    const colour = from.look.piece(name_on_board(piece, from)).colour ?? constant_shown(piece, from).colour;
    const one = {
      seat,
      sign,
      letter,
      colour,
      words: piece.words || piece.means,
      form,
      piece: piece.piece ?? null,
      facing: piece.facing ?? null,
    } as const;
    for (const cells of piece.kind === "piece" ? [piece.cells] : piece.cells.map((cell) => [cell])) {
      if (!cells.length) continue;
      const above = cells.length === 1 && form !== "area" ? (lie.get(cells[0]) ?? 0) : 0;
      if (cells.length === 1 && form !== "area") lie.set(cells[0], above + 1);
      const key = piece.piece
        ? piece.piece.join(":")
        : piece.kind === "mark"
          ? `${piece.variable} ${piece.seat}`
          : `${piece.variable} ${piece.seat} ${cells[0]}`;
      out.push({ ...one, cells, key, above });
    }
  }
  const rank = (one: Lying): number => (one.form === "area" ? 0 : one.cells.length > 1 ? 1 : 2);
  return out
    .map((one, i) => ({ one, i }))
    .sort((a, b) => rank(a.one) - rank(b.one) || a.i - b.i)
    .map(({ one }) => one);
}

function legend_of(pieces: readonly BoardPiece[], from: Arranging, lying: readonly Lying[]): [string, string][] {
  const out = new Map<string, string>();
  for (const piece of pieces) {
    const drawn = lying.find((one) => one.words === (piece.words || piece.means));
    const own = piece.seat !== undefined && drawn?.sign === from.description.seats[piece.seat];
    if (drawn?.sign && !own)
      out.set(drawn.sign, piece.seat === undefined ? piece.means : piece.means.replace(/ of \w+$/, ""));
  }
  return [...out];
}

// What lies on a board, but for what the look hides.
function pieces_on(board: number, things: Things, { description, look }: Saying): BoardPiece[] {
  const hidden = ({ variable }: BoardPiece): boolean => {
    const of = variable === undefined ? null : description.variables[variable];
    return of ? look.variable(of.name).hidden : false;
  };
  return ((things[`b${board}`] as BoardPiece[] | undefined) ?? []).filter((piece) => !hidden(piece));
}

// By cell all that lies there or is shown there, as words that differ where it does.
function lying_by_cell(board: number, things: Things, from: Saying): Map<number, string[]> {
  const out = new Map<number, string[]>();
  const add = (cell: number, what: unknown): void => void out.set(cell, [...(out.get(cell) ?? []), `${what}`]);
  for (const { cells, words: _, ...piece } of pieces_on(board, things, from))
    for (const cell of cells) add(cell, JSON.stringify(piece));
  ((things[`g${board}`] as Ground | undefined)?.cells ?? []).forEach((value, cell) => {
    if (says_something(value)) add(cell, value);
  });
  return out;
}

function lying_on_edges(board: number, things: Things): Map<number, string[]> {
  const { edges = [], walls = [] } = (things[`g${board}`] as Ground | undefined) ?? {};
  const out = new Map<number, string[]>();
  const add = (edge: number, what: string): void => void out.set(edge, [...(out.get(edge) ?? []), what]);
  for (const [edge, value] of edges) if (says_something(value)) add(edge, `${value}`);
  for (const { edges, means } of walls) for (const edge of edges) add(edge, means);
  return out;
}

const kNoMove: LastMove = { cells: new Map(), edges: new Set() };

// Where something came and nothing was left, or something new lies, "reached"; where something went, "left".
function last_move_on(board: number, from: Arranging): LastMove {
  const { before, after } = from.last_move ?? {};
  if (!before || !after || !(`b${board}` in before)) return kNoMove;
  const more = (some: readonly string[], than: readonly string[]): boolean => {
    const left = [...than];
    return some.some((one) => !left.includes(one) || !left.splice(left.indexOf(one), 1));
  };
  const was = lying_by_cell(board, before, from),
    is = lying_by_cell(board, after, from);
  const cells = new Map<number, "left" | "reached">();
  for (const cell of new Set([...was.keys(), ...is.keys()])) {
    if (more(is.get(cell) ?? [], was.get(cell) ?? [])) cells.set(cell, "reached");
    else if (more(was.get(cell) ?? [], is.get(cell) ?? [])) cells.set(cell, "left");
  }
  const walls = lying_on_edges(board, before);
  const edges = [...lying_on_edges(board, after)].filter(([edge, what]) => more(what, walls.get(edge) ?? []));
  return { cells, edges: new Set(edges.map(([edge]) => edge)) };
}

function board_views(from: Arranging): BoardView[] {
  return from.description.boards.map((info, board) => {
    const pieces = pieces_on(board, from.things, from);
    const lying = lying_on(pieces, from);
    const ground = (from.things[`g${board}`] as Ground | undefined) ?? {};
    return {
      board,
      info,
      lying,
      last: last_move_on(board, from),
      legend: legend_of(pieces, from, lying),
      ground,
      values: (ground.cells ?? []).map((value) => said_on_ground(value, from)),
    };
  });
}

type OnGround = NonNullable<Ground["cells"]>[number];

const says_something = (value: OnGround | undefined): boolean =>
  value !== undefined && value !== null && value !== 0 && value !== false;

function said_on_ground(value: OnGround, from: Saying): Said | null {
  if (!says_something(value)) return null;
  return typeof value === "string" ? said_constant(value, null, from) : plainly(value === true ? "yes" : String(value));
}

// What the ground says, cell by cell and edge by edge, as a list of lines.
export function ground_words({ info, ground, values }: BoardView): string[] {
  const titled = (title: string | undefined, value: string): string => `${title ? `${title} ` : ""}${value}`;
  const by_value = new Map<string, string[]>();
  const add = (line: string, place: string): void => void by_value.set(line, [...(by_value.get(line) ?? []), place]);
  values.forEach((said, cell) => said && add(titled(info.shows?.text, in_words(said)), info.cells[cell]));
  for (const [edge, value] of ground.edges ?? [])
    if (says_something(value))
      add(titled(info.shows_on_edges?.text, value === true ? "yes" : String(value)), info.edges?.[edge]?.name ?? `${edge}`);
  for (const wall of ground.walls ?? [])
    for (const edge of wall.edges) add(wall.means, info.edges?.[edge]?.name ?? `${edge}`);
  return [...by_value].map(([line, places]) => `${line}: ${places.join(", ")}`);
}

export function arrange(from: Arranging): Layout {
  const { description, me } = from;
  const slots = open_slots(from),
    laid = tricks(from);
  const left_out = new Set([...slots, ...laid.keys()]);
  const box = (seat: number): SeatBox => seat_box(seat, from, left_out);
  const others = Array.from({ length: description.players - (me === null ? 0 : 1) }, (_, i) =>
    me === null ? i : (me + 1 + i) % description.players,
  );
  const all = places(null, from, left_out);
  const centre = (place: Place): boolean =>
    from.look.zone(description.zones[place.zone].name).centre || (place.kind !== "pile" && place.kind !== "slot");
  add_notes(all, from);
  const before = before_seats(all, slots, me === null ? others : [...others, me], from);
  const moved = new Set(before.flatMap(({ places }) => places.map(({ zone }) => zone)));
  const table = all.filter(({ zone }) => !moved.has(zone));
  const noted = chips(null, from);
  const state = from.things.table as TableThing | undefined;
  const layout: Layout = {
    me: me === null ? null : box(me),
    others: others.map(box),
    piles: table.filter((place) => !centre(place)),
    centre: table.filter(centre),
    before,
    ring: ring_of(from, before.length ? new Set() : slots, laid),
    boards: board_views(from),
    sheets: sheets(from),
    dice: noted.filter((chip) => chip.kind === "dice"),
    chips: noted.filter((chip) => chip.kind !== "dice"),
    shown: state?.shown ?? [],
    active: state?.active ?? null,
    turn: state?.turn || null,
    round: state?.round || null,
    targets: new Set(),
  };
  layout.targets = all_targets(layout, from);
  return layout;
}
