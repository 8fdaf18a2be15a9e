// Loads recorded games as sent to the device of seat a (fixtures/*.json): a card game with tricks, one with reactions
// and variables, a board game, and one with dice and a score sheet.
import { readFileSync } from "node:fs";
import { arrange, type Layout } from "../layout";
import { Theme } from "../theme";
import { kEmptyModel, cardOrigins, receive, type Model } from "../model";
import { namedTargets } from "../picking";
import type { Ask, Description, Message } from "../protocol";

export type Game = "hearts" | "splash" | "checkers" | "yahtzee";

export interface Fixture {
  description: Description;
  messages: Message[];
}

export function fixture(game: Game): Fixture {
  return JSON.parse(readFileSync(`${process.cwd()}/table/fixtures/${game}.json`, "utf8")) as Fixture;
}

// Returns the model after the first messages of a fixture.
export function modelAfter({ description, messages }: Fixture, count = messages.length): Model {
  const model = messages.slice(0, count).reduce<Model>((model, message, i) => receive(model, message, i), kEmptyModel);
  return { ...model, description };
}

export function layoutOf(model: Model, seat: number | null = 0): Layout {
  const observed = model.observed.get(seat)!,
    description = model.description!;
  const options = seat === null ? [] : (model.questions.get(seat)?.options ?? []);
  return arrange({
    description,
    theme: new Theme(description),
    things: observed.things,
    lastMove: { before: observed.previousBoards, after: observed.things },
    me: seat,
    origins: cardOrigins(observed.log, description),
    named: namedTargets(options),
  });
}

export const question = (more: Partial<Ask> = {}): Ask => ({
  k: "ask",
  seat: 0,
  q: 1,
  window: "main",
  prompt: "",
  place: "",
  flow: true,
  picked: 0,
  wanted: -1,
  picks: "",
  race: false,
  options: [],
  ...more,
});
