import assert from "node:assert/strict";
import { test } from "node:test";
import { ghosts_of } from "../flights";
import { Look } from "../look";
import { laid, receive } from "../model";
import type { News } from "../protocol";
import { fixture, model_after } from "./fixtures";

test("a taken trick remains visible, with the card that completed it", () => {
  const one = fixture("hearts");
  let found = 0;
  one.messages.forEach((message, i) => {
    if (message.k !== "step") return;
    const before = model_after(one, i),
      sight = before.sights.get(0)!;
    const ghosts = ghosts_of(
      sight.things,
      laid(sight.log, one.description),
      message.news,
      one.description,
      new Look(one.description),
    );
    if (!ghosts.length) return;
    ++found;
    assert.equal(ghosts.length, 4);
    assert.deepEqual(ghosts.map((ghost) => ghost.seat).sort(), [0, 1, 2, 3]);
    assert(ghosts.every((ghost) => ghost.print !== null));
    const after = receive(before, message, 0).sights.get(0)!.things;
    for (const ghost of ghosts) {
      const there = (after[`z${ghost.zone}`] as { cards: number[] } | undefined)?.cards ?? [];
      assert(!there.includes(ghost.print!));
    }
  });
  assert(found >= 2);
});

test("a single removed card does not remain visible, nor do cards that stay", () => {
  const { description } = fixture("hearts"),
    look = new Look(description);
  const slot = (seat: number): number =>
    description.zones.findIndex((zone) => zone.name === "played" && zone.owner === seat);
  const taken = description.zones.findIndex((zone) => zone.name === "taken" && zone.owner === 0);
  const move = (from: number, print: number): News => ({ k: "move", from, to: taken, n: 1, prints: [print], text: "" });
  const lie = (...cards: [number, number][]): Record<string, unknown> =>
    Object.fromEntries(cards.map(([seat, print]) => [`z${slot(seat)}`, { n: 1, cards: [print] }]));
  assert.deepEqual(ghosts_of(lie([0, 5]), new Map(), [move(slot(0), 5)], description, look), []);
  assert.deepEqual(ghosts_of(lie([0, 5], [1, 6]), new Map(), [move(slot(0), 5)], description, look), []);
  assert.equal(
    ghosts_of(lie([0, 5], [1, 6]), new Map(), [move(slot(0), 5), move(slot(1), 6)], description, look).length,
    2,
  );
  // cards in a hidden zone are never in the middle
  const hiding = { ...description, look: { zones: { played: { hidden: true } } } };
  assert.deepEqual(
    ghosts_of(lie([0, 5], [1, 6]), new Map(), [move(slot(0), 5), move(slot(1), 6)], hiding, new Look(hiding)),
    [],
  );
});
