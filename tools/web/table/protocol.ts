// Defines the types of the messages between a table and its page, which docs/reference/protocol.md documents.

// ---- the description of a game

export type Shape = "set" | "pile" | "row" | "slot";

export interface ZoneInfo {
  name: string;
  words: string;
  owner: number | null;
  copy: number;
  copies: number;
  area: number | null; // each part of it has one such zone
  shape: Shape;
  facedown: boolean;
  up: number | null; // the zone that contains these cards face up
  ordered: boolean;
  cleared: boolean; // a rule takes all cards of it at once
  sees: number[];
  board: number | null;
  refill: number | null;
}

export interface PrintInfo {
  name: string;
  kind: number; // index in `kinds`
  text: string;
  sign?: string;
  attributes: Record<string, number | string | boolean | null>;
  count: number;
}

export interface KindInfo {
  name: string;
  label: string;
  text: string;
}

export interface AttributeInfo {
  name: string;
  kind: "number" | "constant" | "player" | "boolean";
  enum: number | null;
}

export interface EnumInfo {
  name: string;
  constants: string[];
  labels: string[];
  texts: string[];
  attributes: { name: string; values: (number | string | boolean | null)[] }[]; // by constant
}

export type ValueKind =
  | "number"
  | "boolean"
  | "player"
  | "card"
  | "constant"
  | "kind"
  | "players"
  | "cards"
  | "set"
  | "cells"
  | "part"
  | "piece";

export interface VariableInfo {
  name: string;
  words: string;
  owner: boolean;
  kind: ValueKind;
  enum: number | null;
  keys: { kind: string; enum?: number | null; values: string[] }[];
  list: boolean;
  from?: number | null;
  to?: number | null;
  secret: boolean;
  temporary: boolean; // exists for a round, turn or phase
  area: number | null; // the area whose parts are the first key
  placed: number | null;
  board: number | null;
}

// The value shown on empty cells. `variable` is set if the board shows the current values of a table.
export interface BoardShows {
  text: string;
  variable: number | null;
}

export interface BoardInfo {
  name: string;
  shape: "grid" | "hex" | "graph";
  width: number;
  height: number;
  cells: string[];
  across?: boolean;
  down?: boolean;
  places?: [number, number][];
  lines?: [number, number][];
  edges?: { name: string; cell: number; way: number }[]; // way: eighths from north, on hexagons sixths from north-east
  shows?: BoardShows;
  shows_on_edges?: BoardShows;
}

export interface PlacedInfo {
  name: string;
  of_players: boolean;
  labels: string[];
  sign: string;
  each: number | null;
  faces?: (number | string)[];
  face?: number; // the variable with the upper face
  board: number | null;
  zone: number | null;
}

export interface ActionInfo {
  name: string;
  words: string;
  kind: "play" | "use" | "pass" | "pick" | "done" | "choose" | "yes_no" | "one_of";
  secret: boolean;
  where: string;
}

export interface Description {
  name: string;
  title: string;
  about: string;
  players: number;
  options: [string, string][]; // name, value
  seats: string[];
  zones: ZoneInfo[];
  prints: PrintInfo[];
  kinds: KindInfo[];
  attributes: AttributeInfo[];
  areas: { name: string; parts: number; each: number }[]; // each: number of parts for each player, or 0
  teams: number[][]; // seats
  enums: EnumInfo[];
  variables: (VariableInfo | null)[];
  boards: BoardInfo[];
  placed: PlacedInfo[];
  actions: ActionInfo[];
  races: boolean;
  payoff: boolean;
  rules: string[]; // lines
  look: ThemeFile | null;
}

// The contents of NAME.look. Lists are in source order; later entries take precedence.
export interface ThemeFile {
  zones?: Record<string, Record<string, unknown>>;
  variables?: Record<string, Record<string, unknown>>;
  cards?: Record<string, Record<string, unknown>>;
  attributes?: Record<string, Record<string, unknown>>;
  constants?: Record<string, Record<string, unknown>>;
  boards?: Record<string, Record<string, unknown>>;
  pieces?: Record<string, Record<string, unknown>>;
  table?: Record<string, unknown>;
  pace?: number; // milliseconds
  linger?: Record<string, number>;
}

// ---- things

export interface ZoneThing {
  n: number;
  cards: number[];
  top?: (number | null)[];
  bottom?: (number | null)[];
}

export interface BoardPiece {
  sign?: string;
  means: string;
  cells: number[];
  variable?: number; // the variable of a mark or set
  seat?: number;
  piece?: [number, number];
  print?: number;
  facing?: string;
  kind: "piece" | "mark" | "set";
  words: string;
}

export interface Ground {
  cells?: (number | boolean | string | { seat: number } | null)[];
  edges?: [number, number | boolean | string | { seat: number }][];
  walls?: { edges: number[]; means: string; seat?: number }[];
}

export interface SeatThing {
  in: boolean;
  shown: string[];
}

export interface TableThing {
  active?: number | null;
  turn?: number;
  round?: number;
  shown: string[];
}

export type Value =
  number | boolean | string | null | Value[] | { cards: Value[]; unknown: number } | { [key: string]: unknown };

export type Things = Record<string, unknown>;

// ---- from the client

