// Takes screenshots of tables after some choices, on a desktop and on a phone: pictures.mjs <folder> [games].
import { mkdirSync, statSync } from "node:fs";
import { close, openPage, person, play } from "./person";
import { cleanUp, games, serve } from "./program";

const [folder, ...requested] = process.argv.slice(2);
const kChoices = 12; // own choices, unless the game ends earlier
const kChoicesByGame: Record<string, number> = {
  blackjack: 0,
  kuhn_poker: 0,
  leduc_poker: 1,
  liars_dice: 0,
  tic_tac_toe: 2,
  connect_four: 8,
  hearts: 6,
  oh_hell: 4,
  crazy_eights: 6,
  goofspiel: 6,
  quickshot: 6,
  splash: 9,
};
const kTimeLimit = 30_000; // time limit for the choices of one game, in milliseconds
const kSizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const kMaxSize = 120_000; // maximum size of a screenshot in bytes

mkdirSync(folder, { recursive: true });
const names = requested.length ? requested : games();
const server = await serve(names, ["--start", "--seed", "2"]);
let totalSize = 0;
for (const [i, { host }] of server.tables.entries()) {
  const name = names[i],
    me = await person(kSizes[0], i),
    deadline = Date.now() + kTimeLimit;
  await openPage(me, host);
  const choiceCount = kChoicesByGame[name] ?? kChoices;
  // Play until the next question.
  await play(me, (clicked, now) => Date.now() < deadline && (clicked < choiceCount || now.k === "waiting"), {
    passes: false,
  });
  for (const size of kSizes) {
    await me.page.setViewportSize(size);
    await me.page.mouse.move(1, 1);
    await me.page.evaluate(() => scrollTo(0, 0));
    await me.page.waitForTimeout(300);
    await me.page.evaluate(() => document.querySelector<HTMLElement>(".notice [aria-label=close]")?.click()); // notices of late clicks
    const path = `${folder}/${name}-${size.width}.jpg`;
    for (let quality = 70; quality >= 40; quality -= 10) {
      await me.page.screenshot({ path, type: "jpeg", quality });
      if (statSync(path).size <= kMaxSize) break;
    }
    totalSize += statSync(path).size;
    console.log(
      `${path}: ${Math.round(statSync(path).size / 1000)} kB${me.pageErrors.length ? `; ${me.pageErrors.join("; ")}` : ""}`,
    );
  }
  await me.context.close();
}
console.log(`${Math.round(totalSize / 1000)} kB in all`);
await close();
await server.end("SIGINT");
cleanUp();
