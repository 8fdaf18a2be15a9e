// Tests the layout of the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeLine, geometry } from "../geometry";
import { arrange, groundLines, partKey, type Layout } from "../layout";
import { isScore, type Chip } from "../chips";
import { target } from "../targets";
import { Theme } from "../theme";
import { modelAfter, fixture, layoutOf } from "./fixtures";
import { remainingRows } from "../picking";
import type { BoardInfo, Description, ZoneInfo } from "../protocol";

test("other seats are clockwise from the left; spectators see all seats in a row", () => {
  const model = modelAfter(fixture("hearts"));
  assert.deepEqual(
    layoutOf(model).others.map((box) => box.seat),
    [1, 2, 3],
  );
  const { description } = fixture("hearts");
  const of = (me: number | null): Layout =>
    arrange({
      description,
      theme: new Theme(description),
      things: {},
      me,
      origins: new Map(),
      named: new Set(),
    });
  assert.deepEqual(
    of(2).others.map((box) => box.seat),
    [3, 0, 1],
  );
  assert.deepEqual(
    of(null).others.map((box) => box.seat),
    [0, 1, 2, 3],
  );
  assert.equal(of(null).me, null);
});

test("the own hand shows sorted cards, other hands show backs", () => {
  const layout = layoutOf(modelAfter(fixture("hearts"), 4));
  const hand = layout.me!.places.find((place) => place.name === "hand")!;
  assert.equal(hand.kind, "hand");
  assert.equal(hand.n, 13);
  const prints = hand.cards.map((stack) => stack.print!);
  assert.deepEqual(
    prints,
    [...prints].sort((a, b) => a - b),
  );
  for (const box of layout.others) {
    const theirs = box.places.find((place) => place.name === "hand")!;
    assert.equal(theirs.n, 13);
    assert(theirs.cards.every((stack) => stack.print === null));
  }
});

test("a played card is in front of its player", () => {
  const { description, messages } = fixture("hearts");
  const model = modelAfter({ description, messages });
  const layout = layoutOf(model);
  const things = model.observed.get(0)!.things;
  for (const played of layout.ring!.played) {
    assert.equal(description.zones[played.zone].owner, played.seat);
    assert(`z${played.zone}` in things);
  }
  assert(layout.ring!.played.length > 0 || layout.ring!.empty);
});

test("every option in the fixtures has a target or a button", () => {
  for (const game of ["hearts", "splash", "checkers", "yahtzee"] as const) {
    const one = fixture(game);
    one.messages.forEach((message, i) => {
      if (message.k !== "ask") return;
      const layout = layoutOf(modelAfter(one, i + 1));
      for (const option of message.options) {
        const cards = option.parts.filter(
          (part) => part.kind === "card" || part.kind === "cell" || part.kind === "player" || part.kind === "piece",
        );
        assert.equal(remainingRows(option, [], layout)!.length >= cards.length, true, `${game}: ${option.words}`);
      }
    });
  }
});

const zone = (more: Partial<ZoneInfo>): ZoneInfo => ({
  name: "z",
  words: "z",
  owner: null,
  copy: 0,
  copies: 1,
  shape: "set",
  facedown: false,
  up: null,
  ordered: false,
  cleared: false,
  sees: [0, 1],
  area: null,
  board: null,
  refill: null,
  ...more,
});
const ofPlayers = {
  words: "",
  owner: true,
  kind: "number" as const,
  enum: null,
  keys: [] as { kind: string; values: string[] }[],
  list: false,
  secret: false,
  temporary: false,
  area: null as number | null,
  placed: null,
  board: null as number | null,
};
function game(more: Partial<Description>): Description {
  return {
    name: "g",
    title: "G",
    about: "",
    players: 2,
    options: [],
    seats: ["a", "b"],
    zones: [],
    kinds: [],
    attributes: [],
    enums: [],
    areas: [],
    teams: [],
    variables: [],
    boards: [],
    placed: [],
    actions: [],
    races: false,
    payoff: false,
    rules: [],
    look: null,
    prints: Array.from({ length: 12 }, (_, i) => ({ name: `card ${i}`, kind: 0, text: "", attributes: {}, count: 1 })),
    ...more,
  };
}
function layOut(
  description: Description,
  things: Record<string, unknown>,
  more: Partial<Parameters<typeof arrange>[0]> = {},
): Layout {
  return arrange({
    description,
    theme: new Theme(description),
    things,
    me: 0,
    origins: new Map(),
    named: new Set(),
    ...more,
  });
}

