// Plays Hearts by clicks to the end, on a server and in an exported page without a network.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { close, kDesktop, unnamedElements, person, play, sit, playToEnd } from "./person";
import { cleanUp, folder, run, serve, skip, skipExport } from "./program";

after(async () => {
  await close();
  cleanUp();
});

test("hearts: a game is played by clicks to its end", { skip }, async () => {
  const server = await serve(["hearts"], ["--seats", "a=me b=bot c=bot d=bot", "--start", "--seed", "11"]);
  const me = await sit(server.tables[0].host);
  await play(me, (clicked) => clicked < 6);
  assert.deepEqual(await unnamedElements(me), []);
  const clicked = await playToEnd(me);
  assert(6 + clicked > 10, `${clicked} clicks`);
  assert.match((await me.page.textContent(".end h2")) ?? "", /win/);
  assert.deepEqual(await unnamedElements(me), []);
  assert.deepEqual(me.pageErrors, []);
  await server.end("SIGINT");
});

test("export: if the worker fails, the page reports it and continues", { skip: skipExport }, async () => {
  const file = `${folder()}/noughts.html`;
  run("export", "tic_tac_toe", "--web", file, "--seed", "7", "--bots", "0.01");
  const me = await person(kDesktop);
  await me.page.addInitScript(() => {
    // The worker only receives `open` and the first choice.
    window.Worker = class extends Worker {
      private received = 0;
      postMessage(message: unknown): void {
        if (++this.received > 2) this.onerror?.(new ErrorEvent("error", { message: "out of memory" }));
        else super.postMessage(message);
      }
    };
  });
  await me.page.goto(`file://${file}`);
  await me.page.click(".start .first");
  const clicked = await play(me, (_, now) => now.k !== "over");
  assert(clicked > 2, `${clicked} clicks`);
  assert.match((await me.page.textContent(".notices")) ?? "", /worker of this page failed \(out of memory\)/);
  assert.match((await me.page.textContent(".end h2")) ?? "", /win|draw/i);
  assert.deepEqual(me.pageErrors, []);
});

test("export: a game is saved to a file and continued in another browser", { skip: skipExport }, async () => {
  const file = `${folder()}/connect.html`,
    saved = `${folder()}/saved.json`;
  run("export", "connect_four", "--web", file, "--seed", "7", "--bots", "0.01");
  const me = await person(kDesktop);
  await me.page.goto(`file://${file}`);
  await me.page.click(".start .first");
  await play(me, (clicked) => clicked < 3);
  const hash = await me.page.evaluate(() => document.documentElement.dataset.hash);
  await me.page.reload();
  const download = me.page.waitForEvent("download");
  await me.page.click("text=Save to a file");
  assert.equal((await download).suggestedFilename(), "connect-four.json");
  await (await download).saveAs(saved);
  const elsewhere = await person(kDesktop);
  await elsewhere.page.goto(`file://${file}`);
  await elsewhere.page.setInputFiles(".start input[type=file]", file); // the wrong file
  assert.match(
    (await elsewhere.page.textContent("[role=alert]")) ?? "",
    /Cannot open connect.html: this is not a saved game/,
  );
  await elsewhere.page.setInputFiles(".start input[type=file]", saved);
  await elsewhere.page.waitForSelector(".question");
  assert.equal(await elsewhere.page.evaluate(() => document.documentElement.dataset.hash), hash);
  const turn = /turn (\d+)/.exec((await elsewhere.page.textContent("header")) ?? "")![1];
  const rows = [...run("play", "--resume", saved).matchAll(/^ +\d {2}([.AB ]+)$/gm)].map((row) => row[1]);
  assert.equal(rows.join("").replace(/[^AB]/g, "").length, Number(turn) - 1); // one disc per turn
  await play(elsewhere, (_, now) => now.k !== "over");
  assert.deepEqual([...me.pageErrors, ...elsewhere.pageErrors], []);
});

// Writes the played choices to a file; tests/web/browser_test.cpp compares them with the same game played natively.
test("export: hearts is played to its end without a network", { skip: skipExport }, async () => {
  const file = `${folder()}/hearts.html`;
  run("export", "hearts", "--web", file, "--seed", "7", "--bots", "0.01");
  const me = await person(kDesktop);
  const requested: string[] = [];
  await me.context.setOffline(true);
  await me.page.route(/.*/, (route) => (route.request().url().startsWith("file:") ? route.continue() : route.abort()));
  me.page.on("request", (request) => requested.push(request.url().slice(0, 60)));
  await me.page.goto(`file://${file}`);
  assert.deepEqual(await unnamedElements(me), []);
  await me.page.click(".start .first");
  await playToEnd(me);
  assert.deepEqual(
    requested.filter((url) => !/^(file|data|blob):/.test(url)),
    [],
  );
  assert.deepEqual(await unnamedElements(me), []);
  assert.deepEqual(me.pageErrors, []);
  const played = await me.page.evaluate(() => ({
    hash: document.documentElement.dataset.hash,
    game: JSON.parse(
      Object.entries(localStorage).find(([key]) => key.startsWith("cardwright export"))![1] as string,
    ) as object,
  }));
  assert.match(played.hash ?? "", /^[0-9a-f]{16}$/);
  if (process.env.PLAYED) writeFileSync(process.env.PLAYED, JSON.stringify(played));
});
