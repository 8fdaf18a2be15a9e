// Tests the colours of constants.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourNamed, hex } from "../colours";
import { lineText } from "../parts/log";

test("constants named like colours have these colours", () => {
  const channels = (name: string): number[] =>
    [1, 3, 5].map((at) => parseInt(colourNamed(name)!.slice(at, at + 2), 16));
  const [amberRed, amberGreen, amberBlue] = channels("Amber");
  assert(amberRed > 200 && amberGreen > 150 && amberBlue < 80, "amber is a dark yellow");
  const [jadeRed, jadeGreen, jadeBlue] = channels("jade");
  assert(jadeGreen > 1.3 * jadeBlue && jadeGreen > 2 * jadeRed, "jade is green");
  assert.equal(colourNamed("gray"), hex("grey"));
  assert.equal(colourNamed("north"), null);
});

test("a line of the log loses the player's name only if the name precedes the choice", () => {
  const choice = (text: string) => ({ k: "choice", seat: 0, text }) as const;
  assert.equal(lineText(choice("Anna Lee: Point at Bob"), ["Anna Lee", "a"]), "Point at Bob");
  assert.equal(lineText(choice("a: Point at b"), ["Anna Lee", "a"]), "Point at b");
  assert.equal(lineText(choice("Anna Lee plays Ruse: two"), ["Anna Lee", "a"]), "Anna Lee plays Ruse: two");
});
