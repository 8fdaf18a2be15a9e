// Tests how messages change the model.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  kEmptyModel,
  cardOrigins,
  nextSeatWithQuestion,
  receive,
  markSent,
  applyStep,
  receivedSteps,
  type Model,
} from "../model";
import type { Ask, Message, News, Welcome } from "../protocol";
import { fixture, modelAfter, question } from "./fixtures";

const ask = (seat: number, q: number, race = false): Ask => question({ seat, q, race });
const receiveAll = (...messages: Message[]): Model =>
  messages.reduce((model, message, i) => receive(model, message, i), kEmptyModel);

test("a step sets changed things and removes those that are gone", () => {
  assert.deepEqual(applyStep({ z0: 1, z1: 2, v0: 3 }, { z1: 5, z2: 6 }, ["v0"]), { z0: 1, z1: 5, z2: 6 });
});

test("the board before its last change is recorded, but not for observers who reconnect", () => {
  const step = (at: number, set: Record<string, unknown>, gone: string[] = []): Message => ({
    k: "step",
    seat: 0,
    step: at,
    set,
    gone,
    news: [],
    asked: null,
  });
  const before = (...messages: Message[]): unknown => receiveAll(...messages).observed.get(0)!.previousBoards;
  const first = { ...view(0, 1), things: { b0: "at first", g0: "ground", b1: "another" } } as Message;
  assert.deepEqual(before(first), {});
  assert.deepEqual(before(first, step(2, { b0: "moved" })), { b0: "at first", g0: "ground" });
  assert.deepEqual(before(first, step(2, { b0: "moved" }), step(3, { v0: [1] })), { b0: "at first", g0: "ground" });
  assert.deepEqual(before(first, step(2, { b0: "moved" }), step(3, {}, ["g0"])), { b0: "moved", g0: "ground" });
  const over: Message = { k: "over", winners: [0], ending: "", returns: [] };
  assert.deepEqual(before(first, step(2, { b0: "moved" }), over), { b0: "at first", g0: "ground" });
  assert.deepEqual(before(first, step(2, { b0: "moved" }), over, step(3, { b0: "another game" })), {});
  assert.deepEqual(before(first, step(2, { b0: "moved" }), { ...view(0, 3), things: { b0: "moved" } } as Message), {});
});

test("each observer has a separate view", () => {
  const view = (seat: number | null, step: number): Message => ({
    k: "view",
    seat,
    step,
    things: { z0: seat },
    news: [],
    asked: null,
  });
  const model = receiveAll(view(0, 3), view(null, 7), {
    k: "step",
    seat: 0,
    step: 4,
    set: { z1: "x" },
    gone: [],
    news: [{ k: "say", text: "hello" }],
    asked: null,
  });
  assert.deepEqual(model.observed.get(0)!.things, { z0: 0, z1: "x" });
  assert.deepEqual(model.observed.get(null)!.things, { z0: null });
  assert.deepEqual(receivedSteps(model), { "0": 4, "-2": 7 });
  assert.equal(receivedSteps(kEmptyModel), undefined);
});

const view = (seat: number | null, step: number): Message => ({
  k: "view",
  seat,
  step,
  things: {},
  news: [],
  asked: null,
});

test("views of another run are invalid, and other rules discard them", () => {
  const welcome = { ...(fixture("hearts").messages[0] as Welcome), run: "first" };
  let model = receiveAll(welcome, view(0, 3), view(null, 4));
  assert.deepEqual(receivedSteps(model), { "0": 3, "-2": 4 });
  model = receive(model, { ...welcome, run: "second" }, 1);
  assert.equal(receivedSteps(model), undefined);
  assert.equal(model.observed.size, 2); // still shown until new ones arrive
  model = receive(model, view(0, 9), 2);
  assert.deepEqual(receivedSteps(model), { "0": 9 });
  model = receive(
    { ...model, description: fixture("hearts").description },
    { k: "rules", ok: true, rules: "others", run: "third" },
    3,
  );
  assert.deepEqual([model.hash, model.run, model.description, model.observed.size], ["others", "third", null, 0]);
});

test("after the end, a step or question starts the next game", () => {
  const over = receive(receiveAll(view(0, 3)), { k: "over", winners: [0], ending: "", returns: [1, 0] }, 1);
  assert(over.over);
  assert.equal(receive(over, { k: "step", seat: 0, step: 4, set: {}, gone: [], news: [], asked: null }, 2).over, null);
  assert.equal(receive(over, ask(0, 9), 2).over, null);
});

