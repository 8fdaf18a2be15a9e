// Simulates a person at a page in a real browser: reads the offered targets, clicks them, and records errors of the
// page.
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { browserPath } from "./program";

export interface Screen {
  width: number;
  height: number;
  dark?: boolean;
}

export const kDesktop: Screen = { width: 1280, height: 800 };
export const kPhone: Screen = { width: 360, height: 740 };

let browser: Browser | null = null;

export async function close(): Promise<void> {
  await browser?.close();
}

export interface Person {
  page: Page;
  context: BrowserContext;
  pageErrors: string[]; // console messages and errors
  random: () => number; // from 0 to 1, the same in every run
}

// Returns a pseudorandom number generator (mulberry32).
function seededRandom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function person(screen: Screen, seed = 1): Promise<Person> {
  browser ??= await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const context = await browser.newContext({
    viewport: { width: screen.width, height: screen.height },
    colorScheme: screen.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const pageErrors: string[] = [];
  page.on("console", (message) => pageErrors.push(message.text()));
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  return { page, context, pageErrors, random: seededRandom(seed) };
}

// Opens a link, also when a page of the same server is open.
export async function openPage({ page }: Person, link: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector(".table");
}

export async function sit(link: string, screen = kDesktop, seed = 1): Promise<Person> {
  const one = await person(screen, seed);
  await openPage(one, link);
  return one;
}

// The options of a page. `flow` is true if the question belongs to the person's own turn, and false for a reaction.
export type Offered =
  | { k: "over" }
  | { k: "waiting" }
  | { k: "hidden"; what: string[] } // offered, but not clickable anywhere
  | { k: "click"; x: number; y: number; what: string; flow: boolean; pass: boolean; onBoard: boolean };

export interface Preferences {
  random: number; // from 0 to 1
  likes?: string; // a selector of preferred targets
  text?: string; // otherwise, the text of a preferred target
  passes?: boolean; // false: pass only if there is no other option
}

// Runs inside the page.
function findOffer({ random, likes, text, passes }: Preferences): Offered {
  if (document.querySelector(".end")) return { k: "over" };
  const question = document.querySelector(".question.mine");
  const sure = document.querySelector(".curtain [data-confirm], .question [data-confirm]");
  if (!sure && !question) return { k: "waiting" };
  let offered = sure
    ? [sure]
    : [
        ...document.querySelectorAll(
          ".question .option[data-option], .question .slider .option, .can[data-target]:not(.picked)",
        ),
      ];
  const preferred = likes ? offered.filter((one) => one.matches(likes)) : [];
  const matching = text ? offered.filter((one) => one.textContent.includes(text)) : [];
  if (preferred.length) offered = preferred;
  else if (matching.length) offered = matching;
  const others = offered.filter((one) => !one.matches(".pass"));
  if (passes === false && others.length) offered = others;
  const from = Math.floor(random * offered.length);
  const tried = [...offered.slice(from), ...offered.slice(0, from)];
  const hidden: string[] = [];
  for (const one of tried) {
    const at = pointOf(one);
    const what = (one.getAttribute("aria-label") || one.textContent || "").trim();
    if (!at) hidden.push(what);
    else
      return {
        k: "click",
        x: at[0],
        y: at[1],
        what,
        flow: question?.querySelector(".asked b")?.textContent === "Your turn",
        pass: one.matches(".pass"),
        onBoard: one.closest("svg") !== null,
      };
  }
  return hidden.length ? { k: "hidden", what: hidden } : { k: "waiting" };

  // Returns a point of the element that no other element covers.
  function pointOf(one: Element): [number, number] | null {
    for (const scrolled of [false, true]) {
      if (scrolled) one.scrollIntoView({ block: "center", inline: "center" });
      const box = one.getBoundingClientRect();
      for (const [u, v] of [
        [0.5, 0.5],
        ...[0.08, 0.25, 0.4, 0.6, 0.75, 0.92].flatMap((x) => [0.5, 0.2, 0.8, 0.08, 0.92].map((y) => [x, y])),
      ]) {
        const x = box.left + u * box.width,
          y = box.top + v * box.height;
        if (document.elementFromPoint(x, y)?.closest("[data-target], button") === one) return [x, y];
      }
    }
    return null;
  }
}

export const offered = ({ page, random }: Person, preferences: Partial<Preferences> = {}): Promise<Offered> =>
  page.evaluate(findOffer, { random: random(), ...preferences });

// Clicks offered targets while `shouldContinue` returns true. Returns the number of clicks; throws if nothing can be
// clicked for too long.
export async function play(
  one: Person,
  shouldContinue: (clicked: number, now: Offered) => boolean | Promise<boolean>,
  preferences: Partial<Preferences> = {},
): Promise<number> {
  let clicked = 0,
    idle = Date.now();
  while (true) {
    const now = await offered(one, preferences);
    if (!(await shouldContinue(clicked, now)) || now.k === "over") return clicked;
    if (now.k === "click") {
      await one.page.mouse.click(now.x, now.y);
      ++clicked;
      idle = Date.now();
    } else if (Date.now() - idle > 30_000) {
      const shown = await one.page.evaluate(
        () => document.querySelector(".question")?.outerHTML ?? document.body.innerText,
      );
      throw new Error(`no click is possible: ${JSON.stringify(now)}; ${shown}`);
    }
    await one.page.waitForTimeout(now.k === "click" ? 10 : 25);
  }
}

export const playToEnd = (one: Person, preferences: Partial<Preferences> = {}): Promise<number> =>
  play(one, () => true, preferences);

const kRoles = [
  "button",
  "link",
  "textbox",
  "checkbox",
  "slider",
  "combobox",
  "radio",
  "switch",
  "option",
  "DisclosureTriangle",
];

interface Node {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
}

// Returns the elements without an accessible name, and the targets that are missing from the accessibility tree.
export async function unnamedElements({ page, context }: Person): Promise<string[]> {
  const session = await context.newCDPSession(page);
  const pickable = await page.evaluate(
    () => [...document.querySelectorAll(".can[data-target]")].filter((one) => one.getClientRects().length > 0).length,
  );
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
  await session.detach();
  const named = nodes.filter((node) => !node.ignored && kRoles.includes(node.role?.value ?? ""));
  const announced = named.filter((node) => node.name?.value.includes("can be picked")).length;
  const out = named.filter((node) => !node.name?.value.trim()).map((node) => `a ${node.role!.value} without a name`);
  return announced < pickable ? [...out, `${pickable} can be picked, but ${announced} are announced`] : out;
}

export const overflowWidth = ({ page }: Person): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// Waits until the page satisfies a condition; fails with the page's text otherwise.
export async function waitUntil({ page }: Person, what: string, fulfilled: () => boolean): Promise<void> {
  try {
    await page.waitForFunction(fulfilled, undefined, { timeout: 20_000 });
  } catch {
    throw new Error(`timeout: ${what}; text of the page: ${await page.evaluate(() => document.body.innerText)}`);
  }
}
