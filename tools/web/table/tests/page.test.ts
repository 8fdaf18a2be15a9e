// Tests the page: it draws each kind of game at any size without errors, and can be played by mouse, touch and
// keyboard.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Ask, Message } from "../protocol";
import { close, open, waitForCommand, skip, type Screen } from "./browser";
import { fixture, type Fixture, type Game } from "./fixtures";

after(close);

const kDesktop: Screen = { width: 1280, height: 800 },
  kPhone: Screen = { width: 360, height: 640, touch: true };
const kGames: Game[] = ["hearts", "splash", "checkers", "yahtzee"];

const lastAsk = ({ messages }: Fixture): Ask =>
  messages.filter((message): message is Ask => message.k === "ask").at(-1)!;

for (const game of kGames)
  for (const screen of [kDesktop, kPhone, { ...kDesktop, dark: true }])
    test(
      `${game} at ${screen.width}${screen.dark ? ", dark" : ""}: no errors, no overflow, no missing names`,
      { skip },
      async () => {
        const { page, pageErrors } = await open(fixture(game), screen);
        await page.waitForTimeout(300);
        assert.deepEqual(pageErrors, []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), screen.width);
        const unnamed = await page.evaluate(() =>
          [...document.querySelectorAll("button, [role=button], input, select, a, summary")]
            .filter(
              (one) =>
                !(
                  one.getAttribute("aria-label") ||
                  one.textContent.trim() ||
                  one.closest("label")?.textContent!.trim()
                ),
            )
            .map((one) => one.outerHTML.slice(0, 120)),
        );
        assert.deepEqual(unnamed, []);
        const hidden = await page.evaluate(
          () =>
            [...document.querySelectorAll("[aria-hidden=true] [tabindex='0'], [aria-hidden=true][tabindex='0']")]
              .length,
        );
        assert.equal(hidden, 0);
      },
    );

test("touch targets are large enough", { skip }, async () => {
  const { page } = await open(fixture("splash"), kPhone);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".question .option, .hand .card.can, .head nav button")]
      .filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44)
      .map((one) => `${one.textContent} ${one.offsetWidth}x${one.offsetHeight}`),
  );
  assert.deepEqual(small, []);
});

test("a card is played by a click", { skip }, async () => {
  const opened = await open(fixture("hearts"), kDesktop),
    ask = lastAsk(fixture("hearts"));
  await opened.page.click(".hand .card.can");
  const choice = await waitForCommand(opened, "choose");
  assert.equal(choice.q, ask.q);
  assert(ask.options.some((option) => option.id === choice.id));
  assert.match((await opened.page.textContent(".question")) ?? "", /sent/);
});

test("a touch needs a confirmation", { skip }, async () => {
  const opened = await open(fixture("hearts"), kPhone);
  await opened.page.tap(".hand .card.can");
  await opened.page.waitForSelector("[data-confirm]");
  assert(!opened.commands.some((command) => command.k === "choose"));
  await opened.page.tap("[data-confirm]");
  await waitForCommand(opened, "choose");
});

test("the whole box of a player is a target, and a button starts actions on players", { skip }, async () => {
  const one = fixture("splash"),
    ask = lastAsk(one),
    use = one.description.actions.findIndex((action) => action.kind === "use");
  const steal = one.description.actions.length;
  const actions = [...one.description.actions, { ...one.description.actions[Math.max(0, use)], kind: "use" as const }];
  const others = [1, 2].map((seat) => ({ name: "p", kind: "player", words: "abc"[seat], seat }));
  const options = ["Steal from", "Ask"].flatMap((words, i) =>
    others.map((part, j) => ({ id: 2 * i + j, words: `${words} ${part.words}`, action: steal - i, parts: [part] })),
  );
  actions[steal - 1] = actions[steal];
  const opened = await open({ ...one, description: { ...one.description, actions } }, kDesktop),
    { page } = opened;
  opened.send({ ...ask, q: ask.q + 1, options });
  await page.waitForSelector(".seat.aim[data-seat='2']");
  assert.deepEqual(await page.$$eval(".option.begin", (all) => all.map((one) => one.lastChild!.textContent)), [
    "Steal from …",
    "Ask …",
  ]);
  await page.click(".option.begin");
  assert.match((await page.textContent(".question")) ?? "", /Steal from …/);
  const box = (await (await page.$(".seat[data-seat='2']"))!.boundingBox())!;
  await page.mouse.click(box.x + box.width - 6, box.y + box.height - 6);
  assert.equal((await waitForCommand(opened, "choose")).id, 1);
});

test("a piece is moved by keyboard", { skip }, async () => {
  const opened = await open(fixture("checkers"), kDesktop),
    { page } = opened;
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.matches(".cell.can"))) break;
  }
  assert(await page.evaluate(() => document.activeElement?.matches(".cell.can")), "Tab focuses a target");
  await page.keyboard.press("Enter");
  for (let i = 0; i < 3 && !opened.commands.some((command) => command.k === "choose"); ++i) {
    await page.waitForTimeout(50);
    await page.keyboard.press("1");
  }
  const choice = await waitForCommand(opened, "choose");
  assert(lastAsk(fixture("checkers")).options.some((option) => option.id === choice.id));
});