test("a pile shows its top card, and is spread out if options name cards inside", () => {
  const description = game({ zones: [zone({ shape: "pile", ordered: true })] });
  const things = { z0: { n: 3, cards: [1, 2, 5], top: [5, 1, 2], bottom: [2, 1, 5] } };
  const pile = layOut(description, things).piles[0];
  assert.deepEqual([pile.kind, pile.n, pile.cards], ["pile", 3, [{ print: 5, n: 1 }]]);
  const open = layOut(description, things, { named: new Set([target.card(0, 2)]) }).piles.concat(
    layOut(description, things, { named: new Set([target.card(0, 2)]) }).centre,
  )[0];
  assert.equal(open.kind, "spread");
  assert.deepEqual(
    open.cards.map((stack) => stack.print),
    [2, 1, 5],
  );
});

test("a pile whose lower cards are known shows a back on top", () => {
  const description = game({ zones: [zone({ shape: "pile", ordered: true, sees: [] })] });
  const pile = layOut(description, { z0: { n: 4, cards: [3], bottom: [3] } }).piles[0];
  assert.deepEqual(pile.cards, [{ print: null, n: 1 }]);
});

test("nine or more equal cards are drawn as one", () => {
  const description = game({ zones: [zone({})] });
  const many = layOut(description, { z0: { n: 11, cards: [...Array<number>(9).fill(4), 5, 6] } }).centre[0];
  assert.deepEqual(many.cards, [
    { print: 4, n: 9 },
    { print: 5, n: 1 },
    { print: 6, n: 1 },
  ]);
  const few = layOut(description, { z0: { n: 3, cards: [4, 4, 4] } }).centre[0];
  assert.equal(few.cards.length, 3);
});

test("face-down cards are drawn with the other cards of their zone", () => {
  const description = game({
    zones: [
      zone({ name: "row", owner: 0, shape: "row" }),
      zone({ name: "row", owner: 0, shape: "row", up: 0, sees: [], facedown: true }),
    ],
  });
  const layout = layOut(description, { z0: { n: 1, cards: [3] }, z1: { n: 2, cards: [] } });
  assert.equal(layout.me!.places.length, 1);
  assert.equal(layout.me!.places[0].n, 3);
  assert.deepEqual(layout.me!.places[0].facedown, [
    { print: null, n: 1 },
    { print: null, n: 1 },
  ]);
  assert(layout.targets.has(target.zone(1)));
});

test("cards in an open zone are in front of their players if the zone is a trick", () => {
  const description = game({ zones: [zone({ name: "trick", cleared: true })] });
  const origins = new Map([
    [
      0,
      [
        { print: 1, seat: 1 },
        { print: 2, seat: 0 },
        { print: 3, seat: 0 },
      ],
    ],
  ]);
  const two = layOut(description, { z0: { n: 2, cards: [1, 2] } }, { origins });
  assert.deepEqual(
    two.ring!.played.map(({ seat, stack }) => [seat, stack[0].print]),
    [
      [1, 1],
      [0, 2],
    ],
  );
  assert.equal(two.centre.length, 0);
  const three = layOut(description, { z0: { n: 3, cards: [1, 2, 3] } }, { origins });
  assert.equal(three.ring, null);
  assert.equal(three.centre.length, 1);
  const dealt = layOut(description, { z0: { n: 2, cards: [1, 9] } }, { origins });
  assert.equal(dealt.ring, null);
  const grows = layOut(game({ zones: [zone({ name: "trick" })] }), { z0: { n: 2, cards: [1, 2] } }, { origins });
  assert.deepEqual([grows.ring, grows.centre.length], [null, 1]);
  const theme = { zones: { trick: { by_seat: true } } };
  const text = layOut(
    game({ zones: [zone({ name: "trick" })], look: theme }),
    { z0: { n: 1, cards: [1] } },
    { origins },
  );
  assert.equal(text.ring!.played.length, 1);
});

