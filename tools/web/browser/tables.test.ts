// Tests tables of `cardwright serve` in a real browser: each test starts a server and opens pages for its players.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import {
  close,
  openPage,
  kPhone,
  unnamedElements,
  offered,
  person,
  play,
  sit,
  playToEnd,
  overflowWidth,
  waitUntil,
  type Person,
} from "./person";
import { cleanUp, folder, games, serve, skip } from "./program";

after(async () => {
  await close();
  cleanUp();
});

const textOf = ({ page }: Person, selector: string): Promise<string> =>
  page.evaluate((where) => document.querySelector<HTMLElement>(where)?.innerText ?? "", selector);
const count = ({ page }: Person, selector: string): Promise<number> =>
  page.evaluate((where) => document.querySelectorAll(where).length, selector);
// Returns the number of choices of a seat according to the page's log.
const choices = ({ page }: Person, seat: string): Promise<number> =>
  page.evaluate(
    (letter) =>
      [...document.querySelectorAll(".log .choice .letter")].filter((one) => one.textContent === letter).length,
    seat,
  );

test("Splash: a player reacts to another player with a card", { skip }, async () => {
  const server = await serve(["splash"], ["--seats", "a=me b=bot c=bot d=bot e=bot", "--start", "--seed", "3"]);
  const me = await sit(server.tables[0].host);
  let answer = "";
  await play(
    me,
    (clicked, now) => {
      assert(clicked < 300, "a reaction is offered within 300 clicks");
      assert(now.k !== "over", "a reaction is offered before the game is over");
      if (now.k === "click" && !now.flow && !now.pass) answer = now.what;
      return answer === "";
    },
    { passes: false },
  );
  assert.deepEqual(await unnamedElements(me), []);
  const before = await choices(me, "a");
  await play(me, async () => (await choices(me, "a")) === before, { passes: false });
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("Panic Fire: two pages race, and each shows the other's actions", { skip }, async () => {
  const server = await serve(["panic_fire"], ["--players", "2", "--seats", "a=me b=Anna", "--start", "--seed", "5"]);
  const [table] = server.tables;
  const both = [await sit(table.host, undefined, 1), await sit(table.seats.b, undefined, 2)];
  const deadline = Date.now() + 30_000;
  const done = async (one: Person, seat: string): Promise<number> =>
    (await textOf(one, ".log")).match(new RegExp(`^${seat} uses `, "gm"))?.length ?? 0;
  while (Date.now() < deadline && !((await done(both[0], "a")) >= 2 && (await done(both[0], "b")) >= 2))
    for (const one of both) {
      const now = await offered(one);
      if (now.k === "click") await one.page.mouse.click(now.x, now.y);
    }
  for (const one of both) {
    assert((await done(one, "a")) >= 2 && (await done(one, "b")) >= 2, `actions: ${await textOf(one, ".log")}`);
    assert.deepEqual(await unnamedElements(one), []);
    assert.deepEqual(one.pageErrors, []);
  }
  await server.end("SIGINT");
});

test("Goofspiel: simultaneous answers are hidden until both are given", { skip }, async () => {
  const server = await serve(["goofspiel"], ["--players", "2", "--seats", "a=me b=Anna", "--start", "--seed", "5"]);
  const [table] = server.tables;
  const a = await sit(table.host, undefined, 1),
    b = await sit(table.seats.b, undefined, 2);
  await waitUntil(b, "b is asked", () => document.querySelector(".question.mine") !== null);
  const tableOfB = await textOf(b, ".page");
  await play(a, (_, now) => now.k !== "waiting");
  await waitUntil(a, "a waits", () => document.querySelector(".question.waiting") !== null);
  await b.page.waitForTimeout(200);
  assert.equal(await textOf(b, ".page"), tableOfB);
  await Promise.all([playToEnd(a), playToEnd(b)]);
  for (const one of [a, b]) {
    assert.match(await textOf(one, ".end"), /win/);
    assert.deepEqual(one.pageErrors, []);
  }
  assert.equal(await textOf(a, ".end table"), await textOf(b, ".end table"));
  await server.end("SIGINT");
});

test("Splatter SHOOT: a turn on the board", { skip }, async () => {
  const server = await serve(
    ["splatter_shoot"],
    ["--players", "2", "--with", "far_moves", "--seats", "a=me b=bot", "--start", "--seed", "4"],
  );
  const me = await sit(server.tables[0].host);
  const turn = (): Promise<number> =>
    textOf(me, ".head .soft").then((text) => Number(/turn (\d+)/.exec(text)?.[1] ?? 0));
  let onBoard = 0;
  await play(
    me,
    (clicked, now) => {
      assert(clicked < 60, "a move is offered within 60 clicks");
      if (now.k === "click" && now.onBoard) ++onBoard;
      return onBoard === 0 || now.k === "waiting";
    },
    { likes: ".cell.can", text: "Draw an action card", passes: false },
  );
  await play(me, async () => !/hero of a: \w+ to/.test(await textOf(me, ".log")), { likes: ".cell.can" });
  const first = await turn();
  await me.page.keyboard.press("Escape");
  await play(
    me,
    async (clicked) => {
      assert(clicked < 60, "a turn ends within 60 clicks");
      return (await turn()) === first;
    },
    { likes: ".pass" },
  );
  assert.deepEqual(await unnamedElements(me), []);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("tic-tac-toe: a game is played to its end by keyboard", { skip }, async () => {
  const server = await serve(["tic_tac_toe"], ["--seats", "a=me b=bot", "--start", "--seed", "6"]);
  const me = await sit(server.tables[0].host),
    { page } = me;
  const focused = (selector: string): Promise<boolean> =>
    page.evaluate((where) => document.activeElement?.matches(where) ?? false, selector);
  for (let keys = 0; (await count(me, ".end")) === 0; ++keys) {
    assert(keys < 500, `the game ends within 500 keys: ${await textOf(me, ".page")}`);
    if ((await count(me, ".question.mine")) === 0) await page.waitForTimeout(20);
    else if (!(await focused(".board [data-stop]"))) await page.keyboard.press("Tab");
    else if (await focused(".can")) await page.keyboard.press("Enter");
    else await page.keyboard.press(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"][Math.floor(me.random() * 4)]);
  }
  assert.match(await textOf(me, ".end h2"), /win/i);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("a choice is undone", { skip }, async () => {
  const server = await serve(["tic_tac_toe"], ["--seats", "a=me b=bot", "--start", "--seed", "6"]);
  const me = await sit(server.tables[0].host);
  await waitUntil(me, "nine cells are free", () => document.querySelectorAll(".cell.can").length === 9);
  await me.page.click(".cell.can >> nth=4");
  await waitUntil(me, "seven are", () => document.querySelectorAll(".cell.can").length === 7);
  // The last move is the bot's stone.
  assert.match((await me.page.getAttribute(".cell[aria-label*='last move']", "aria-label")) ?? "", /of b/);
  assert.equal(await count(me, ".was-reached"), 1);
  await me.page.click("nav >> text=Undo");
  await waitUntil(me, "nine are free again", () => document.querySelectorAll(".cell.can").length === 9);
  assert.equal(await count(me, ".board .piece"), 0);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test(
  "edited rules reach the table; errors are reported, and the game continues with the previous rules",
  { skip },
  async () => {
    const file = `${folder()}/noughts.rules`;
    const rules = readFileSync(`${process.env.RULESETS}/classics/tic_tac_toe/tic_tac_toe.rules`, "utf8");
    writeFileSync(file, rules);
    const server = await serve([file], ["--design", "--start", "--seed", "6"]);
    const me = await sit(server.tables[0].host);
    await waitUntil(me, "nine cells are free", () => document.querySelectorAll(".cell.can").length === 9);
    await me.page.click(".cell.can >> nth=4");
    await waitUntil(me, "eight cells are free", () => document.querySelectorAll(".cell.can").length === 8);
    const title = /^game "([^"]*)"/m.exec(rules)![1];
    writeFileSync(file, rules.replace(`game "${title}"`, 'game "Noughts"'));
    await waitUntil(me, "the new title is shown", () => document.querySelector("h1")?.textContent === "Noughts");
    assert.equal(await count(me, ".board .piece"), 1, "the position is the same");
    writeFileSync(file, rules.replace(/^players .*$/m, "players nobody knows"));
    await waitUntil(me, "the error is shown", () =>
      /rules have errors/.test(document.querySelector<HTMLElement>(".notices")?.innerText ?? ""),
    );
    assert.match(await textOf(me, ".notices"), /noughts\.rules:\d+/);
    await me.page.click(".cell.can >> nth=0");
    await waitUntil(me, "the game continues", () => document.querySelectorAll(".cell.can").length === 7);
    writeFileSync(file, rules);
    await waitUntil(
      me,
      "the fixed rules are loaded",
      () =>
        document.querySelector("h1")?.textContent === "Tic-tac-toe" &&
        !document.querySelector(".notices")?.textContent?.includes("errors"),
    );
    assert.equal(await count(me, ".board .piece"), 2);
    assert.deepEqual(await unnamedElements(me), []);
    assert.deepEqual(me.pageErrors, []);
    await server.end("SIGINT");
  },
);

test("an edit adds a card, and the page shows its name", { skip }, async () => {
  const file = `${folder()}/coins.rules`;
  const rules = readFileSync(`${process.env.RULESETS}/classics/kuhn_poker/kuhn_poker.rules`, "utf8");
  writeFileSync(file, rules);
  const server = await serve([file], ["--design", "--players", "2", "--start", "--seed", "6"]);
  const me = await sit(server.tables[0].host);
  const hand = '.seat.mine .card[aria-label]:not([aria-label="a card face down"])';
  await waitUntil(me, "a card is held", () => document.querySelector(".seat.mine .card:not(.empty)") !== null);
  assert.match((await me.page.getAttribute(hand, "aria-label")) ?? "", /^[123]\b/);
  // Without the shuffle, the deck is in source order, and one of the new cards is on top, whichever end
  // that is.
  const all = "each r in 1..size(players) + 1: Card(rank: r)";
  const more = `Card(rank: 11), ${all}, Card(rank: 10)`;
  assert(rules.includes(all) && rules.includes("  shuffle deck\n"));
  writeFileSync(file, rules.replace(all, more).replace("  shuffle deck\n", ""));
  await waitUntil(me, "the new card is held", () =>
    /^1[01]\b/.test(document.querySelector(".seat.mine .card:not(.empty)")?.getAttribute("aria-label") ?? ""),
  );
  await play(me, (_, now) => now.k !== "over"); // all seats belong to the host
  assert.match(await textOf(me, ".end h2"), /win/i);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("after the end, another game is started and played", { skip }, async () => {
  const server = await serve(["tic_tac_toe"], ["--seats", "a=me b=bot", "--start", "--seed", "6"]);
  const me = await sit(server.tables[0].host);
  const first = await playToEnd(me);
  assert(first >= 2, `${first} clicks`);
  await me.page.click(".end .main");
  await waitUntil(me, "the board is empty, and the end is gone", () => {
    const stones = document.querySelectorAll(".board .piece").length;
    return !document.querySelector(".end") && stones < 2 && document.querySelectorAll(".cell.can").length >= 8;
  });
  // In the new game, at most its own pieces are marked as the last move.
  assert((await count(me, ".cell[aria-label*='last move']")) <= (await count(me, ".board .piece")));
  assert((await playToEnd(me)) >= 2);
  assert.match(await textOf(me, ".end h2"), /win/i);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("after a server is killed and restarted, the page reconnects", { skip }, async () => {
  const server = await serve(["hearts"], ["--seats", "a=me b=bot c=bot d=bot", "--start"]);
  const me = await sit(server.tables[0].host);
  await play(me, (clicked) => clicked < 4); // a pass of three cards is confirmed by the fourth click
  await waitUntil(
    me,
    "the question returns",
    () =>
      document.querySelector(".question.mine .asked b") !== null && document.querySelectorAll(".hand .can").length > 0,
  );
  const hand = await textOf(me, ".hands"),
    log = await textOf(me, ".log");
  await server.end("SIGKILL");
  await waitUntil(me, "the page reports the lost connection", () =>
    /connection lost/.test(document.querySelector<HTMLElement>(".notices")?.innerText ?? ""),
  );
  me.pageErrors.splice(0); // browsers log each failed connection
  const again = await serve(["hearts"], ["--seats", "a=me b=bot c=bot d=bot", "--start"], server);
  await waitUntil(
    me,
    "the connection is restored",
    () => !/connection lost/.test(document.querySelector<HTMLElement>(".notices")?.innerText ?? ""),
  );
  assert.equal(await textOf(me, ".hands"), hand);
  assert((await textOf(me, ".log")).startsWith(log));
  me.pageErrors.splice(0);
  await playToEnd(me);
  assert.match(await textOf(me, ".end h2"), /win/);
  assert.deepEqual(me.pageErrors, []);
  await again.end("SIGINT");
});

test("every bundled game fits a screen of 360 pixels, and every clickable element has a name", { skip }, async () => {
  const server = await serve(games(), ["--start", "--seed", "2"]);
  const me = await person(kPhone);
  const problems: string[] = [];
  for (const { host } of server.tables) {
    await openPage(me, host);
    const title = await textOf(me, "h1");
    for (const clicks of [0, 3]) {
      const deadline = Date.now() + 3000;
      await play(me, (clicked, now) => clicked < clicks && Date.now() < deadline && now.k !== "over");
      const over = await overflowWidth(me);
      if (over > 0) problems.push(`${title}: ${over} pixels too wide`);
      problems.push(...(await unnamedElements(me)).map((what) => `${title}: ${what}`));
    }
    problems.push(...me.pageErrors.splice(0).map((what) => `${title}: ${what}`));
  }
  assert.deepEqual(problems, []);
  await server.end("SIGINT");
});
