// Computes the layout of the table from the description of a game and the things that an observer knows, without
// knowledge of any particular game. Pure: parts/ draw the result, and picking.ts finds the targets of options in it.
import { constant_of, enum_of } from "./look";
import { add_notes, chips, is_score, type Chip } from "./noted";
import type {
  BoardInfo,
  BoardPiece,
  Description,
  Ground,
  PrintInfo,
  SeatThing,
  TableThing,
  Things,
  ZoneInfo,
  ZoneThing,
} from "./protocol";
import { in_words, plainly, said_constant, team_area, team_words, type Said, type Saying } from "./said";
import { rows_of, sheets, type PlacesRow, type Sheet } from "./sheets";
import { target, type Target } from "./targets";

export type PlaceKind = "hand" | "spread" | "pile" | "slot";

// Equal cards, drawn as one.
export interface CardStack {
  print: number | null; // null: unknown
  n: number;
}

export interface Place {
  zone: number;
  kind: PlaceKind;
  name: string; // name next to its owner: "hand", "cards 3"
  short: string; // name among similar places: "3"
  words: string; // full name: "hand of a"
  owner: number | null;
  n: number;
  cards: CardStack[]; // for a pile, the visible top cards; else all cards in drawing order
  facedown: CardStack[]; // those that lie face down
  long: boolean; // too large to be unfolded in a seat's box
  note: { label: string; said: Said; seat: number | null }[]; // values noted for this place, if it is one of several
}

export interface SeatBox {
  seat: number;
  in: boolean;
  shown: string[];
  places: Place[];
  chips: Chip[];
}

// Something on a board: a piece is drawn once over all its cells, a set of cells once in each cell.
export interface Lying {
  key: string;
  cells: number[];
  seat: number | null;
  sign: string; // text on a disc
  letter: string; // letter of the seat, if the sign does not show it
  colour: string | null; // for pieces without an owner
  words: string;
  piece: [number, number] | null;
  facing: string | null;
  form: "disc" | "square" | "area"; // an area colours the cell below other pieces
  above: number; // number of pieces below it
}

// The changes of a board in the last step that changed it.
export interface LastMove {
  cells: ReadonlyMap<number, "left" | "reached">;
  edges: ReadonlySet<number>; // edges with new pieces
}

export interface BoardView {
  board: number;
  info: BoardInfo;
  lying: Lying[]; // lowest first
  ground: Ground;
  values: (Said | null)[]; // ground values by cell; null: not worth showing
  last: LastMove; // empty if none was seen
  legend: [string, string][]; // signs that need an explanation, and their meaning
}

// A card in the middle of the table that lies before a seat.
export interface Played {
  seat: number;
  zone: number;
  stack: CardStack[];
  facedown: boolean;
}

// Cards that lie before a seat in the middle of the table, apart from tricks.
export interface Before {
  seat: number;
  places: Place[];
}

export interface Layout {
  me: SeatBox | null;
  others: SeatBox[]; // clockwise, from the left of the own seat
  piles: Place[];
  centre: Place[];
  before: Before[]; // clockwise from the left of the own seat, which is last
  ring: { name: string; played: Played[]; empty: boolean } | null;
  boards: BoardView[];
  rows: PlacesRow[]; // clockwise from the left of the own seat, which is last
  sheets: Sheet[];
  dice: Chip[];
  chips: Chip[]; // chips of the table
  shown: string[];
  active: number | null;
  turn: number | null;
  round: number | null;
  targets: Set<Target>; // everything that can be picked on the table
  parts: ReadonlyMap<string, Target[]>; // targets of parts of areas and numbered places, by part_key
}

export interface Arranging extends Saying {
  things: Things;
  me: number | null;
  laid: ReadonlyMap<number, { print: number | null; seat: number }[]>;
  named: ReadonlySet<Target>; // targets that options name; a pile is spread out if options name cards inside it
  last_move?: { before: Things; after: Things } | null; // boards before and after the last step that changed them
  order?: ReadonlyMap<number, readonly number[]>; // the person's own order of the cards in a hand
}

const kLong = 4,
  kLongFrench = 10; // larger hands of playing cards in a seat's box are folded
const kMergedFrom = 9; // from this number on, equal cards are drawn as one

// ---- cards

export const is_public = (zone: ZoneInfo, players: number): boolean => zone.sees.length === players;

