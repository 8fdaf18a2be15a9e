// Tests the file format of saved games.
import assert from "node:assert/strict";
import { test } from "node:test";
import { savedGameFile, parseSavedGame, type SavedGame } from "../../export/saved_game";

const saved: SavedGame = {
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
  const { name, text } = savedGameFile(saved, game);
  assert.equal(name, "splatter-shoot.json");
  assert.deepEqual(parseSavedGame(text, "1f", [2, 3]), saved);
});

test("other files are rejected with a reason", () => {
  const { text } = savedGameFile(saved, game);
  const because = (text: string, id = "1f", players = [2, 3]): string => {
    const result = parseSavedGame(text, id, players);
    assert("because" in result);
    return result.because;
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
