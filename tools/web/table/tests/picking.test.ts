// Tests how picks narrow down options.
import assert from "node:assert/strict";
import { test } from "node:test";
import { target } from "../targets";
import { partKey } from "../layout";
import { sharedWords } from "../question_text";
import { actionStarts, controls, narrow, pickTarget, type Drawn } from "../picking";
import type { ActionInfo, Option, Part } from "../protocol";

let id = 0;
const option = (words: string, ...parts: Part[]): Option => ({ id: ++id, words, action: 0, parts });
const card = (print: number, ...zones: number[]): Part => ({
  name: "c",
  kind: "card",
  words: `card ${print}`,
  print,
  zones,
});
const player = (seat: number): Part => ({ name: "p", kind: "player", words: "abcd"[seat], seat });
const cell = (n: number): Part => ({ name: "at", kind: "cell", words: `cell ${n}`, cell: n, board: 0 });
const number = (value: number): Part => ({ name: "n", kind: "number", words: `${value}`, value });

const drawn: Drawn = {
  named: new Map([["stock", target.zone(1)]]),
  targets: new Set([
    target.card(0, 1),
    target.card(0, 2),
    target.card(1, 2),
    target.zone(1),
    target.zone(5),
    target.seat(0),
    target.seat(1),
    target.seat(2),
    ...[0, 1, 2, 3].map((n) => target.cell(0, n)),
  ]),
  sheets: [],
  parts: new Map([[partKey(0, 1, 2), [target.zone(5)]]]),
};

const splashB = option("splash b", card(1, 0), player(1));
const splashC = option("splash c", card(1, 0), player(2));
const chips = option("chips", card(2, 0));
const pass = option("pass");
const all = [splashB, splashC, chips, pass];

test("named things are targets, options without targets are buttons", () => {
  const { next, buttons } = narrow(all, [], drawn);
  assert.deepEqual([...next.keys()].sort(), ["c:0:1", "c:0:2", "s:1", "s:2"]);
  assert.deepEqual(buttons, [pass]);
});

test("clicks narrow down options, the last one chooses", () => {
  const first = pickTarget(all, [], "c:0:1", drawn);
  assert.deepEqual(first, { kind: "narrowed", picks: ["c:0:1"] });
  assert.deepEqual(pickTarget(all, ["c:0:1"], "s:2", drawn), { kind: "taken", option: splashC });
  assert.deepEqual(pickTarget(all, [], "c:0:2", drawn), { kind: "taken", option: chips });
  // Targets can be picked in any order.
  assert.deepEqual(pickTarget(all, [], "s:1", drawn), { kind: "taken", option: splashB });
});

test("a destination comes after the piece", () => {
  const way = (n: number): Part => ({ name: "d", kind: "direction", words: `way ${n}`, value: n, board: 0, cell: n });
  const from0 = option("0 to 1", way(1), cell(0));
  const from1 = option("1 to 2", way(2), cell(1));
  const also = option("0 to 2", way(2), cell(0));
  const moves = [from0, from1, also];
  assert.deepEqual([...narrow(moves, [], drawn).next.keys()], ["k:0:0", "k:0:1"]);
  assert.deepEqual([...narrow(moves, ["k:0:0"], drawn).next.keys()], ["k:0:1", "k:0:2"]);
  assert.deepEqual(pickTarget(moves, ["k:0:0"], "k:0:1", drawn), { kind: "taken", option: from0 });
  assert.deepEqual(pickTarget(moves, [], "k:0:1", drawn), { kind: "taken", option: from1 });
  assert.deepEqual(pickTarget(moves, [], "k:0:2", drawn), { kind: "not offered" });
});

test("a second click deselects, and a click on another option's target replaces the picks", () => {
  assert.deepEqual(pickTarget(all, ["c:0:1"], "c:0:1", drawn), { kind: "dropped", picks: [] });
  assert.deepEqual(pickTarget(all, ["c:0:1"], "c:0:2", drawn), { kind: "taken", option: chips });
});

test("a thing that is not offered is reported", () => {
  assert.deepEqual(pickTarget(all, [], "s:0", drawn), { kind: "not offered" });
  assert.deepEqual(pickTarget(all, ["c:0:1"], "s:0", drawn), { kind: "not offered" });
});