function stacks(prints: readonly (number | null)[]): CardStack[] {
  if (prints.length < kMergedFrom) return prints.map((print) => ({ print, n: 1 }));
  const out: CardStack[] = [];
  const alike = (print: number | null): number => prints.filter((one) => one === print).length;
  for (const print of prints) {
    const there = out.find((stack) => stack.print === print);
    if (there && alike(print) >= kMergedFrom) there.n += 1;
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

// Applies the person's own order; new cards are placed by the default order.
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

// All cards of a zone in drawing order, with null for unknown cards. In an ordered zone, the top card is last.
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

// True if a seat's box has no space for the known cards, unless options name them.
function is_long(cards: readonly (number | null)[], zone: number, from: Arranging): boolean {
  const known = cards.filter((print): print is number => print !== null);
  const french = known.some((print) => from.look.french(from.description.prints[print]));
  return (
    known.length > (french ? kLongFrench : kLong) && !known.some((print) => from.named.has(target.card(zone, print)))
  );
}

function names_of(zone: ZoneInfo, description: Description): Pick<Place, "name" | "short" | "words"> {
  const name = zone.name.replaceAll("_", " ");
  if (zone.area !== null && zone.area === team_area(description)) {
    const team = team_words(zone.copy - 1, description);
    return { name: `${name} ${team}`, short: team, words: `${name} of ${team}` };
  }
  const alike = zone.copies > 1;
  return { name: alike ? `${name} ${zone.copy}` : name, short: alike ? `${zone.copy}` : name, words: zone.words };
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
    ...names_of(zone, from.description),
    owner: zone.owner,
    n,
    cards: kind === "pile" ? cards.slice(-1).map((print) => ({ print, n: 1 })) : stacks(cards),
    facedown: stacks(down),
    long: is_long(cards, number, from),
    note: [],
  };
}

// True if a zone is drawn: piles and slots even when empty, and places with notes or names as part of an area.
function worth_a_place(place: Place, zone: ZoneInfo, from: Arranging): boolean {
  if (place.n > 0 || zone.shape === "pile" || zone.shape === "slot" || place.note.length) return true;
  return zone.area !== null && from.named.has(part_key(zone.area, zone.owner, zone.copy));
}

function places(owner: number | null, from: Arranging, left_out: ReadonlySet<number>): Place[] {
  const out: Place[] = [];
  from.description.zones.forEach((zone, number) => {
    if (zone.owner !== owner || zone.up !== null || zone.board !== null || left_out.has(number)) return;
    if (!from.look.zone(zone.name).hidden) out.push(place_of(number, from));
  });
  add_notes(out, from);
  // of several similar places, sort all zones of the first place before those of the second
  const copy = (place: Place): number =>
    from.description.zones[place.zone].copies > 1 ? from.description.zones[place.zone].copy : 0;
  return out
    .filter((place) => worth_a_place(place, from.description.zones[place.zone], from))
    .map((place, i) => ({ place, i }))
    .sort((a, b) => copy(a.place) - copy(b.place) || a.i - b.i)
    .map(({ place }) => place);
}

// ---- the ring of played cards before their players

// Zones of players with one open card before each player, as in `zone played: slot, public`.
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

// Zones of the table with cards from seats that are tricks: no more cards than players, and all are taken at once. A
// zone that only grows is not a trick.
function tricks(from: Arranging): Map<number, Played[]> {
  const out = new Map<number, Played[]>();
  const { zones, players } = from.description;
  zones.forEach((zone, number) => {
    const thing = from.things[`z${number}`] as ZoneThing | undefined;
    const look = from.look.zone(zone.name);
    if (look.hidden || zone.owner !== null || zone.shape === "pile" || zone.board !== null || !thing || zone.copies > 1)
      return;
    const open = zone.sees.length === players && zone.cleared;
    if (thing.n > players || !(open || look.by_seat)) return;
    const laid = from.laid.get(number) ?? [];
    const played: Played[] = [];
    const free = [...laid];
    for (const print of drawn(thing, zone, number, from)) {
      const at = free.findIndex((card) => card.print === print || (print === null && card.print !== null));
      if (at < 0) return; // some card did not come from a seat
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

// Packs and slots with the same number for each owner (`area stack x 20 { owner: player }`) lie before their owners,
// together with the open slots of players.
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

// ---- the complete layout

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
  for (const row of layout.rows) for (const { at } of row.cells) out.add(at);
  for (const sheet of layout.sheets) sheet.keys.forEach((_, key) => out.add(target.key(sheet.variable, key)));
  for (const chip of layout.dice)
    if (chip.kind === "dice") chip.faces.forEach((_, i) => out.add(target.piece(chip.placed, i)));
  return out;
}

// Keys of Layout.parts: a part of an area, or a numbered place of a player.
export const part_key = (area: number, owner: number | null, index: number): string => `${area} ${owner} ${index}`;
export const number_key = (words: string): string => `number ${words}`;

const all_places = (layout: Layout): Place[] => [
  ...(layout.me?.places ?? []),
  ...layout.others.flatMap((box) => box.places),
  ...layout.before.flatMap((one) => one.places),
  ...layout.piles,
  ...layout.centre,
];

function all_parts(layout: Layout, { description }: Arranging): Map<string, Target[]> {
  const out = new Map<string, Target[]>();
  const add = (key: string, at: Target): void => void out.set(key, [...(out.get(key) ?? []), at]);
  for (const { zone: number } of all_places(layout)) {
    const { area, owner, copy } = description.zones[number];
    if (area === null || area === undefined) continue;
    add(part_key(area, owner, Math.max(1, copy)), target.zone(number));
    const down = description.zones.findIndex((other) => other.up === number);
    if (down >= 0) add(part_key(area, owner, Math.max(1, copy)), target.zone(down));
  }
  for (const { area, seat, me, cells } of layout.rows)
    cells.forEach(({ at, key }, i) => {
      if (area !== null) add(part_key(area, seat, i + 1), at);
      else if (me) add(number_key(key), at);
    });
  return out;
}

// ---- boards

// The sign of a variable's cells: the seat's letter for its first variable on the board, the initial for others.
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

// The rules may show a constant for a piece for which the theme has a sign ("*weapon token").
const constant_shown = (piece: BoardPiece, from: Arranging): Said => said_constant(piece.means, null, from);

function sign_of(piece: BoardPiece, firsts: ReadonlyMap<number | null, number>, from: Arranging): string {
  const symbol = from.look.piece(name_on_board(piece, from)).symbol ?? constant_shown(piece, from).symbol;
  const plain = symbol === "●" || symbol === "○"; // the default disc
  if (plain && piece.seat !== undefined) return from.description.seats[piece.seat];
  if (symbol) return symbol;
  if (piece.kind !== "piece") return piece.sign ?? variable_sign(piece, firsts, from);
  // an arrow is drawn in addition; the letter shows the owner
  const arrow = piece.sign === undefined || /^[\u2190-\u21ff]$/.test(piece.sign);
  return arrow && piece.seat !== undefined ? from.description.seats[piece.seat] : (piece.sign ?? "");
}

// True for sets that share cells with earlier sets: they are drawn as ground, such as a goal below pieces.
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

// The pieces of a board that the theme does not hide.
function pieces_on(board: number, things: Things, { description, look }: Saying): BoardPiece[] {
  const hidden = ({ variable }: BoardPiece): boolean => {
    const of = variable === undefined ? null : description.variables[variable];
    return of ? look.variable(of.name).hidden : false;
  };
  return ((things[`b${board}`] as BoardPiece[] | undefined) ?? []).filter((piece) => !hidden(piece));
}

// Texts for all pieces and values by cell, for comparison.
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

// "reached" for cells with new pieces or values, "left" for cells that lost them.
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
  if (value !== null && typeof value === "object") return plainly(from.description.seats[value.seat] ?? "");
  return typeof value === "string" ? said_constant(value, null, from) : plainly(value === true ? "yes" : String(value));
}

// The ground values of cells and edges, as text lines.
export function ground_words({ info, ground, values }: BoardView, seats: readonly string[]): string[] {
  const titled = (title: string | undefined, value: string): string => `${title ? `${title} ` : ""}${value}`;
  const by_value = new Map<string, string[]>();
  const add = (line: string, place: string): void => void by_value.set(line, [...(by_value.get(line) ?? []), place]);
  values.forEach((said, cell) => said && add(titled(info.shows?.text, in_words(said)), info.cells[cell]));
  for (const [edge, value] of ground.edges ?? [])
    if (says_something(value))
      add(
        titled(
          info.shows_on_edges?.text,
          typeof value === "object" ? seats[value.seat] : value === true ? "yes" : String(value),
        ),
        info.edges?.[edge]?.name ?? `${edge}`,
      );
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
  const seats = me === null ? others : [...others, me];
  const before = before_seats(all, slots, seats, from);
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
    rows: rows_of(seats, from),
    sheets: sheets(from),
    dice: noted.filter((chip) => chip.kind === "dice"),
    chips: noted.filter((chip) => chip.kind !== "dice"),
    shown: state?.shown ?? [],
    active: state?.active ?? null,
    turn: state?.turn || null,
    round: state?.round || null,
    targets: new Set(),
    parts: new Map(),
  };
  layout.targets = all_targets(layout, from);
  layout.parts = all_parts(layout, from);
  return layout;
}
