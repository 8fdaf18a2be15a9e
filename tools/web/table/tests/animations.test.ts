// Tests which cards remain visible for a moment after they have left the middle.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ghostsOf } from "../animations";
import { Theme } from "../theme";
import { cardOrigins, receive } from "../model";
import type { News } from "../protocol";
import { fixture, modelAfter } from "./fixtures";

test("a taken trick remains visible, with the card that completed it", () => {
  const one = fixture("hearts");
  let found = 0;
  one.messages.forEach((message, i) => {
    if (message.k !== "step") return;
    const before = modelAfter(one, i),
      observed = before.observed.get(0)!;
    const ghosts = ghostsOf(
      observed.things,
      cardOrigins(observed.log, one.description),
      message.news,
      one.description,
      new Theme(one.description),
    );
    if (!ghosts.length) return;
    ++found;
    assert.equal(ghosts.length, 4);
    assert.deepEqual(ghosts.map((ghost) => ghost.seat).sort(), [0, 1, 2, 3]);
    assert(ghosts.every((ghost) => ghost.print !== null));
    const after = receive(before, message, 0).observed.get(0)!.things;
    for (const ghost of ghosts) {
      const destination = (after[`z${ghost.zone}`] as { cards: number[] } | undefined)?.cards ?? [];
      assert(!destination.includes(ghost.print!));
    }
  });
  assert(found >= 2);
});

test("a single removed card does not remain visible, nor do cards that stay", () => {
  const { description } = fixture("hearts"),
    theme = new Theme(description);
  const slot = (seat: number): number =>
    description.zones.findIndex((zone) => zone.name === "played" && zone.owner === seat);
  const taken = description.zones.findIndex((zone) => zone.name === "taken" && zone.owner === 0);
  const move = (from: number, print: number): News => ({ k: "move", from, to: taken, n: 1, prints: [print], text: "" });
  const thingsWith = (...cards: [number, number][]): Record<string, unknown> =>
    Object.fromEntries(cards.map(([seat, print]) => [`z${slot(seat)}`, { n: 1, cards: [print] }]));
  assert.deepEqual(ghostsOf(thingsWith([0, 5]), new Map(), [move(slot(0), 5)], description, theme), []);
  assert.deepEqual(ghostsOf(thingsWith([0, 5], [1, 6]), new Map(), [move(slot(0), 5)], description, theme), []);
  assert.equal(
    ghostsOf(thingsWith([0, 5], [1, 6]), new Map(), [move(slot(0), 5), move(slot(1), 6)], description, theme).length,
    2,
  );
  // Cards in a hidden zone are never in the middle.
  const hiding = { ...description, look: { zones: { played: { hidden: true } } } };
  assert.deepEqual(
    ghostsOf(thingsWith([0, 5], [1, 6]), new Map(), [move(slot(0), 5), move(slot(1), 6)], hiding, new Theme(hiding)),
    [],
  );
});