test("arrow keys move between cards, Space enlarges a card, Escape closes it", { skip }, async () => {
  const { page } = await open(fixture("hearts"), kDesktop);
  await page.focus(".hand .card.can");
  const first = await page.evaluate(() => document.activeElement!.getAttribute("aria-label"));
  await page.keyboard.press("ArrowRight");
  const second = await page.evaluate(() => document.activeElement!.getAttribute("aria-label"));
  assert.notEqual(first, second);
  await page.keyboard.press(" ");
  await page.waitForSelector(".large");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".large", { state: "detached" });
});

test("a click on a card that is not offered shows the reason", { skip }, async () => {
  const one = fixture("hearts");
  const bound = one.messages.findIndex(
    (message) => message.k === "ask" && message.window === "trick" && message.options.length < 6,
  );
  const opened = await open(one, kDesktop, bound + 1),
    { page } = opened;
  await page.click(".hand .card:not(.can)");
  const why = await waitForCommand(opened, "why");
  assert("print" in why);
  opened.send({ k: "answers", seat: 0, answers: ["only hearts <b>may</b> be led"] });
  await page.waitForSelector(".notice");
  assert.match((await page.textContent(".notice")) ?? "", /only hearts <b>may<\/b> be led/); // as text, never as HTML
});

test("text view: options are a list of buttons", { skip }, async () => {
  const opened = await open(fixture("splash"), kDesktop),
    { page } = opened,
    ask = lastAsk(fixture("splash"));
  await page.keyboard.press("t");
  await page.waitForSelector(".in-words");
  assert.deepEqual(
    await page.$$eval(".in-words ol button", (buttons) => buttons.map((button) => button.textContent)),
    ask.options.map((option) => option.words),
  );
  await page.click(".in-words ol button");
  assert.equal((await waitForCommand(opened, "choose")).id, ask.options[0].id);
});

test("earlier states offer no options, and Escape returns to the present", { skip }, async () => {
  const opened = await open(fixture("hearts"), kDesktop),
    { page } = opened;
  await page.keyboard.press("[");
  const at = await waitForCommand(opened, "at");
  const view = fixture("hearts").messages.find(
    (message): message is Extract<Message, { k: "view" }> => message.k === "view",
  )!;
  opened.send({ k: "past", seat: 0, step: at.step, things: view.things, news: view.news, of: at.step + 1 });
  await page.waitForSelector(".table.past");
  assert.equal(await page.$$eval(".can", (all) => all.length), 0);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".table:not(.past) .hand .card.can");
});

test("events and questions are announced", { skip }, async () => {
  const one = fixture("hearts");
  const at = one.messages.map((message) => message.k).lastIndexOf("step");
  const opened = await open(one, kDesktop, at);
  for (const message of one.messages.slice(at)) opened.send(message);
  await opened.page.waitForFunction(() => document.getElementById("assertive")!.textContent.startsWith("Your turn"));
  const step = one.messages[at] as Extract<Message, { k: "step" }>;
  assert.match((await opened.page.textContent("#polite")) ?? "", new RegExp(step.news.at(-1)!.text.slice(0, 20)));
});

test("the key is removed from the URL and stored", { skip }, async () => {
  const opened = await open(fixture("hearts"), kDesktop),
    { page } = opened;
  assert.equal((await waitForCommand(opened, "hello")).key, "an-invitation");
  assert.equal(new URL(page.url()).hash, "");
  opened.send({ k: "key", key: "my-own" });
  await page.waitForTimeout(50);
  opened.commands.length = 0;
  await page.reload();
  assert.equal((await waitForCommand(opened, "hello")).key, "my-own");
});

test("a curtain separates the seats of one device", { skip }, async () => {
  const one = fixture("hearts");
  const messages = one.messages.map((message) =>
    message.k === "welcome" ? { ...message, you: { ...message.you, seats: [0, 1] } } : message,
  );
  const opened = await open({ ...one, messages }, kDesktop),
    { page } = opened;
  await page.waitForSelector(".curtain");
  await page.click(".curtain button");
  await page.waitForSelector(".curtain", { state: "detached" });
  assert(await page.isVisible(".hand .card.can"));
});

test("the result names the winner and offers another game", { skip }, async () => {
  const opened = await open(fixture("splash"), kDesktop),
    { page } = opened;
  opened.send({ k: "over", winners: [0], ending: "all towels are wet", returns: [1, 0, 0, 0, 0] });
  await page.waitForSelector(".end");
  assert.match((await page.textContent(".end")) ?? "", /You win.*all towels are wet/s);
  await page.click(".end .main");
  assert.equal((await waitForCommand(opened, "ballot")).kind, "again");
});
