// Tests the texts of questions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOwnSeat, questionText, waitingText } from "../question_text";
import type { ActionInfo, Ask } from "../protocol";
import { fixture, question } from "./fixtures";

const action = (words: string, kind: ActionInfo["kind"] = "use"): ActionInfo => ({
  name: words.replaceAll(" ", "_"),
  words,
  kind,
  secret: false,
  where: "",
});
const kActions = [
  action("count"),
  action("rest"),
  action("pass", "pass"),
  action("play Hat", "play"),
  action("play Hose", "play"),
  action("take"),
  action("no", "pass"),
  action("choose", "choose"),
];
const description = { ...fixture("hearts").description, actions: kActions };
const ask = (actions: number[], more: Partial<Ask> = {}): Ask =>
  question({ options: actions.map((action, id) => ({ id, words: "", action, parts: [] })), ...more });
const words = (actions: number[], more: Partial<Ask> = {}): string => {
  const { text, window } = questionText(ask(actions, more), null, description);
  return window ? `${text} (${window})` : text;
};

test("without a prompt, the text lists up to three actions, with cards as one and passing last", () => {
  assert.equal(words([0]), "Count");
  assert.equal(words([2, 0, 1, 1]), "Count, rest or pass");
  assert.equal(words([3, 4, 3, 2]), "Play a card or pass");
  assert.equal(words([0, 1, 5, 2]), "Choose");
  assert.equal(words([7, 6]), "Choose or decline");
  assert.equal(words([]), "Choose");
});

test("the window is named if it adds information", () => {
  assert.equal(words([0], { window: "count" }), "Count");
  assert.equal(words([0], { window: "last_look" }), "Count (last look)");
  assert.equal(words([0], { window: "" }), "Count");
  assert.equal(words([0], { window: "main" }), "Count");
});

test("a prompt of the rules replaces the text, also for a question to all players", () => {
  assert.equal(words([0, 1], { prompt: "How many?" }), "How many?");
  const all = { all: true, window: "main", words: "What do you hide?" };
  assert.equal(questionText(ask([0]), all, description).text, "What do you hide?");
  const other = { seat: 1, window: "main", words: "Not to you" };
  assert.equal(questionText(ask([0]), other, description).text, "Count");
});

test("in a race, the text continues 'You may'", () => {
  assert.equal(words([0, 1], { race: true }), "count or rest");
  assert.equal(words([0, 1, 5, 2], { race: true }), "act");
});

test("for other players, the text names the active player or the deciding player with the question", () => {
  assert.equal(waitingText({ seat: 1, window: "main", words: "" }, "Anna", true), "it is Anna’s turn");
  assert.equal(waitingText({ seat: 1, window: "main", words: "" }, "Anna", false), "waiting for Anna");
  assert.equal(waitingText({ seat: 1, window: "main", words: "Which?" }, "Anna", true), "Anna is asked: Which?");
});

test("own parts of areas are named without the seat", () => {
  const part = (owner: number | null, words: string) => ({ name: "s", kind: "part", words, area: 0, owner, index: 2 });
  const option = (...parts: ReturnType<typeof part>[]) => ({
    id: 1,
    words: `Swap ${parts.map((one) => one.words).join(" with ")}`,
    action: 0,
    parts,
  });
  const seats = { seats: ["a", "b"] };
  const mine = withoutOwnSeat(option(part(0, "2 of a"), part(1, "2 of b")), 0, seats);
  assert.deepEqual([mine.words, mine.parts.map((one) => one.words)], ["Swap 2 with 2 of b", ["2", "2 of b"]]);
  const other = option(part(1, "2 of b"), part(null, "2"));
  assert.equal(withoutOwnSeat(other, 0, seats), other);
});