test("the clock of a race pauses with the table, and ends with the race", () => {
  const clock: Message = {
    k: "clock",
    race: true,
    now: 5_000_000,
    next: null,
    paused: null,
    factor: 1,
    running: [],
    held: 0,
  };
  let model = receive(kEmptyModel, clock, 100);
  model = receive(model, { k: "paused", paused: true }, 150);
  assert.deepEqual([model.clock!.since, model.clock!.pausedSince], [100, 150]);
  model = receive(model, { k: "paused", paused: true }, 170); // repeated after a reconnect
  model = receive(model, { k: "paused", paused: false }, 190);
  assert.deepEqual([model.clock!.since, model.clock!.pausedSince], [140, null]);
  assert.equal(receive(receive(model, { k: "paused", paused: true }, 200), clock, 210).clock!.pausedSince, 210);
  assert.equal(receive(model, { k: "clock", race: false, factor: 1, held: 0 }, 220).clock, null);
});

test("a refusal without a seat reopens every question", () => {
  const model = receive(
    markSent(markSent(receiveAll(ask(0, 1), ask(1, 1)), 0, 4), 1, 5),
    { k: "refused", because: "no" },
    1,
  );
  assert.deepEqual(
    [...model.questions.values()].map((question) => question.sent),
    [null, null],
  );
});

test("an invitation is a link", () => {
  const model = receiveAll(
    { k: "invitation", seat: 2, link: "http://t/#k=a" },
    { k: "invitation", seat: null, link: "http://t/#k=b" },
  );
  assert.deepEqual([model.links.get(2), model.links.get(null)], ["http://t/#k=a", "http://t/#k=b"]);
});

test("log lines have numbers and the step that contained them", () => {
  const news = (text: string): News => ({ k: "say", text });
  const model = receiveAll(
    { k: "view", seat: 0, step: 2, things: {}, news: [news("a"), { ...news("b"), step: 1 }], asked: null },
    { k: "step", seat: 0, step: 3, set: {}, gone: [], news: [news("c")], asked: null },
  );
  assert.deepEqual(
    model.observed.get(0)!.log.map(({ at, step }) => [at, step]),
    [
      [1, 2],
      [2, 1],
      [3, 3],
    ],
  );
});

test("a question stays until it is closed, taken or replaced; messages for earlier questions are ignored", () => {
  let model = receiveAll(ask(0, 1));
  model = receive(model, { k: "idle", seat: 0, q: 7 }, 1);
  assert.equal(model.questions.get(0)!.q, 1);
  model = markSent(model, 0, 42);
  assert.equal(model.questions.get(0)!.sent, 42);
  model = receive(model, { k: "refused", seat: 0, because: "too late" }, 2);
  assert.equal(model.questions.get(0)!.sent, null);
  assert.equal(model.notice!.text, "too late");
  model = receive(model, ask(0, 2), 3);
  assert.equal(model.questions.get(0)!.since, 3);
  model = receive(model, { k: "taken", seat: 0, q: 2, id: 1 }, 4);
  assert.equal(model.questions.size, 0);
});

test("in a race, an action does not close the question", () => {
  const model = receive(markSent(receiveAll(ask(0, 1, true)), 0, 3), { k: "taken", seat: 0, q: 1, id: 3 }, 1);
  assert.equal(model.questions.get(0)!.sent, null);
});

test("a shared device goes clockwise to the next person with a question", () => {
  const model = receiveAll(ask(1, 1), ask(3, 1));
  assert.equal(nextSeatWithQuestion(model, 1), 1);
  assert.equal(nextSeatWithQuestion(model, 2), 3);
  assert.equal(nextSeatWithQuestion(model, 3), 3);
  assert.equal(nextSeatWithQuestion(model, 0), 1);
  assert.equal(nextSeatWithQuestion(markSent(model, 1, 5), 1), 3);
  assert.equal(nextSeatWithQuestion(kEmptyModel, 2), 2);
});

test("after a reconnect, earlier state of the table is discarded", () => {
  const old = receiveAll(ask(0, 1), { k: "ballot", id: 1, kind: "undo", by: 0, text: "", votes: {}, left: 1000 });
  const welcome = fixture("hearts").messages[0];
  const model = receive(old, welcome, 1);
  assert.equal(model.questions.size, 0);
  assert.equal(model.ballot, null);
  assert.equal(receive({ ...old, rules: { k: "rules", ok: false } }, welcome, 1).rules, null); // the server sends `rules` again after `welcome`
});

test("the origin of cards in an open zone is recorded until they leave it", () => {
  const { description } = fixture("hearts");
  const own = description.zones.findIndex((zone) => zone.name === "hand" && zone.owner === 1);
  const table = description.zones.findIndex((zone) => zone.owner === null);
  const move = (from: number, to: number, print: number): News => ({
    k: "move",
    from,
    to,
    n: 1,
    prints: [print],
    text: "",
  });
  const log = [move(own, table, 7), move(own, table, 8), move(table, own, 7)].map((news, at) => ({
    at,
    step: 1,
    news,
  }));
  assert.deepEqual(cardOrigins(log, description).get(table), [{ print: 8, seat: 1 }]);
});

test("all messages of complete games are known", () => {
  for (const game of ["hearts", "splash", "checkers", "yahtzee"] as const) {
    const model = modelAfter(fixture(game));
    assert(model.welcome && model.observed.get(0), game);
    assert.equal(model.questions.size, 1, game);
  }
});