test("the person's own order of a hand is kept, and new cards are inserted", () => {
  const description = game({ zones: [zone({ owner: 0, sees: [0] })] });
  const order = new Map([[0, [7, 2, 4]]]);
  const hand = layOut(description, { z0: { n: 4, cards: [2, 4, 5, 7] } }, { order }).me!.places[0];
  assert.deepEqual(
    hand.cards.map((stack) => stack.print),
    [5, 7, 2, 4],
  );
});

test("a theme can sort, hide and gather zones, and ignores unknown names", () => {
  const description = game({
    zones: [zone({ name: "hand", owner: 0, sees: [0] }), zone({ name: "spare" })],
    attributes: [{ name: "rank", kind: "number", enum: null }],
    prints: [3, 1, 2].map((rank) => ({ name: `r${rank}`, kind: 0, text: "", attributes: { rank }, count: 1 })),
    look: { zones: { hand: { sort: ["rank"] }, spare: { hidden: true } } },
  });
  const layout = layOut(description, { z0: { n: 3, cards: [0, 1, 2] }, z1: { n: 1, cards: [0] } });
  assert.deepEqual(
    layout.me!.places[0].cards.map((stack) => stack.print),
    [1, 2, 0],
  );
  assert.equal(layout.centre.length, 0);
});

