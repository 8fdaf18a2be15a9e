// Tests the grouping of log entries into acts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { acts } from "../acts";
import type { Entry } from "../model";
import type { News } from "../protocol";

test("moves and changes belong to the preceding act, messages of the rules and headings do not", () => {
  const move = { k: "move", from: 0, to: 1, n: 1, prints: [null], text: "m" } as News;
  const change = { k: "change", variable: 0, text: "c" } as News;
  const choice = { k: "choice", seat: 0, text: "a: Play" } as News;
  const say = { k: "say", text: "s" } as News;
  const heading = { k: "heading", text: "turn 2: b" } as News;
  const log = [move, choice, move, change, say, move, heading, choice, choice, change].map((news, at): Entry => ({
    at,
    step: at,
    news,
  }));
  assert.deepEqual(
    acts(log).map(({ head, more }) => [head.news.k, more.length]),
    [
      ["move", 0],
      ["choice", 2],
      ["say", 0],
      ["move", 0],
      ["heading", 0],
      ["choice", 0],
      ["choice", 1],
    ],
  );
});
