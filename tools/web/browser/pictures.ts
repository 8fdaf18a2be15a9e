// Takes screenshots of tables after some choices, on a desktop and on a phone: pictures.mjs <folder> [games].
import { mkdirSync, statSync } from "node:fs";
import { close, come, person, play } from "./person";
import { clean_up, games, serve } from "./program";

const [folder, ...wished] = process.argv.slice(2);
const kChoices = 12; // own choices, unless the game ends earlier
const kFew: Record<string, number> = {
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
const kLong = 30_000; // time limit for the choices of one game, in milliseconds
const kSizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const kMost = 120_000; // maximum size of a screenshot in bytes

mkdirSync(folder, { recursive: true });
const names = wished.length ? wished : games();
const server = await serve(names, ["--start", "--seed", "2"]);
let all = 0;
for (const [i, { host }] of server.tables.entries()) {
  const name = names[i],
    me = await person(kSizes[0], i),
    late = Date.now() + kLong;
  await come(me, host);
  const wanted = kFew[name] ?? kChoices;
  // until the next question
  await play(me, (clicked, now) => Date.now() < late && (clicked < wanted || now.k === "waiting"), { passes: false });
  for (const size of kSizes) {
    await me.page.setViewportSize(size);
    await me.page.mouse.move(1, 1);
    await me.page.evaluate(() => scrollTo(0, 0));
    await me.page.waitForTimeout(300);
    await me.page.evaluate(() => document.querySelector<HTMLElement>(".notice [aria-label=close]")?.click()); // notices of late clicks
    const path = `${folder}/${name}-${size.width}.jpg`;
    for (let quality = 70; quality >= 40; quality -= 10) {
      await me.page.screenshot({ path, type: "jpeg", quality });
      if (statSync(path).size <= kMost) break;
    }
    all += statSync(path).size;
    console.log(
      `${path}: ${Math.round(statSync(path).size / 1000)} kB${me.complaints.length ? `; ${me.complaints.join("; ")}` : ""}`,
    );
  }
  await me.context.close();
}
console.log(`${Math.round(all / 1000)} kB in all`);
await close();
await server.end("SIGINT");
clean_up();
