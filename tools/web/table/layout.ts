// Computes the layout of the table from the description of a game and the things that an observer knows, without
// knowledge of any particular game. Pure functions: the modules in parts/ draw the result, and picking.ts finds the
// targets of options in it.
import { constantOf, enumOf } from "./theme";
import { addNotes, chips, isScore, type Chip } from "./chips";
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
import { fullText, plainText, constantText, teamArea, teamText, type ValueText, type TextContext } from "./value_text";
import { rowsOf, sheets, type PlacesRow, type Sheet } from "./sheets";
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
  facedown: CardStack[]; // the cards that are face down
  long: boolean; // too large to be unfolded in a seat's box
  notes: { label: string; value: ValueText; seat: number | null }[]; // values of this place, if it is one of several
}

export interface SeatBox {
  seat: number;
  in: boolean;
  shown: string[];
  places: Place[];
  chips: Chip[];
}

// Something on a board: a piece is drawn once over all its cells, a set of cells once in each cell.
export interface DrawnPiece {
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
  below: number; // number of pieces below it
}

// The changes of a board in the last step that changed it.
export interface LastMove {
  cells: ReadonlyMap<number, "left" | "reached">;
  edges: ReadonlySet<number>; // edges with new pieces
}

export interface BoardView {
  board: number;
  info: BoardInfo;
  pieces: DrawnPiece[]; // lowest first
  ground: Ground;
  values: (ValueText | null)[]; // ground values by cell; null: not shown
  last: LastMove; // empty if none was seen
  legend: [string, string][]; // signs that need an explanation, and their meaning
}

// Cards of a trick in the middle of the table, in front of the seat that played them.
export interface PlayedCards {
  seat: number;
  zone: number;
  stack: CardStack[];
  facedown: boolean;
}

// Cards in front of a seat in the middle of the table, apart from tricks.
export interface SeatFront {
  seat: number;
  places: Place[];
}

export interface Layout {
  me: SeatBox | null;
  others: SeatBox[]; // clockwise, from the left of the own seat
  piles: Place[];
  centre: Place[];
  fronts: SeatFront[]; // clockwise from the left of the own seat, which is last
  ring: { name: string; played: PlayedCards[]; empty: boolean } | null;
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
  parts: ReadonlyMap<string, Target[]>; // targets of parts of areas and numbered places, by partKey and numberKey
  named: ReadonlyMap<string, Target>; // piles and slots of the table with cards, by name
}

export interface LayoutInput extends TextContext {
  things: Things;
  me: number | null;
  origins: ReadonlyMap<number, { print: number | null; seat: number }[]>;
  named: ReadonlySet<Target>; // targets that options name; a pile is spread out if options name cards inside it
  lastMove?: { before: Things; after: Things } | null; // boards before and after the last step that changed them
  order?: ReadonlyMap<number, readonly number[]>; // the person's own order of the cards in a hand
}

const kMaxUnfolded = 8,
  kMaxUnfoldedFrench = 10; // larger hands of playing cards in a seat's box are folded
const kMinMerged = 9; // from this number on, equal cards are drawn as one

// ---- cards

export const isPublic = (zone: ZoneInfo, players: number): boolean => zone.sees.length === players;

function stackCards(prints: readonly (number | null)[]): CardStack[] {
  if (prints.length < kMinMerged) return prints.map((print) => ({ print, n: 1 }));
  const out: CardStack[] = [];
  const count = (print: number | null): number => prints.filter((one) => one === print).length;
  for (const print of prints) {
    const stack = out.find((one) => one.print === print);
    if (stack && count(print) >= kMinMerged) stack.n += 1;
    else out.push({ print, n: 1 });
  }
  return out;
}

function sortKeys(print: PrintInfo, names: readonly string[], description: Description): number[] {
  return names.map((name) => {
    const value = print.attributes[name];
    if (typeof value === "number") return value;
    const info = typeof value === "string" ? enumOf(name, value, description) : null;
    return info ? info.constants.indexOf(constantOf(info, String(value))) : -1;
  });
}

