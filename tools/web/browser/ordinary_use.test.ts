// Tests ordinary use of a table in a real browser: deadlines, dragging, the end of a game, explanations, and a
// connection that fails silently.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { close, kDesktop, offered, openPage, person, play, playToEnd, sit, waitUntil, type Person } from "./person";
import { cleanUp, folder, serve, skip } from "./program";
import { dropping, freePort } from "./proxy";

after(async () => {
  await close();
  cleanUp();
});

const textOf = ({ page }: Person, selector: string): Promise<string> =>
  page.evaluate((where) => document.querySelector<HTMLElement>(where)?.innerText ?? "", selector);

test("Quickshot: consecutive questions with a deadline each have their full time", { skip }, async () => {
  const server = await serve(["quickshot"], ["--seats", "a=me b=bot c=bot d=bot", "--start", "--seed", "3"]);
  const me = await sit(server.tables[0].host);
  const left = async (): Promise<number> => Number.parseFloat(await textOf(me, ".question .left b"));
  const asked = (): Promise<string> => textOf(me, ".question .asked b + span");
  // The player doesn't answer: the next question appears at the end of the time.
  for (const before of ["Whom do you point at?", "Which card do you play?"]) {
    assert.equal(await asked(), before);
    const start = Date.now();
    while ((await asked()) === before && Date.now() - start < 9000) await me.page.waitForTimeout(20);
    assert(Date.now() - start > 4500, `${before} ${Date.now() - start} ms`);
    await waitUntil(me, "the next question", () => document.querySelector(".question .left b") !== null);
    assert((await left()) > 5, `${await left()} s for ${await asked()}`);
  }
  // The player answers late.
  const isAsked = (): boolean => document.querySelector(".question .left b") !== null;
  await waitUntil(me, "the third question", isAsked);
  while ((await left()) > 2) await me.page.waitForTimeout(50);
  const before = await asked();
  await play(me, async () => (await asked()) === before);
  await waitUntil(me, "the fourth question", isAsked);
  assert((await left()) > 5, `${await left()} s for ${await asked()}`);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

const hand = ({ page }: Person): Promise<(string | null)[]> =>
  page.$$eval(".seat.mine [data-hand] .card", (cards) => cards.map((card) => card.getAttribute("data-print")));

// Drags an element to a point, in several movements.
async function drag({ page }: Person, selector: string, to: { x: number; y: number }): Promise<void> {
  const box = (await (await page.$(selector))!.boundingBox())!;
  const [x, y] = [box.x + Math.min(20, box.width / 2), box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 2, y - 20, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
}
async function centreOf({ page }: Person, selector: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await (await page.$(selector))!.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

test(
  "hearts: a dragged card is played only where it is dropped on the table, and sorts the hand",
  { skip },
  async () => {
    const server = await serve(["hearts"], ["--seats", "a=me b=bot c=bot d=bot", "--start", "--seed", "11"]);
    const me = await sit(server.tables[0].host);
    // Pass the cards before the first trick.
    const inTrick = (): Promise<boolean> =>
      me.page.evaluate(
        () =>
          document.querySelector(".hand .card.can") !== null &&
          !document.querySelector(".picks") &&
          !/^Pass/.test(document.querySelector(".asked b + span")?.textContent ?? ""),
      );
    await play(me, async (_, now) => now.k === "waiting" || !(await inTrick()));
    const before = await hand(me);
    const can = ".hand .card.can";
    // Dropped elsewhere: on the head of the page, and where it was.
    const start = await me.page.$eval(can, (card) => card.getAttribute("data-print"));
    await drag(me, can, await centreOf(me, ".head h1"));
    await drag(me, can, await centreOf(me, can));
    await drag(me, can, await centreOf(me, ".question"));
    await me.page.waitForTimeout(300);
    assert.deepEqual(await hand(me), before);
    assert.equal(await me.page.$$eval(".card.picked", (all) => all.length), 0);
    // Dropped at the left end of the hand: sorted, also after the page is loaded again.
    const first = (await (await me.page.$(".hand .card"))!.boundingBox())!;
    await drag(me, ".hand .card >> nth=-1", { x: first.x + first.width / 3, y: first.y + first.height / 2 });
    const sorted = [before.at(-1), ...before.slice(0, -1)];
    assert.deepEqual(await hand(me), sorted);
    await me.page.reload();
    await me.page.waitForSelector(can);
    assert.deepEqual(await hand(me), sorted);
    // A short upward stroke asks first, if the person wants to confirm each choice.
    await me.page.click("nav [aria-label=Settings]");
    await me.page.click("text=confirm each choice");
    const card = await centreOf(me, can);
    await drag(me, can, { x: card.x, y: card.y - 48 });
    await drag(me, can, await centreOf(me, ".middle"));
    await me.page.waitForTimeout(300);
    assert.equal((await hand(me)).length, sorted.length);
    await me.page.click(".question .confirm .quiet");
    await me.page.click("text=confirm each choice");
    await me.page.click("nav [aria-label=Settings]");
    // Dropped on the table: played.
    await drag(me, `.hand .card.can[data-print="${start}"]`, await centreOf(me, ".middle"));
    await waitUntil(me, "the card is on the table", () => document.querySelector(".question.mine .confirm") === null);
    await me.page.waitForFunction((print) => !document.querySelector(`.hand .card[data-print="${print}"]`), start);
    assert.deepEqual(me.pageErrors, []);
    await server.end("SIGINT");
  },
);

for (const screen of [kDesktop, { width: 390, height: 844 }])
  test(`the vote for another game can be answered at ${screen.width} pixels`, { skip }, async () => {
    const server = await serve(["tic_tac_toe"], ["--seats", "a=me b=Anna", "--start", "--seed", "6"]);
    const [table] = server.tables;
    const a = await sit(table.host, screen, 1),
      b = await sit(table.seats.b, screen, 2);
    for (const one of [a, b]) {
      await one.page.click("nav [aria-label=People]");
      await one.page.click("text=rename");
      await one.page.fill(".people form input", one === a ? "Wolfeschlegelsteinhausen" : "Wilhelmina-Alexandrina-B");
      await one.page.click(".people form button");
      await one.page.click(screen.width < 1020 ? ".side .close" : "nav [aria-label=People]");
    }
    // Returns true if the button is in the window and nothing covers it.
    const canClick = ({ page }: Person, selector: string): Promise<boolean> =>
      page.evaluate((where) => {
        const button = document.querySelector(where);
        if (!button) return false;
        const { left, top, width, height } = button.getBoundingClientRect();
        const points = [0.05, 0.5, 0.95].map((part) =>
          document.elementFromPoint(left + part * width, top + height / 2),
        );
        return points.every((one) => one === button);
      }, selector);
    await Promise.all([playToEnd(a), playToEnd(b)]);
    assert(await canClick(a, ".end .main"), "`Play again` is visible");
    await b.page.click(".end .main");
    await waitUntil(a, "a is asked", () => /another game/.test(document.querySelector(".votes")?.textContent ?? ""));
    assert.match(await textOf(a, ".votes"), /Wilhelmina-Alexandrina-B/);
    assert(await canClick(a, ".votes .main"), "`Yes` is visible");
    assert(await canClick(a, ".votes .option:not(.main)"), "`No` is visible");
    assert.match(await textOf(b, ".votes"), /waiting for Wolfeschlegelsteinhausen/);
    // With the result closed, the vote remains.
    await a.page.click("text=Show the table");
    assert(await canClick(a, ".ballot .main"), "`Yes` is visible on the table");
    await a.page.click(".ballot .main");
    for (const one of [a, b])
      await waitUntil(one, "another game", () => document.querySelectorAll(".end, .board .piece").length === 0);
    assert.deepEqual([...a.pageErrors, ...b.pageErrors], []);
    await server.end("SIGINT");
  });

// The players discard N cards in turn; nothing else happens.
const discarding = (n: number): string => `game "Discarding"
players 2
card type Card { n: 1..20 }
deck Cards: Card into stock { each n in 1..20: Card(n: n) }
player { zone hand: owner }
table { zone stock: pile, facedown; zone heap: public }
setup { deal 6 from stock to each hand }
play {
  turns clockwise up to 4 {
    choose cs: ${n} cards from active.hand "Discard down to your limit"
    move cs to heap
  }
}
end when play is over { winners everyone }
`;

for (const n of [1, 3])
  test(`a choice of ${n} from several cards is confirmed`, { skip }, async () => {
    const file = `${folder()}/discarding.rules`;
    writeFileSync(file, discarding(n));
    const server = await serve([file], ["--seats", "a=me b=bot", "--start", "--seed", "1"]);
    const me = await sit(server.tables[0].host);
    for (let i = 0; i < n; ++i) await me.page.click(".hand .card.can:not(.marked)");
    await me.page.waitForSelector("[data-confirm]");
    await me.page.waitForTimeout(200);
    assert.equal((await hand(me)).length, 6);
    assert.equal((await textOf(me, "[data-confirm]")).split(",").length, n);
    await me.page.click(".question .confirm .quiet"); // the last card is not picked
    await me.page.click(".hand .card.can:not(.marked)");
    await me.page.click("[data-confirm]");
    await me.page.waitForFunction((left) => document.querySelectorAll(".hand .card").length === left, 6 - n);
    assert.deepEqual(me.pageErrors, []);
    await server.end("SIGINT");
  });

test("hearts: a click on a card that does not follow suit explains the rule", { skip }, async () => {
  const server = await serve(["hearts"], ["--seats", "a=me b=bot c=bot d=bot", "--start", "--seed", "11"]);
  const me = await sit(server.tables[0].host);
  const bound = (): Promise<boolean> =>
    me.page.evaluate(
      () =>
        document.querySelectorAll(".ring .card").length > 0 &&
        document.querySelectorAll(".hand .card.can").length > 0 &&
        document.querySelectorAll(".hand .card:not(.can)").length > 0,
    );
  await play(me, async (_, now) => now.k === "waiting" || !(await bound()));
  const card = (await me.page.getAttribute(".hand .card:not(.can)", "aria-label"))!;
  await me.page.click(".hand .card:not(.can)");
  await waitUntil(me, "an explanation", () => document.querySelector(".notice") !== null);
  const text = await textOf(me, ".notice");
  assert.match(text, new RegExp(`Play ${card}: ${card} is not in your playable`));
  const possible = await me.page.$$eval(".hand .card.can", (all) =>
    all.map((one) => one.getAttribute("aria-label")!.replace(", can be picked", "")),
  );
  for (const one of possible.slice(0, 6)) assert(text.includes(one), `${one} in ${text}`);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("a connection that silently drops all data is reported and restored", { skip }, async () => {
  const port = await freePort();
  const proxy = await dropping(port);
  const address = ["--origin", `http://127.0.0.1:${proxy.port}`];
  const options = ["--seats", "a=me b=bot c=bot d=bot", "--start", "--seed", "11", ...address];
  const server = await serve(["hearts"], options, { port: String(port) }); // its links have the origin of the proxy
  const me = await person(kDesktop);
  await openPage(me, server.tables[0].host);
  await play(me, (clicked) => clicked < 3);
  await me.page.waitForTimeout(6000); // a quiet connection that answers is not reported
  assert(!/connection lost/.test(await textOf(me, ".notices")));
  for (const event of ["online", "visibilitychange"] as const) {
    proxy.drop(true);
    const start = Date.now();
    await waitUntil(me, "the page reports the lost connection", () =>
      /connection lost/.test(document.querySelector<HTMLElement>(".notices")?.innerText ?? ""),
    );
    assert(Date.now() - start < 10_000, `reported after ${Date.now() - start} ms`);
    // Later attempts also get no answer. After the event, the page does not wait for the end of the longest delay.
    await me.page.waitForTimeout(1500);
    proxy.drop(false);
    const back = Date.now();
    await me.page.evaluate((name) => (name === "online" ? window : document).dispatchEvent(new Event(name)), event);
    await waitUntil(
      me,
      "the connection is restored",
      () => !/connection lost/.test(document.querySelector<HTMLElement>(".notices")?.innerText ?? ""),
    );
    assert(Date.now() - back < 4000, `restored after ${Date.now() - back} ms`);
  }
  assert.notEqual((await offered(me)).k, "over");
  await play(me, (clicked) => clicked < 2);
  await proxy.end();
  await server.end("SIGINT");
});