test("an option without further picks becomes a button", () => {
  const alone = option("play", card(1, 0));
  const { buttons, next } = narrow([alone, splashB], ["c:0:1"], drawn);
  assert.deepEqual(buttons, [alone]);
  assert.deepEqual([...next.keys()], ["s:1"]);
});

test("two things of one kind are two picks", () => {
  const moves = [
    option("0 to 1", cell(0), cell(1)),
    option("0 to 2", cell(0), cell(2)),
    option("3 to 1", cell(3), cell(1)),
  ];
  assert.deepEqual(pickTarget(moves, [], "k:0:0", drawn), { kind: "narrowed", picks: ["k:0:0"] });
  assert.deepEqual(pickTarget(moves, ["k:0:0"], "k:0:2", drawn), { kind: "taken", option: moves[1] });
  const twice = [option("both", card(1, 0), card(1, 0)), option("one", card(1, 0))];
  assert.equal(pickTarget(twice, ["c:0:1"], "c:0:1", drawn).kind, "taken");
});

test("a thing named twice is picked once, except for equal cards", () => {
  const stay = option("stay", cell(0), cell(0)),
    go = option("go", cell(0), cell(1));
  assert.deepEqual(narrow([stay, go], ["k:0:0"], drawn).buttons, [stay]);
  assert.deepEqual([...narrow([stay, go], ["k:0:0"], drawn).next.keys()], ["k:0:1"]);
  assert.deepEqual(pickTarget([stay, go], ["k:0:0"], "k:0:0", drawn), { kind: "dropped", picks: [] });
});

test("elements of a set are picked one by one", () => {
  const sets = [
    option("1 and 2", { name: "cs", kind: "card", words: "", prints: [1, 2], zones: [0] }),
    option("1 and 1", { name: "cs", kind: "card", words: "", prints: [1, 1], zones: [0] }),
  ];
  assert.deepEqual(pickTarget(sets, ["c:0:1"], "c:0:2", drawn), { kind: "taken", option: sets[0] });
  const cells = [
    option("row", { name: "cs", kind: "cell", words: "", cells: [0, 1], board: 0 }),
    option("other", { name: "cs", kind: "cell", words: "", cells: [0, 2], board: 0 }),
  ];
  assert.deepEqual(pickTarget(cells, ["k:0:0"], "k:0:1", drawn), { kind: "taken", option: cells[0] });
  const edged: Drawn = { ...drawn, targets: new Set([target.edge(0, 4), target.edge(0, 5), target.edge(0, 6)]) };
  const walls = [
    [4, 5],
    [4, 6],
  ].map((edges) => option(edges.join(), { name: "es", kind: "edge", words: "", edges, board: 0 }));
  assert.deepEqual(pickTarget(walls, ["e:0:4"], "e:0:6", edged), { kind: "taken", option: walls[1] });
});

test("a card is picked in any of its zones, a hidden card by its pile, and a card without a place by a button", () => {
  const anywhere = option("take 2", card(2, 0, 1)),
    below = option("take 9", card(9, 5)),
    named = option("ask for 9", card(9));
  assert.deepEqual([...narrow([anywhere], [], drawn).next.keys()], ["c:0:2", "c:1:2"]);
  assert.deepEqual([...narrow([below], [], drawn).next.keys()], ["z:5"]);
  assert.deepEqual(narrow([named], [], drawn).buttons, [named]);
});

test("a constant or number is picked by its line of a sheet", () => {
  const withSheet: Drawn = {
    ...drawn,
    sheets: [{ variable: 3, label: "score", keys: ["ones", "full house"], numbers: false, groups: [], track: null }],
  };
  const fill = option("full house: 25", { name: "b", kind: "constant", words: "full house", value: 1 });
  assert.deepEqual([...narrow([fill], [], withSheet).next.keys()], [target.key(3, 1)]);
  assert.deepEqual(narrow([option("bid 1", number(1))], [], withSheet).buttons.length, 1);
});