export type Command =
  | { k: "hello"; key: string | null; steps?: Record<string, number>; run?: string } // steps: "-2" for spectators
  | { k: "ping" }
  | { k: "choose"; seat: number; q: number; id: number }
  | { k: "act"; seat: number; id: number }
  | { k: "why"; seat: number; what: string }
  | { k: "why"; seat: number; print: number }
  | { k: "why"; seat: number; action: number }
  | { k: "at"; seat: number | null; step: number }
  | { k: "undo"; seat: number; step?: number }
  | { k: "ballot"; kind: "pause" | "resume" | "again" | "bot"; seat?: number }
  | { k: "vote"; id: number; yes: boolean }
  | { k: "sit"; seat: number }
  | { k: "rise"; seat: number }
  | { k: "name"; seat: number; name: string }
  | { k: "host"; do: "start" | "bot" | "open" | "invite" | "revoke" | "reload" | "close"; seat?: number }
  | { k: "design"; do: "back" | "state" | "think" | "keep" | "from"; seat?: number; entry?: number };

// ---- from the table

export interface Part {
  name: string;
  kind: string;
  words: string;
  print?: number;
  prints?: number[]; // prints of a set of cards
  zones?: number[];
  zone?: number;
  seat?: number;
  cell?: number; // for a direction: its destination
  cells?: number[]; // cells of a set of cells
  edge?: number;
  edges?: number[]; // edges of a set of edges
  board?: number;
  value?: number | string | boolean | null;
  area?: number; // for a part of an area: the area,
  owner?: number | null; // its owner,
  index?: number; // and its number among the owner's parts, from 1
  piece?: [number, number];
}

export interface Option {
  id: number;
  words: string;
  action: number;
  parts: Part[];
}

export interface Ask {
  k: "ask";
  seat: number;
  q: number;
  window: string;
  prompt: string;
  place: string;
  flow: boolean;
  left?: number;
  picked: number;
  wanted: number;
  picks: string;
  race: boolean;
  options: Option[];
}

export type News =
  | { k: "move"; from: number; to: number; n: number; prints: (number | null)[]; text: string; step?: number }
  | { k: "change"; variable: number; text: string; step?: number }
  | { k: "say"; text: string; step?: number }
  | { k: "choice"; seat: number; text: string; step?: number }
  | { k: "heading"; text: string; step?: number };

export interface PendingQuestion {
  seat?: number;
  all?: boolean;
  window: string;
  words: string;
}

export interface Person {
  seat: number;
  name: string;
  kind: "person" | "bot" | "open";
  here: boolean;
  lag?: number; // round-trip time to the slowest device of this seat, in milliseconds
}

export interface TableSettings {
  open_at_end?: boolean;
  time_factor?: number;
  design?: boolean;
  undo?: boolean;
  bots?: string;
}

export interface Welcome {
  k: "welcome";
  v: number;
  build: string;
  table: string;
  title: string;
  you: { seats: number[]; host: boolean };
  started: boolean;
  people: Person[];
  watching: number;
  settings: TableSettings;
  rules: string;
  run?: string; // run of the table core; steps are valid in this run only
}

export interface View {
  k: "view";
  seat: number | null;
  step: number;
  things: Things;
  news: News[];
  asked: PendingQuestion | null;
}

export interface Step {
  k: "step";
  seat: number | null;
  step: number;
  set: Things;
  gone: string[];
  news: News[];
  asked: PendingQuestion | null;
}

export interface Past {
  k: "past";
  seat: number | null;
  step: number;
  things: Things;
  news: News[];
  of: number;
}

// The clock of the open race, in microseconds of race time.
export interface Clock {
  k: "clock";
  race: true;
  now: number;
  next: number | null; // the time of the next automatic event
  paused: number | null; // no player can act before this time
  factor: number;
  running: string[];
  held: number; // milliseconds
}
export type ClockMessage = Clock | { k: "clock"; race: false; factor: number; held: number };

export interface BallotMessage {
  k: "ballot";
  id: number;
  kind?: string;
  by?: number;
  seat?: number;
  text?: string;
  votes?: Record<string, boolean>;
  left?: number;
  result?: boolean;
}

export interface RulesMessage {
  k: "rules";
  ok: boolean;
  rules?: string;
  run?: string; // present with `rules`
  report?: unknown;
  stuck?: { entry: number; choice: string; because: string } | null;
}

export interface Over {
  k: "over";
  winners: number[];
  ending: string;
  returns: number[];
  failure?: string;
  open?: Things;
}

export type Message =
  | { k: "key"; key: string }
  | { k: "pong" }
  | Welcome
  | { k: "people"; started: boolean; people: Person[]; watching: number }
  | View
  | Step
  | Ask
  | { k: "idle"; seat: number; q: number }
  | { k: "taken"; seat: number; q?: number; id: number }
  | { k: "refused"; seat?: number; q?: number; id?: number; because: string }
  | ClockMessage
  | { k: "answers"; seat: number; answers: string[] }
  | Past
  | BallotMessage
  | RulesMessage
  | Over
  | { k: "opinions"; seat: number; q: number; options: { id: number; visits: number; value: number }[] }
  | { k: "everything"; things: Things }
  | { k: "invitation"; seat: number | null; link: string }
  | { k: "paused"; paused: boolean }
  | { k: "bye"; because: string; again: boolean };
