import assert from "node:assert/strict";
import { test } from "node:test";
import { file_of, kept_of, type Kept } from "../../export/saved";

const kept: Kept = {
  which: 1,
  settings: { seed: 7, people: [0, 2], bot_seconds: 0.2 },
  journal: [
    { kind: 6, seat: -1, id: 0, name: "" },
    { kind: 0, seat: 2, id: 31, name: "play Nun" },
  ],
};

const configuration = { label: "2 players", players: 2, options: [], fingerprint: "0f" };
const game = { id: "1f", game: "shoot", title: "Splatter SHOOT!", configurations: [configuration, configuration] };

test("a page of the same game reads a saved game", () => {
  const { name, text } = file_of(kept, game);
  assert.equal(name, "splatter-shoot.json");
  assert.deepEqual(kept_of(text, "1f", [2, 3]), kept);
});

test("other files are rejected with a reason", () => {
  const { text } = file_of(kept, game);
  const because = (said: string, id = "1f", players = [2, 3]): string => {
    const read = kept_of(said, id, players);
    assert("because" in read);
    return read.because;
  };
  assert.match(because("{"), /not a saved game/);
  assert.match(because("[1]"), /not a saved game/);
  assert.match(because("null"), /not a saved game/);
  assert.match(because(text, "2f"), /another game/);
  assert.match(because(text, "1f", [2]), /damaged/); // unknown configuration
  assert.match(because(text, "1f", [2, 2]), /damaged/); // unknown seat
  assert.match(because(text.replace('"kind":6', '"kind":7')), /damaged/);
  assert.match(because(text.replace('"id":31', '"id":"31"')), /damaged/);
  assert.match(because(text.replace('"seed":7', '"seed":null')), /damaged/);
});