function sortCards(prints: readonly number[], names: readonly string[], description: Description): number[] {
  const keys = new Map(prints.map((print) => [print, sortKeys(description.prints[print], names, description)]));
  return [...prints].sort((a, b) => {
    const x = keys.get(a)!,
      y = keys.get(b)!;
    const at = x.findIndex((value, i) => value !== y[i]);
    return at < 0 ? a - b : x[at] - y[at];
  });
}

// Applies the person's own order; new cards are placed by the default order.
function inOwnOrder(prints: readonly number[], order: readonly number[]): number[] {
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

// Returns all cards of a zone in drawing order, with null for unknown cards. In an ordered zone, the top card is last.
function cardsInOrder(thing: ZoneThing, zone: ZoneInfo, zoneNumber: number, input: LayoutInput): (number | null)[] {
  const unknown = Math.max(0, thing.n - thing.cards.length);
  if (zone.ordered && thing.top) {
    const below = thing.bottom ?? [];
    const out: (number | null)[] = [];
    for (let i = 0; i < thing.n; ++i) out.push(below[i] ?? thing.top[thing.n - 1 - i] ?? null);
    return out;
  }
  const order = input.order?.get(zoneNumber);
  const sort = input.theme.zone(zone.name).sort;
  const known = order
    ? inOwnOrder(thing.cards, order)
    : sort
      ? sortCards(thing.cards, sort, input.description)
      : thing.cards;
  return [...known, ...Array<null>(unknown).fill(null)];
}

function kindOf(zone: ZoneInfo, number: number, input: LayoutInput, cards: readonly (number | null)[]): PlaceKind {
  const own = zone.owner !== null && zone.sees.length < input.description.players;
  if (zone.shape === "slot") return own && zone.sees.includes(zone.owner!) ? "hand" : "slot";
  if (zone.shape === "pile") {
    const below = cards.slice(0, -1).some((print) => print !== null && input.named.has(target.card(number, print)));
    return below ? "spread" : "pile";
  }
  const { fan } = input.theme.zone(zone.name);
  if (zone.owner !== null && (fan ?? own)) return "hand";
  return "spread";
}

// Returns true if a seat's box has no space for the known cards, unless options name them.
function isLong(cards: readonly (number | null)[], zone: number, input: LayoutInput): boolean {
  const known = cards.filter((print): print is number => print !== null);
  const french = known.some((print) => input.theme.french(input.description.prints[print]));
  return (
    known.length > (french ? kMaxUnfoldedFrench : kMaxUnfolded) &&
    !known.some((print) => input.named.has(target.card(zone, print)))
  );
}

function namesOf(zone: ZoneInfo, description: Description): Pick<Place, "name" | "short" | "words"> {
  const name = zone.name.replaceAll("_", " ");
  if (zone.area !== null && zone.area === teamArea(description)) {
    const team = teamText(zone.copy - 1, description);
    return { name: `${name} ${team}`, short: team, words: `${name} of ${team}` };
  }
  const numbered = zone.copies > 1;
  return { name: numbered ? `${name} ${zone.copy}` : name, short: numbered ? `${zone.copy}` : name, words: zone.words };
}

function placeOf(number: number, input: LayoutInput): Place {
  const zone = input.description.zones[number];
  const thing = (input.things[`z${number}`] as ZoneThing | undefined) ?? { n: 0, cards: [] };
  const cards = cardsInOrder(thing, zone, number, input);
  const kind = kindOf(zone, number, input, cards);
  const facedownZone = input.description.zones.findIndex((other) => other.up === number);
  const facedownThing = facedownZone < 0 ? null : ((input.things[`z${facedownZone}`] as ZoneThing | undefined) ?? null);
  const n = thing.n + (facedownThing?.n ?? 0);
  const down = facedownThing
    ? cardsInOrder(facedownThing, input.description.zones[facedownZone], facedownZone, input)
    : [];
  return {
    zone: number,
    kind,
    ...namesOf(zone, input.description),
    owner: zone.owner,
    n,
    cards: kind === "pile" ? cards.slice(-1).map((print) => ({ print, n: 1 })) : stackCards(cards),
    facedown: stackCards(down),
    long: isLong(cards, number, input),
    notes: [],
  };
}

// Returns true if a zone is drawn: piles and slots even when empty, and places with notes or names as part of an area.
function isShown(place: Place, zone: ZoneInfo, input: LayoutInput): boolean {
  if (place.n > 0 || zone.shape === "pile" || zone.shape === "slot" || place.notes.length) return true;
  return zone.area !== null && input.named.has(partKey(zone.area, zone.owner, zone.copy));
}

function places(owner: number | null, input: LayoutInput, excluded: ReadonlySet<number>): Place[] {
  const out: Place[] = [];
  input.description.zones.forEach((zone, number) => {
    if (zone.owner !== owner || zone.up !== null || zone.board !== null || excluded.has(number)) return;
    if (!input.theme.zone(zone.name).hidden) out.push(placeOf(number, input));
  });
  addNotes(out, input);
  // Among similar places, sorts all zones of the first place before those of the second.
  const copy = (place: Place): number =>
    input.description.zones[place.zone].copies > 1 ? input.description.zones[place.zone].copy : 0;
  return out
    .filter((place) => isShown(place, input.description.zones[place.zone], input))
    .map((place, i) => ({ place, i }))
    .sort((a, b) => copy(a.place) - copy(b.place) || a.i - b.i)
    .map(({ place }) => place);
}

// ---- the ring of played cards in front of their players

// Returns the zones of players with one open card in front of each player, as in `zone played: slot, public`.
function openSlots(input: LayoutInput): Set<number> {
  const { zones, players, boards } = input.description;
  if (boards.length) return new Set();
  const found = new Map<string, number[]>();
  zones.forEach((zone, number) => {
    const seat = zone.owner !== null && zone.shape === "slot" && zone.copies === 1 && zone.up === null;
    if (seat && !input.theme.zone(zone.name).hidden && isPublic(zone, players))
      found.set(zone.name, [...(found.get(zone.name) ?? []), number]);
  });
  return new Set(found.size === 1 ? [...found.values()][0] : []);
}

// Returns the zones of the table that contain a trick: cards from seats, at most one for each player, which a rule
// takes all at once. A zone that only grows is not a trick.
function tricksOn(input: LayoutInput): Map<number, PlayedCards[]> {
  const out = new Map<number, PlayedCards[]>();
  const { zones, players } = input.description;
  zones.forEach((zone, number) => {
    const thing = input.things[`z${number}`] as ZoneThing | undefined;
    const theme = input.theme.zone(zone.name);
    if (
      theme.hidden ||
      zone.owner !== null ||
      zone.shape === "pile" ||
      zone.board !== null ||
      !thing ||
      zone.copies > 1
    )
      return;
    const open = zone.sees.length === players && zone.cleared;
    if (thing.n > players || !(open || theme.bySeat)) return;
    const free = [...(input.origins.get(number) ?? [])];
    const played: PlayedCards[] = [];
    for (const print of cardsInOrder(thing, zone, number, input)) {
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

// Packs and slots with the same number for each owner (`area stack x 20 { owner: player }`) are drawn in front of their
// owners, together with the open slots of players.
function seatFronts(
  table: readonly Place[],
  slots: ReadonlySet<number>,
  seats: number[],
  input: LayoutInput,
): SeatFront[] {
  const names = [...new Set(table.map((place) => input.description.zones[place.zone].name))];
  const ownerOf = (place: Place): number | null => place.notes.find(({ seat }) => seat !== null)?.seat ?? null;
  const all = names.flatMap((name) => {
    const similar = table.filter((place) => input.description.zones[place.zone].name === name);
    const counts = seats.map((seat) => similar.filter((place) => ownerOf(place) === seat).length);
    const owned = counts.filter((n) => n > 0);
    const equalShares = owned.length > 1 && owned.every((n) => n === owned[0]);
    const allStacked = similar.every(
      (place) => (place.kind === "pile" || place.kind === "slot") && ownerOf(place) !== null,
    );
    return similar.length > owned.length && equalShares && allStacked ? similar : [];
  });
  if (!all.length) return [];
  const ofSeat = (seat: number): Place[] =>
    all
      .filter((place) => ownerOf(place) === seat)
      .map((place) => ({ ...place, notes: place.notes.filter((note) => note.seat !== seat) }));
  const slot = (seat: number): Place[] =>
    [...slots].map((zone) => placeOf(zone, input)).filter((place) => place.owner === seat);
  return seats
    .map((seat) => ({ seat, places: [...ofSeat(seat), ...slot(seat)] }))
    .filter(({ places }) => places.length > 0);
}

function ringOf(
  input: LayoutInput,
  slots: ReadonlySet<number>,
  tricks: ReadonlyMap<number, PlayedCards[]>,
): Layout["ring"] {
  const played: PlayedCards[] = [];
  for (const number of slots) {
    const place = placeOf(number, input);
    if (place.owner === null) continue;
    if (place.n)
      played.push({
        seat: place.owner,
        zone: number,
        stack: [...place.cards, ...place.facedown],
        facedown: place.cards.length === 0,
      });
  }
  for (const cards of tricks.values()) played.push(...cards);
  if (!slots.size && !played.length) return null;
  const zone = played.length ? played[0].zone : [...slots][0];
  return { name: input.description.zones[zone].name.replaceAll("_", " "), played, empty: played.length === 0 };
}

// ---- the complete layout

function seatBox(seat: number, input: LayoutInput, excluded: ReadonlySet<number>): SeatBox {
  const thing = (input.things.seats as SeatThing[] | undefined)?.[seat];
  return {
    seat,
    in: thing?.in ?? true,
    shown: thing?.shown ?? [],
    places: places(seat, input, excluded),
    chips: chips(seat, input).sort((a, b) => Number(isScore(b)) - Number(isScore(a))),
  };
}

function addTargets(out: Set<Target>, place: Place, input: LayoutInput): void {
  out.add(target.zone(place.zone));
  const down = input.description.zones.findIndex((other) => other.up === place.zone);
  if (down >= 0) out.add(target.zone(down));
  for (const { print } of place.cards) if (print !== null) out.add(target.card(place.zone, print));
  for (const { print } of place.facedown) if (print !== null && down >= 0) out.add(target.card(down, print));
}

function allTargets(layout: Layout, input: LayoutInput): Set<Target> {
  const out = new Set<Target>();
  const boxes = [...(layout.me ? [layout.me] : []), ...layout.others];
  for (const box of boxes) {
    out.add(target.seat(box.seat));
    for (const place of box.places) addTargets(out, place, input);
  }
  const inFronts = layout.fronts.flatMap(({ places }) => places);
  for (const place of [...layout.piles, ...layout.centre, ...inFronts]) addTargets(out, place, input);
  for (const played of layout.ring?.played ?? []) {
    out.add(target.zone(played.zone));
    for (const { print } of played.stack) if (print !== null) out.add(target.card(played.zone, print));
  }
  for (const view of layout.boards) {
    view.info.cells.forEach((_, cell) => out.add(target.cell(view.board, cell)));
    view.info.edges?.forEach((_, edge) => out.add(target.edge(view.board, edge)));
    for (const piece of view.pieces) if (piece.piece) out.add(target.piece(...piece.piece));
  }
  for (const row of layout.rows) for (const { at } of row.cells) out.add(at);
  for (const sheet of layout.sheets) sheet.keys.forEach((_, key) => out.add(target.key(sheet.variable, key)));
  for (const chip of layout.dice)
    if (chip.kind === "dice") chip.faces.forEach((_, i) => out.add(target.piece(chip.placed, i)));
  return out;
}

// The keys of Layout.parts: for a part of an area, and for a numbered place of a player.
export const partKey = (area: number, owner: number | null, index: number): string => `${area} ${owner} ${index}`;
export const numberKey = (words: string): string => `number ${words}`;

const allPlaces = (layout: Layout): Place[] => [
  ...(layout.me?.places ?? []),
  ...layout.others.flatMap((box) => box.places),
  ...layout.fronts.flatMap((front) => front.places),
  ...layout.piles,
  ...layout.centre,
];

// An option without arguments can name the place from which it takes cards, such as "Draw from the stock".
function namedPiles(layout: Layout, { description }: LayoutInput): Map<string, Target> {
  const places = [...layout.piles, ...layout.centre].filter(
    ({ zone, n }) => n > 0 && description.zones[zone].copies === 1,
  );
  return new Map(places.map((place) => [place.name.toLowerCase(), target.zone(place.zone)]));
}

function allParts(layout: Layout, { description }: LayoutInput): Map<string, Target[]> {
  const out = new Map<string, Target[]>();
  const add = (key: string, at: Target): void => void out.set(key, [...(out.get(key) ?? []), at]);
  for (const { zone: number } of allPlaces(layout)) {
    const { area, owner, copy } = description.zones[number];
    if (area === null || area === undefined) continue;
    add(partKey(area, owner, Math.max(1, copy)), target.zone(number));
    const down = description.zones.findIndex((other) => other.up === number);
    if (down >= 0) add(partKey(area, owner, Math.max(1, copy)), target.zone(down));
  }
  for (const { area, seat, me, cells } of layout.rows)
    cells.forEach(({ at, key }, i) => {
      if (area !== null) add(partKey(area, seat, i + 1), at);
      else if (me) add(numberKey(key), at);
    });
  return out;
}

// ---- boards

// Returns the sign of a variable's cells: the seat's letter for its first variable on the board, the initial for
// others.
function variableSign(
  piece: BoardPiece,
  firstVariables: ReadonlyMap<number | null, number>,
  input: LayoutInput,
): string {
  const seat = piece.seat ?? null;
  const info = piece.variable === undefined ? null : input.description.variables[piece.variable];
  if (seat !== null && firstVariables.get(seat) === piece.variable) return input.description.seats[seat];
  return [...(info?.name ?? piece.means)][0] ?? "";
}

function nameOnBoard(piece: BoardPiece, { description }: LayoutInput): string {
  if (piece.piece) return description.placed[piece.piece[0]].name;
  return piece.variable === undefined ? "" : (description.variables[piece.variable]?.name ?? "");
}

// The rules may show a piece as a constant for which the theme has a sign ("*weapon token").
const shownConstant = (piece: BoardPiece, input: LayoutInput): ValueText => constantText(piece.means, null, input);

function signOf(piece: BoardPiece, firstVariables: ReadonlyMap<number | null, number>, input: LayoutInput): string {
  const symbol = input.theme.piece(nameOnBoard(piece, input)).symbol ?? shownConstant(piece, input).symbol;
  const plain = symbol === "●" || symbol === "○"; // the default disc
  if (plain && piece.seat !== undefined) return input.description.seats[piece.seat];
  if (symbol) return symbol;
  if (piece.kind !== "piece") return piece.sign ?? variableSign(piece, firstVariables, input);
  // An arrow is drawn in addition; the letter shows the owner.
  const arrow = piece.sign === undefined || /^[\u2190-\u21ff]$/.test(piece.sign);
  return arrow && piece.seat !== undefined ? input.description.seats[piece.seat] : (piece.sign ?? "");
}

// Returns true for sets that share cells with earlier sets: they are drawn as ground, such as a goal below pieces.
function isArea(piece: BoardPiece, pieces: readonly BoardPiece[]): boolean {
  if (piece.kind !== "set") return false;
  const cells = new Set(piece.cells);
  return pieces.some(
    (other) =>
      other.kind !== "piece" &&
      (other.variable ?? 0) < (piece.variable ?? 0) &&
      other.cells.some((cell) => cells.has(cell)),
  );
}

function drawPieces(pieces: readonly BoardPiece[], input: LayoutInput): DrawnPiece[] {
  const firstVariables = new Map<number | null, number>();
  for (const piece of pieces) {
    const seat = piece.seat ?? null;
    if (piece.variable !== undefined)
      firstVariables.set(seat, Math.min(firstVariables.get(seat) ?? Infinity, piece.variable));
  }
  const areas = new Set(pieces.filter((piece) => isArea(piece, pieces)).map((piece) => piece.variable));
  const out: DrawnPiece[] = [];
  const heights = new Map<number, number>(); // number of pieces by cell
  for (const piece of [...pieces].reverse()) {
    const form =
      piece.kind !== "piece" && areas.has(piece.variable)
        ? "area"
        : piece.kind === "mark" && piece.seat === undefined
          ? "square"
          : "disc";
    const sign = signOf(piece, firstVariables, input),
      seat = piece.seat ?? null;
    const letter = seat === null || sign === input.description.seats[seat] ? "" : input.description.seats[seat];
    const colour = input.theme.piece(nameOnBoard(piece, input)).colour ?? shownConstant(piece, input).colour;
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
      const below = cells.length === 1 && form !== "area" ? (heights.get(cells[0]) ?? 0) : 0;
      if (cells.length === 1 && form !== "area") heights.set(cells[0], below + 1);
      const key = piece.piece
        ? piece.piece.join(":")
        : piece.kind === "mark"
          ? `${piece.variable} ${piece.seat}`
          : `${piece.variable} ${piece.seat} ${cells[0]}`;
      out.push({ ...one, cells, key, below });
    }
  }
  const rank = (one: DrawnPiece): number => (one.form === "area" ? 0 : one.cells.length > 1 ? 1 : 2);
  return out
    .map((one, i) => ({ one, i }))
    .sort((a, b) => rank(a.one) - rank(b.one) || a.i - b.i)
    .map(({ one }) => one);
}

function legendOf(
  pieces: readonly BoardPiece[],
  input: LayoutInput,
  drawnPieces: readonly DrawnPiece[],
): [string, string][] {
  const out = new Map<string, string>();
  for (const piece of pieces) {
    const drawn = drawnPieces.find((one) => one.words === (piece.words || piece.means));
    const own = piece.seat !== undefined && drawn?.sign === input.description.seats[piece.seat];
    if (drawn?.sign && !own)
      out.set(drawn.sign, piece.seat === undefined ? piece.means : piece.means.replace(/ of \w+$/, ""));
  }
  return [...out];
}

// Returns the pieces of a board that the theme does not hide.
function piecesOn(board: number, things: Things, { description, theme }: TextContext): BoardPiece[] {
  const hidden = ({ variable }: BoardPiece): boolean => {
    const info = variable === undefined ? null : description.variables[variable];
    return info ? theme.variable(info.name).hidden : false;
  };
  return ((things[`b${board}`] as BoardPiece[] | undefined) ?? []).filter((piece) => !hidden(piece));
}

// Returns texts for all pieces and values by cell, for comparison.
function contentsByCell(board: number, things: Things, input: TextContext): Map<number, string[]> {
  const out = new Map<number, string[]>();
  const add = (cell: number, content: unknown): void =>
    void out.set(cell, [...(out.get(cell) ?? []), JSON.stringify(content)]);
  for (const piece of piecesOn(board, things, input))
    for (const cell of piece.cells) add(cell, { ...piece, cells: undefined, words: undefined });
  ((things[`g${board}`] as Ground | undefined)?.cells ?? []).forEach((value, cell) => {
    if (isShownOnGround(value)) add(cell, value);
  });
  return out;
}

function contentsByEdge(board: number, things: Things): Map<number, string[]> {
  const { edges = [], walls = [] } = (things[`g${board}`] as Ground | undefined) ?? {};
  const out = new Map<number, string[]>();
  const add = (edge: number, content: unknown): void =>
    void out.set(edge, [...(out.get(edge) ?? []), JSON.stringify(content)]);
  for (const [edge, value] of edges) if (isShownOnGround(value)) add(edge, value);
  for (const { edges, means } of walls) for (const edge of edges) add(edge, means);
  return out;
}

const kNoMove: LastMove = { cells: new Map(), edges: new Set() };

// Returns the last move: "reached" for cells with new pieces or values, "left" for cells that lost them.
function lastMoveOn(board: number, input: LayoutInput): LastMove {
  const { before, after } = input.lastMove ?? {};
  if (!before || !after || !(`b${board}` in before)) return kNoMove;
  const hasMore = (some: readonly string[], than: readonly string[]): boolean => {
    const left = [...than];
    return some.some((one) => !left.includes(one) || !left.splice(left.indexOf(one), 1));
  };
  const contentsBefore = contentsByCell(board, before, input),
    contentsAfter = contentsByCell(board, after, input);
  const cells = new Map<number, "left" | "reached">();
  for (const cell of new Set([...contentsBefore.keys(), ...contentsAfter.keys()])) {
    if (hasMore(contentsAfter.get(cell) ?? [], contentsBefore.get(cell) ?? [])) cells.set(cell, "reached");
    else if (hasMore(contentsBefore.get(cell) ?? [], contentsAfter.get(cell) ?? [])) cells.set(cell, "left");
  }
  const walls = contentsByEdge(board, before);
  const edges = [...contentsByEdge(board, after)].filter(([edge, what]) => hasMore(what, walls.get(edge) ?? []));
  return { cells, edges: new Set(edges.map(([edge]) => edge)) };
}

function boardViews(input: LayoutInput): BoardView[] {
  return input.description.boards.map((info, board) => {
    const pieces = piecesOn(board, input.things, input);
    const drawn = drawPieces(pieces, input);
    const ground = (input.things[`g${board}`] as Ground | undefined) ?? {};
    return {
      board,
      info,
      pieces: drawn,
      last: lastMoveOn(board, input),
      legend: legendOf(pieces, input, drawn),
      ground,
      values: (ground.cells ?? []).map((value) => groundText(value, input)),
    };
  });
}

type GroundValue = NonNullable<Ground["cells"]>[number];

const isShownOnGround = (value: GroundValue | undefined): boolean =>
  value !== undefined && value !== null && value !== 0 && value !== false;

function groundText(value: GroundValue, input: TextContext): ValueText | null {
  if (!isShownOnGround(value)) return null;
  if (value !== null && typeof value === "object") return plainText(input.description.seats[value.seat] ?? "");
  return typeof value === "string"
    ? constantText(value, null, input)
    : plainText(value === true ? "yes" : String(value));
}

// Returns the ground values of cells and edges, as text lines.
export function groundLines({ info, ground, values }: BoardView, seats: readonly string[]): string[] {
  const titled = (title: string | undefined, value: string): string => `${title ? `${title} ` : ""}${value}`;
  const byValue = new Map<string, string[]>();
  const add = (line: string, place: string): void => void byValue.set(line, [...(byValue.get(line) ?? []), place]);
  values.forEach((text, cell) => text && add(titled(info.shows?.text, fullText(text)), info.cells[cell]));
  for (const [edge, value] of ground.edges ?? [])
    if (isShownOnGround(value))
      add(
        titled(
          info.shows_on_edges?.text,
          typeof value === "object" ? seats[value.seat] : value === true ? "yes" : String(value),
        ),
        info.edges?.[edge]?.name ?? `${edge}`,
      );
  for (const wall of ground.walls ?? [])
    for (const edge of wall.edges) add(wall.means, info.edges?.[edge]?.name ?? `${edge}`);
  return [...byValue].map(([line, places]) => `${line}: ${places.join(", ")}`);
}

export function arrange(input: LayoutInput): Layout {
  const { description, me } = input;
  const slots = openSlots(input),
    tricks = tricksOn(input);
  const excluded = new Set([...slots, ...tricks.keys()]);
  const box = (seat: number): SeatBox => seatBox(seat, input, excluded);
  const others = Array.from({ length: description.players - (me === null ? 0 : 1) }, (_, i) =>
    me === null ? i : (me + 1 + i) % description.players,
  );
  const all = places(null, input, excluded);
  const centre = (place: Place): boolean =>
    input.theme.zone(description.zones[place.zone].name).centre || (place.kind !== "pile" && place.kind !== "slot");
  const seats = me === null ? others : [...others, me];
  const fronts = seatFronts(all, slots, seats, input);
  const inFronts = new Set(fronts.flatMap(({ places }) => places.map(({ zone }) => zone)));
  const table = all.filter(({ zone }) => !inFronts.has(zone));
  const tableChips = chips(null, input);
  const state = input.things.table as TableThing | undefined;
  const layout: Layout = {
    me: me === null ? null : box(me),
    others: others.map(box),
    piles: table.filter((place) => !centre(place)),
    centre: table.filter(centre),
    fronts,
    ring: ringOf(input, fronts.length ? new Set() : slots, tricks),
    boards: boardViews(input),
    rows: rowsOf(seats, input),
    sheets: sheets(input),
    dice: tableChips.filter((chip) => chip.kind === "dice"),
    chips: tableChips.filter((chip) => chip.kind !== "dice"),
    shown: state?.shown ?? [],
    active: state?.active ?? null,
    turn: state?.turn || null,
    round: state?.round || null,
    targets: new Set(),
    parts: new Map(),
    named: new Map(),
  };
  layout.targets = allTargets(layout, input);
  layout.parts = allParts(layout, input);
  layout.named = namedPiles(layout, input);
  return layout;
}
