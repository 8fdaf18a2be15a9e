// Opens the bundled page in Debian's headless Chromium, with a simulated table that sends the messages of a fixture and
// records received commands.
import { existsSync, readFileSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import type { Command, Message } from "../protocol";
import type { Fixture } from "./fixtures";

const kBrowsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const kTypes: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
// The Content-Security-Policy of the server.
const kPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";

export const browserPath = kBrowsers.find(existsSync);
export const skip = browserPath ? false : "Chromium is not installed";

export interface OpenedPage {
  page: Page;
  commands: Command[]; // commands from the page
  pageErrors: string[]; // errors and console messages
  send(message: Message): void;
}

export interface Screen {
  width: number;
  height: number;
  dark?: boolean;
  touch?: boolean;
}

let browser: Browser | null = null;

export async function close(): Promise<void> {
  await browser?.close();
}

// Opens the page with the first messages of a fixture, by default with all of them.
export async function open(fixture: Fixture, screen: Screen, count = fixture.messages.length): Promise<OpenedPage> {
  browser ??= await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const context = await browser.newContext({
    viewport: { width: screen.width, height: screen.height },
    colorScheme: screen.dark ? "dark" : "light",
    reducedMotion: "reduce",
    hasTouch: screen.touch ?? false,
  });
  const page = await context.newPage();
  const opened: OpenedPage = { page, commands: [], pageErrors: [], send: () => undefined };
  page.on("console", (message) => opened.pageErrors.push(message.text()));
  page.on("pageerror", (error) => opened.pageErrors.push(String(error)));
  await page.route("http://table.test/**", async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.startsWith("/r/"))
      return route.fulfill({ contentType: "application/json", body: JSON.stringify(fixture.description) });
    const file = path === "/" ? "table.html" : path.slice(1);
    await route.fulfill({
      contentType: kTypes[file.split(".").pop()!],
      headers: { "content-security-policy": kPolicy },
      body: readFileSync(`${process.env.PAGES}/${file}`, "utf8"),
    });
  });
  await page.routeWebSocket(/\/table$/, (socket) => {
    opened.send = (message) => socket.send(JSON.stringify(message));
    socket.onMessage((text) => {
      const command = JSON.parse(String(text)) as Command;
      if (command.k === "ping") return opened.send({ k: "pong" });
      opened.commands.push(command);
      if (command.k === "hello") for (const message of fixture.messages.slice(0, count)) opened.send(message);
    });
  });
  await page.goto("http://table.test/#k=an-invitation");
  await page.waitForSelector(".question, .curtain");
  return opened;
}

// Waits for a command of this kind and returns those received.
export async function waitForCommand<K extends Command["k"]>(
  { page, commands }: OpenedPage,
  kind: K,
): Promise<Extract<Command, { k: K }>> {
  for (let i = 0; i < 100; ++i) {
    const found = commands.find((command) => command.k === kind);
    if (found) return found as Extract<Command, { k: K }>;
    await page.waitForTimeout(20);
  }
  throw new Error(`the page sent no command ${kind}`);
}