test("five consecutive numbers are a slider, other numbers are buttons, passing comes last", () => {
  const bids = [1, 2, 3, 4, 5].map((n) => option(`bid ${n}`, number(n)));
  const isPass = (one: Option): boolean => one === pass;
  const found = controls([pass, ...bids], isPass);
  assert.deepEqual(
    found.map((control) => control.kind),
    ["slider", "button"],
  );
  assert.equal(found[0].kind === "slider" && found[0].options.length, 5);
  assert.equal(controls(bids.slice(0, 4), isPass).length, 4);
  assert.equal(controls([...bids.slice(0, 4), option("bid 9", number(9))], isPass).length, 5);
  // Numbers of another card form another series.
  const two = [1, 2].flatMap((print) => [1, 2, 3, 4, 5].map((n) => option(`${n} on ${print}`, card(print), number(n))));
  assert.deepEqual(
    controls(two, isPass).map((control) => control.kind),
    ["slider", "slider"],
  );
});

test("the common words of sentences, with … for differences", () => {
  assert.equal(sharedWords(["Steal from b, as a Rogue", "Steal from c, as a Rogue"]), "Steal from …, as a Rogue");
  assert.equal(sharedWords(["Tell b which are red", "Tell c which are 1"]), "Tell … which are …");
  assert.equal(sharedWords(["b2 to c3", "a1 to c3", "a1 to b2"]), "… to …");
  assert.equal(sharedWords(["one"]), "one");
  assert.equal(sharedWords(["b", "c"]), "…");
});

test("with several actions, those with targets have a button that starts them", () => {
  const use = (name: string): ActionInfo => ({ name, words: name, kind: "use", secret: false, where: "" });
  const actions = [use("steal"), use("poison"), use("scandal"), use("income")];
  const of = (action: number, words: string, ...seats: number[]): Option[] =>
    seats.map((seat) => ({ ...option(`${words} ${"abcd"[seat]}`, player(seat)), action }));
  const offered = [...of(0, "Steal from", 1, 2), ...of(1, "Poison", 1, 2), ...of(2, "Scandal for", 1)];
  const narrowed = narrow([...offered, { ...option("Take a coin"), action: 3 }], [], drawn);
  const { actionStarts: begin, single } = actionStarts(narrowed, actions);
  assert.deepEqual(begin, [
    { action: 0, words: "Steal from …" },
    { action: 1, words: "Poison …" },
  ]);
  assert.deepEqual(single, [offered[4]]);
  const similar = [...of(0, "Tell", 1, 2), ...of(1, "Tell", 1, 2)];
  assert.deepEqual(
    actionStarts(narrow(similar, [], drawn), actions).actionStarts.map(({ words }) => words),
    ["Tell … (steal)", "Tell … (poison)"],
  );
  const steal = target.action(0);
  assert.deepEqual(pickTarget(offered, [], steal, drawn), { kind: "narrowed", picks: [steal] });
  assert.deepEqual(
    [...narrow(offered, [steal], drawn).next],
    [
      ["s:1", 1],
      ["s:2", 1],
    ],
  );
  assert.deepEqual(pickTarget(offered, [steal], "s:2", drawn), { kind: "taken", option: offered[1] });
  assert.deepEqual(pickTarget(offered, [steal], steal, drawn), { kind: "dropped", picks: [] });
  // If only a player is picked, several actions remain. If all options belong to one action, it needs no start button.
  assert.deepEqual(narrow(offered, ["s:1"], drawn).buttons.length, 3);
  assert.deepEqual(actionStarts(narrow(offered.slice(0, 2), [], drawn), actions).actionStarts, []);
});

test("an option without targets can be chosen at the pile that its text names", () => {
  const draw = option("Draw from the stock"),
    pass = option("Pass");
  const all = [draw, pass];
  const narrowed = narrow(all, [], drawn);
  assert.deepEqual([...narrowed.next.keys()], [target.zone(1)]);
  assert.deepEqual(narrowed.buttons, all);
  assert.deepEqual(pickTarget(all, [], target.zone(1), drawn), { kind: "taken", option: draw });
  assert.deepEqual([...narrow([option("Stockpile a card")], [], drawn).next.keys()], []); // only whole words
});