test("constants that are named like a colour have this colour, and a theme selects shown attributes", () => {
  const prints = [0, 0, 3].map((coins, i) => ({
    name: `p${i}`,
    kind: 0,
    text: "",
    attributes: { coins, cost: i },
    count: 1,
  }));
  const hue = { name: "Hue", texts: ["", ""], attributes: [] };
  const description = game({
    prints,
    attributes: ["coins", "cost"].map((name) => ({ name, kind: "number", enum: null })),
    enums: [
      { ...hue, constants: ["white", "constructor"], labels: ["white", "constructor"] },
      { ...hue, name: "Side", constants: ["one", "two"], labels: ["Green", "two"] },
    ],
    look: { attributes: { cost: { symbol: "¢" }, coins: { hidden: true } } },
  });
  const theme = new Theme(description);
  assert.equal(theme.constant(description.enums[0], "white").colour, "#f4f4f4");
  assert.match(theme.constant(description.enums[0], "constructor").colour!, /^#/);
  assert.equal(theme.constant(description.enums[1], "one").colour, "#2c7a31");
  assert.deepEqual(theme.attribute("cost"), { hidden: false, symbol: "¢", mostlyZero: false });
  assert.deepEqual(theme.attribute("coins"), { hidden: true, symbol: null, mostlyZero: true });
});

test("a theme sets cards by kind, and a single card takes precedence", () => {
  const description = game({
    kinds: [
      { name: "Other", label: "Other", text: "" },
      { name: "KillShot", label: "Kill Shot", text: "" },
    ],
    prints: ["Kill Shot (1)", "Kill Shot (2)"].map((name) => ({ name, kind: 1, text: "", attributes: {}, count: 1 })),
    look: { cards: { KillShot: { symbol: "x" }, "Kill Shot (2)": { symbol: "y" }, Other: { symbol: "z" } } },
  });
  const theme = new Theme(description);
  assert.deepEqual(
    description.prints.map((print) => theme.card(print).symbol),
    ["x", "y"],
  );
});

test("numbers with a low bound have pips, tables by player are sheets, empty values are omitted", () => {
  const variable = ofPlayers;
  const keys = [{ kind: "constant", values: ["ones", "twos", "threes", "fours", "fives", "sixes"] }];
  const description = game({
    variables: [
      { ...variable, name: "lives", from: 0, to: 5 },
      { ...variable, name: "money", from: 0, to: 5000 },
      { ...variable, name: "ready", kind: "boolean" },
      null,
      { ...variable, name: "score", keys },
    ],
  });
  const scores = [1, null, null, null, null, null, null, 12, null, null, null, null];
  const layout = layOut(description, { v0: [3, 4], v1: [100, "?"], v2: [true, false], v4: scores });
  const mine = layout.me!.chips,
    theirs = layout.others[0].chips;
  assert.deepEqual(
    mine.map((chip) => chip.kind),
    ["number", "number", "tag"],
  );
  assert.equal(mine[0].kind === "number" && mine[0].max, 5);
  assert.equal(mine[1].kind === "number" && mine[1].max, null);
  assert.deepEqual(
    theirs.map((chip) => chip.kind === "tag" && chip.value.text),
    [false, "?"],
  );
  assert.deepEqual(
    layout.sheets[0].groups[0].columns.map(({ cells }) => cells.map((cell) => cell?.value.text ?? "")),
    [
      ["1", "", "", "", "", ""],
      ["", "12", "", "", "", ""],
    ],
  );
});

test("scores come first", () => {
  const description = game({
    variables: ["bid", "round_points", "pointless", "score"].map((name) => ({ ...ofPlayers, name })),
  });
  const { chips } = layOut(description, { v0: [1, 0], v1: [2, 0], v2: [3, 0], v3: [4, 0] }).me!;
  assert.deepEqual(
    chips.map((chip) => chip.label),
    ["round points", "score", "bid", "pointless"],
  );
  assert.deepEqual(chips.map(isScore), [true, true, false, false]);
});

test("a constant has its theme's sign and colour everywhere", () => {
  const variable = { ...ofPlayers, owner: false, kind: "constant" as const, enum: 0 };
  const theme = { constants: { high_tide: { symbol: "≈", colour: "#0b5566" } }, variables: { stock: { max: 4 } } };
  const places = [1, 2].map((copy) => zone({ name: "line", copy, copies: 2, area: 0, shape: "pile" }));
  const lines = [{ kind: "number", values: ["1", "2"] }],
    six = [{ kind: "number", values: ["1", "2", "3", "4", "5", "6"] }];
  const description = game({
    look: theme,
    areas: [{ name: "line", parts: 2, each: 0 }],
    zones: places,
    enums: [
      { name: "Tide", constants: ["low", "high_tide"], labels: ["low", "high tide"], texts: ["", ""], attributes: [] },
    ],
    boards: [
      {
        name: "sea",
        shape: "grid",
        width: 2,
        height: 1,
        cells: ["a1", "b1"],
        edges: [{ name: "a1|E", cell: 0, way: 2 }],
        shows: { text: "tide", variable: null },
        shows_on_edges: { text: "wall", variable: null },
      },
    ],
    variables: [
      { ...variable, name: "now", keys: [] },
      { ...variable, name: "then", keys: [{ kind: "boolean", values: ["no", "yes"] }] },
      { ...variable, name: "of_line", area: 0, keys: lines },
      { ...variable, name: "log", owner: true, keys: six },
      { ...variable, name: "all", kind: "set", keys: [] },
      { ...variable, name: "stock", kind: "number", enum: null, keys: [], from: 0, to: 90 },
    ],
  });
  const high = "high tide",
    nothing = Array<null>(6).fill(null);
  const layout = layOut(description, {
    v0: [high],
    v1: [high, null],
    v2: [high, null],
    v3: [high, ...nothing.slice(1), ...nothing],
    v4: [["low", high]],
    v5: [3],
    g0: { cells: [high, 0], edges: [[0, 2]], walls: [{ edges: [0], means: "reef" }] },
  });
  const text = { text: "high tide", symbol: "≈", colour: "#0b5566" };
  const chip = (name: string): Chip => layout.chips.find((one) => one.label === name)!;
  assert.deepEqual(chip("now"), { kind: "tag", variable: 0, label: "now", value: text });
  assert.deepEqual(
    (chip("then") as Extract<Chip, { kind: "table" }>).rows.map((row) => [row.key, row.value]),
    [["no", text]],
  );
  assert.equal((chip("all") as Extract<Chip, { kind: "tag" }>).value.text, "low, ≈ high tide");
  // The theme sets the maximum, even without tokens.
  assert.equal((chip("stock") as Extract<Chip, { kind: "number" }>).max, 4);
  assert.deepEqual(layout.sheets[0].groups[0].columns[0].cells[0]?.value, text);
  assert.deepEqual([...layout.piles, ...layout.centre][0].notes, [{ label: "of line", value: text, seat: null }]);
  assert.deepEqual(layout.boards[0].values, [text, null]);
  assert.deepEqual(groundLines(layout.boards[0], description.seats), [
    "tide ≈ high tide: a1",
    "wall 2: a1|E",
    "reef: a1|E",
  ]);
});

test("pieces are discs with their owner's letter, and a set below them is a ground", () => {
  const view = layoutOf(modelAfter(fixture("checkers"))).boards[0];
  const men = view.pieces.filter((piece) => piece.words.startsWith("men of"));
  assert(men.length > 10);
  for (const man of men) assert.deepEqual([man.form, man.letter || man.sign], ["disc", "ab"[man.seat!]]);
  const first = view.pieces.findIndex((piece) => piece.form !== "area");
  assert(view.pieces.slice(first).every((piece) => piece.form !== "area"));
});

test("the last move on a board: left and reached cells, without pieces that the theme hides", () => {
  const variable = { ...ofPlayers, name: "men", kind: "cells" as const, board: 0 };
  const description = game({
    boards: [
      {
        name: "field",
        shape: "grid",
        width: 3,
        height: 1,
        cells: ["a1", "b1", "c1"],
        edges: [
          { name: "a1|b1", cell: 0, way: 2 },
          { name: "b1|c1", cell: 1, way: 2 },
        ],
      },
    ],
    variables: [variable, { ...variable, name: "marks" }],
    look: { variables: { marks: { hidden: true } } },
  });
  const set = (variable: number, seat: number, cells: number[]): object => ({
    means: "men",
    words: "men",
    kind: "set",
    variable,
    seat,
    cells,
  });
  const before = {
    b0: [set(0, 0, [0]), set(0, 1, [1, 2]), set(1, 0, [])],
    g0: { walls: [{ edges: [1], means: "w" }] },
  };
  const after = {
    b0: [set(0, 0, [1]), set(0, 1, [2]), set(1, 0, [2])],
    g0: { walls: [{ edges: [0, 1], means: "w" }] },
  };
  const last = (lastMove: { before: object; after: object } | null) =>
    layOut(description, after, { lastMove: lastMove as never }).boards[0].last;
  const moved = last({ before, after });
  assert.deepEqual(
    [...moved.cells].sort(([a], [b]) => a - b),
    [
      [0, "left"],
      [1, "reached"], // a piece of b was captured there
    ],
  );
  assert.deepEqual([...moved.edges], [0]);
  assert.equal(last({ before: {}, after }).cells.size, 0); // no earlier state is known
  assert.equal(last(null).cells.size, 0);
  const turned = { b0: [{ ...set(0, 0, [0]), facing: "N" }], g0: {} };
  const back = { b0: [{ ...set(0, 0, [0]), facing: "S" }], g0: { cells: [0, "mud", 0] } };
  assert.deepEqual(
    [...last({ before: turned, after: back }).cells],
    [
      [0, "reached"],
      [1, "reached"],
    ],
  );
  assert.deepEqual([...last({ before: { b0: undefined, g0: back.g0 }, after: {} }).cells], [[1, "left"]]);
  const owned = (seat: number): object => ({ b0: [], g0: { cells: [{ seat }], edges: [[1, { seat }]] } });
  const taken = last({ before: owned(0), after: owned(1) });
  assert.deepEqual([[...taken.cells], [...taken.edges]], [[[0, "reached"]], [1]]);
});

test("packs with the same number for each seat are in front of their seats, with the open slots of players", () => {
  const owners = (seats: (number | null)[]): Description =>
    game({
      areas: [{ name: "stack", parts: 4, each: 0 }],
      zones: [
        ...seats.map((_, i) =>
          zone({ name: "cards", words: `cards ${i + 1}`, shape: "pile", area: 0, copy: i + 1, copies: 4 }),
        ),
        ...[0, 1].map((owner) => zone({ name: "guard", words: "guard", shape: "slot", owner })),
        zone({ name: "draw", shape: "pile" }),
      ],
      variables: [
        {
          ...ofPlayers,
          name: "owner",
          owner: false,
          kind: "player",
          keys: [{ kind: "number", values: ["1", "2", "3", "4"] }],
          area: 0,
        },
      ],
    });
  const of = (seats: (number | null)[]): Layout => layOut(owners(seats), { v0: seats, z4: { n: 1, cards: [3] } });
  const fair = of([0, 0, 1, 1]);
  assert.deepEqual(
    fair.fronts.map(({ seat, places }) => [seat, ...places.map((place) => place.short)]),
    [
      [1, "3", "4", "guard"],
      [0, "1", "2", "guard"],
    ],
  );
  assert.deepEqual([fair.ring, fair.piles.map((place) => place.name)], [null, ["draw"]]);
  assert(fair.fronts.every(({ places }) => places.every((place) => !place.notes.length)));
  assert(["z:0", "z:3", "z:4", "c:4:3"].every((one) => fair.targets.has(one)));
  for (const other of [of([0, 0, 0, 1]), of([0, 0, 1, null]), of([0, 0, 0, 0])]) {
    assert.equal(other.fronts.length, 0); // unequal numbers, or not all have owners
    assert.equal(other.piles.length, 5);
    assert(other.ring);
  }
});

test("a number that equals another one on every card is not repeated", () => {
  const attributes = ["number", "points", "worth"].map((name) => ({ name, kind: "number" as const, enum: null }));
  const prints = [1, 2, 3].map((n) => ({
    name: `c${n}`,
    kind: 0,
    text: "",
    attributes: { number: n, points: n, worth: 3 - n },
    count: 1,
  }));
  // The attribute belongs to another kind of cards.
  const theme = new Theme(game({ attributes: [...attributes, attributes[0]], prints }));
  assert.deepEqual(
    attributes.map(({ name }) => theme.repeatsEarlier(name)),
    [false, true, false],
  );
});

test("positions of cells", () => {
  const grid: BoardInfo = {
    name: "g",
    shape: "grid",
    width: 3,
    height: 2,
    cells: ["a1", "b1", "c1", "a2", "b2", "c2"],
    edges: [
      { name: "a1|N", cell: 0, way: 0 },
      { name: "a1|E", cell: 0, way: 2 },
    ],
  };
  const squares = geometry(grid);
  assert.deepEqual(squares.centre, [
    [20, 60],
    [60, 60],
    [100, 60],
    [20, 20],
    [60, 20],
    [100, 20],
  ]);
  const round = (line: unknown): unknown =>
    JSON.parse(JSON.stringify(line), (_, value: unknown) => (typeof value === "number" ? Math.round(value) : value));
  assert.deepEqual(round(edgeLine(grid, squares, 0)), [
    [0, 40],
    [40, 40],
  ]);
  assert.deepEqual(round(edgeLine(grid, squares, 1)), [
    [40, 40],
    [40, 80],
  ]);
  const hex = geometry({ ...grid, shape: "hex" });
  const [a1, b1, , a2] = hex.centre;
  assert.equal(Math.round(a2[0] - a1[0]), 20); // half a cell to the east
  assert.equal(Math.round(Math.hypot(a2[0] - a1[0], a2[1] - a1[1])), Math.round(b1[0] - a1[0]));
  assert(a2[1] < a1[1]);
  const graph = geometry({
    ...grid,
    shape: "graph",
    places: [
      [0, 0],
      [0, 2],
      [5, 0],
      [5, 2],
      [9, 9],
      [1, 9],
    ],
  });
  assert(graph.centre[1][1] < graph.centre[0][1]); // north is above
});

const numbers = (n: number) => [{ kind: "number", values: Array.from({ length: n }, (_, i) => `${i + 1}`) }];

test("notes of an area part are at its zone, and both are targets of the part", () => {
  const slot = (owner: number, copy: number): ZoneInfo =>
    zone({ name: "lantern", owner, copy, copies: 2, area: 0, shape: "slot", sees: [] });
  const description = game({
    zones: [slot(0, 1), slot(0, 2), slot(1, 1), slot(1, 2), zone({ name: "bag", copy: 1, copies: 1, area: 1 })],
    areas: [
      { name: "place", parts: 4, each: 2 },
      { name: "heap", parts: 1, each: 0 },
    ],
    variables: [
      { ...ofPlayers, name: "hints", area: 0, keys: numbers(2) },
      { ...ofPlayers, name: "lit", kind: "boolean", area: 0, keys: numbers(2) },
    ],
  });
  const things = { v0: [0, 3, 4, 0], v1: [true, false, false, false], z0: { n: 1, cards: [] } };
  const layout = layOut(description, things);
  const notes = [layout.me!, ...layout.others].map((box) =>
    box.places.map((place) => place.notes.map(({ label, value }) => `${label} ${value.text}`.trim())),
  );
  assert.deepEqual(notes, [
    [["lit"], ["hints 3"]],
    [["hints 4"], []],
  ]);
  assert.deepEqual(layout.me!.chips, []);
  assert.equal(layout.me!.places[0].kind, "slot"); // its cards are hidden, so it is not a hand
  assert.deepEqual(layout.parts.get(partKey(0, 1, 2)), [target.zone(3)]);
  const option = {
    id: 0,
    words: "light",
    action: 0,
    parts: [{ name: "s", kind: "part", words: "2", area: 0, owner: 0, index: 2 }],
  };
  assert.deepEqual(remainingRows(option, [], layout), [[target.zone(1)]]);
  // An empty set of an area part is shown.
  assert.equal(layout.centre.length, 0);
  assert.equal(layOut(description, things, { named: new Set([partKey(1, null, 1)]) }).centre.length, 1);
});

test("numbers by place are a row before each player, reversed for the player opposite", () => {
  const description = game({
    areas: [{ name: "pit", parts: 12, each: 6 }],
    variables: [
      { ...ofPlayers, name: "seeds", area: 0, keys: numbers(6) },
      { ...ofPlayers, name: "men", keys: numbers(6) },
      { ...ofPlayers, name: "few", keys: numbers(3) },
    ],
  });
  const twelve = Array.from({ length: 12 }, (_, i) => i);
  const layout = layOut(description, { v0: twelve, v1: twelve, v2: [1, 2, 3, 4, 5, 6] });
  assert.deepEqual(
    layout.rows.map(({ label, seat, reversed, cells }) => [label, seat, reversed, cells[1].values[0].value.text]),
    [
      ["pit", 1, true, "7"],
      ["pit", 0, false, "1"],
      ["men", 1, true, "7"],
      ["men", 0, false, "1"],
    ],
  );
  assert.deepEqual(
    layout.me!.chips.map((chip) => chip.label),
    ["few"],
  );
  const [pit] = layout.parts.get(partKey(0, 1, 3))!;
  assert.equal(pit, target.part(0, 1, 2));
  assert(layout.targets.has(pit));
  const byNumber = { id: 0, words: "", action: 0, parts: [{ name: "n", kind: "number", words: "4", value: 4 }] };
  assert.deepEqual(remainingRows(byNumber, [], layout), [[target.part(1, 0, 3)]]);
});

test("variables with the same keys and numbers of the constants are columns of one sheet", () => {
  const values = ["two", "three", "four", "five", "six", "seven"];
  const keys = [{ kind: "constant", enum: 0, values }];
  const tall = { name: "tall", values: [3, 5, 7, 9, 11, 13] },
    steep = { name: "steep", values: values.map(() => "yes") };
  const description = game({
    enums: [{ name: "Path", constants: values, labels: values, texts: [], attributes: [tall, steep] }],
    variables: [
      { ...ofPlayers, name: "camp", keys },
      { ...ofPlayers, name: "rope", owner: false, keys },
      { ...ofPlayers, name: "owner_of", owner: false, kind: "player", keys },
      {
        ...ofPlayers,
        name: "alone",
        owner: false,
        keys: [{ kind: "constant", enum: null, values: [...values, "eight"] }],
      },
    ],
  });
  const zeros = Array<number>(6).fill(0);
  const layout = layOut(description, {
    v0: [...zeros, 0, 2, 0, 0, 0, 0],
    v1: [4, ...zeros.slice(1)],
    v2: [1, null, null, null, null, null],
    v3: [1, ...zeros],
  });
  assert.equal(layout.sheets.length, 1);
  const [{ label, groups }] = layout.sheets;
  assert.equal(label, "Path");
  assert.deepEqual(
    groups.map((group) => [group.label, group.columns.map(({ seat, cells }) => [seat, cells[0]?.value.text ?? ""])]),
    [
      ["tall", [[null, "3"]]],
      [
        "camp",
        [
          [0, ""],
          [1, ""],
        ],
      ],
      ["rope", [[null, "4"]]],
      ["owner of", [[null, "b"]]],
    ],
  );
  assert.equal(groups[3].columns[0].cells[0]!.seat, 1);
  assert.deepEqual(
    layout.chips.map((chip) => chip.label),
    ["alone"],
  );
});

test("zones of teams are named by their seats", () => {
  const won = (copy: number): ZoneInfo => zone({ name: "won", copy, copies: 2, area: 0, shape: "pile", sees: [] });
  const description = game({
    players: 4,
    seats: ["a", "b", "c", "d"],
    teams: [
      [0, 2],
      [1, 3],
    ],
    areas: [{ name: "team", parts: 2, each: 0 }],
    zones: [won(1), won(2)],
    variables: [{ ...ofPlayers, name: "score", owner: false, area: 0, keys: numbers(2) }],
  });
  const layout = layOut(description, { v0: [7, 9], z0: { n: 4, cards: [] } });
  assert.deepEqual(
    layout.piles.map((place) => [place.name, place.words]),
    [
      ["won a + c", "won of a + c"],
      ["won b + d", "won of b + d"],
    ],
  );
  assert.deepEqual(
    layout.chips.map((chip) => chip.kind === "table" && chip.rows.map(({ key, value }) => `${key} ${value.text}`)),
    [["a + c 7", "b + d 9"]],
  );
});

test("a mirrored track shows the points of each player from the observer's side, and further places apart", () => {
  const keys = numbers(17);
  const description = game({
    variables: [{ ...ofPlayers, name: "men", keys }],
    look: { variables: { men: { track: 16, mirrored: true } } },
  });
  const of = (seat: number): number[] => Array.from({ length: 17 }, (_, i) => (i === 1 ? 2 : i === 16 ? 1 + seat : 0));
  const { track } = layOut(description, { v0: [...of(0), ...of(1)] }).sheets[0];
  assert(track);
  const men = track.points.flatMap(({ index, men }) => men.map(({ seat, n }) => [index + 1, seat, n]));
  assert.deepEqual(men, [
    [2, 0, 2],
    [15, 1, 2], // the second point of the opponent
  ]);
  assert.deepEqual(track.rest, [
    {
      index: 16,
      men: [
        { seat: 0, n: 1 },
        { seat: 1, n: 2 },
      ],
    },
  ]);
});

test("numbers that are 0 for all players are omitted, except scores", () => {
  const description = game({
    variables: ["owed", "score", "lives"].map((name) => ({ ...ofPlayers, name })),
  });
  const { me } = layOut(description, { v0: [0, 0], v1: [0, 0], v2: [0, 3] });
  assert.deepEqual(
    me!.chips.map(({ label }) => label),
    ["score", "lives"],
  );
});
