// Animates moves: cards fly one after another from their old to their new positions, and cards that leave the middle
// remain visible for a moment. The page always shows the newest state: animations never delay it, and any input ends
// them.
import type { Theme } from "./theme";
import type { Description, News, Things, ZoneThing } from "./protocol";

// A card that has left the middle and remains visible for a moment.
export interface Ghost {
  zone: number;
  seat: number | null; // the seat that it was in front of
  print: number | null;
}

type CardOrigins = ReadonlyMap<number, readonly { print: number | null; seat: number }[]>;

// Returns true for open zones of the table and open slots in front of players. They form one group, because all cards
// of a trick are taken together.
function isMiddle(zone: number, description: Description, theme: Theme): boolean {
  const info = description.zones[zone];
  if (
    !info ||
    theme.zone(info.name).hidden ||
    info.sees.length < description.players ||
    info.up !== null ||
    info.board !== null
  )
    return false;
  return info.owner === null ? info.shape !== "pile" : info.shape === "slot" && info.copies === 1;
}

function cardsInMiddle(things: Things, origins: CardOrigins, description: Description, theme: Theme): Ghost[] {
  const out: Ghost[] = [];
  description.zones.forEach((info, zone) => {
    const thing = things[`z${zone}`] as ZoneThing | undefined;
    if (!thing || !isMiddle(zone, description, theme)) return;
    const remaining = [...(origins.get(zone) ?? [])];
    for (const print of thing.cards) {
      const at = remaining.findIndex((card) => card.print === print);
      out.push({ zone, print, seat: info.owner ?? (at < 0 ? null : remaining.splice(at, 1)[0].seat) });
    }
  });
  return out;
}

// Returns the cards that were in the middle before a move, if the news show that the move took two or more of them and
// left none.
export function ghostsOf(
  before: Things,
  origins: CardOrigins,
  news: readonly News[],
  description: Description,
  theme: Theme,
): Ghost[] {
  let current = cardsInMiddle(before, origins, description, theme);
  let complete: Ghost[] = [];
  let ghosts: Ghost[] = [];
  for (const one of news) {
    if (one.k !== "move") continue;
    const out = isMiddle(one.from, description, theme),
      into = isMiddle(one.to, description, theme);
    if (out && !complete.length) complete = current;
    for (const print of one.prints) {
      if (out) {
        const at = current.findIndex((card) => card.zone === one.from && (card.print === print || print === null));
        current = current.filter((_, i) => i !== at);
      }
      if (into)
        current = [
          ...current,
          { zone: one.to, print, seat: description.zones[one.to].owner ?? description.zones[one.from].owner },
        ];
    }
    if (out && !into && !current.length && complete.length >= 2) ghosts = complete;
    if (into || !current.length) complete = [];
  }
  return ghosts;
}

// ---- animation in the browser

interface Positions {
  zones: Map<string, DOMRect>;
  cards: Map<string, DOMRect[]>; // by zone and print
  seats: Map<string, DOMRect>;
}

const kMaxDuration = 1800; // maximum duration of all animations of a step, in milliseconds
const kMaxFlyingCards = 28; // maximum number of flying cards; others appear at once

export class CardAnimations {
  private positions: Positions | null = null;
  private busyUntil = 0;
  private running = new Set<Animation>();
  private copies = new Set<Element>();
  private readonly pendingTimers = new Map<ReturnType<typeof setTimeout>, () => void>();

  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
  ) {}

  // Records positions before a change.
  recordPositions(): void {
    if (this.positions) return;
    const positions: Positions = { zones: new Map(), cards: new Map(), seats: new Map() };
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-zone]")) {
      const box = element.getBoundingClientRect();
      const { zone, print } = element.dataset;
      if (print === undefined) positions.zones.set(zone!, box);
      else positions.cards.set(`${zone}:${print}`, [...(positions.cards.get(`${zone}:${print}`) ?? []), box]);
    }
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-seat]"))
      positions.seats.set(element.dataset.seat!, element.getBoundingClientRect());
    this.positions = positions;
  }

  // Animates a change after drawing. `after` is called when taken cards have been visible long enough.
  animate(news: readonly News[], description: Description, pace: number, linger: number, after: () => void): void {
    const positions = this.positions;
    this.positions = null;
    if (!positions) return linger > 0 ? after() : undefined;
    const now = performance.now();
    let start = Math.max(now, this.busyUntil);
    const speedUp = Math.min(
      1,
      kMaxDuration / Math.max(1, news.filter((one) => one.k === "move").length * pace + linger),
    );
    const usedElements = new Set<Element>();
    let started = 0,
      lingered = linger === 0,
      lingerEnd = start + linger;
    for (const one of news) {
      if (one.k !== "move") continue;
      if (!lingered && this.hasGhosts(one.from)) {
        start += linger * Math.max(speedUp, 0.5);
        lingerEnd = start;
        lingered = true;
      }
      for (const print of one.prints.slice(0, Math.max(0, kMaxFlyingCards - started))) {
        this.animateCard(one.from, one.to, print, positions, usedElements, description, start - now, pace);
        ++started;
        start += Math.min(60, pace / 6) * speedUp;
      }
      start += pace * 0.7 * speedUp;
    }
    this.busyUntil = Math.min(start, now + kMaxDuration);
    if (linger === 0) return;
    const timer = setTimeout(() => {
      this.pendingTimers.delete(timer);
      after();
    }, lingerEnd - now);
    this.pendingTimers.set(timer, after);
  }

  // Ends all animations because of input.
  finish(): void {
    for (const animation of this.running) animation.finish();
    this.running.clear();
    for (const copy of this.copies) copy.remove();
    this.copies.clear();
    this.busyUntil = 0;
    for (const [timer, after] of this.pendingTimers) {
      clearTimeout(timer);
      after();
    }
    this.pendingTimers.clear();
  }

  private hasGhosts(zone: number): boolean {
    return this.root.querySelector(`.ghost[data-zone="${zone}"]`) !== null;
  }

  private animateCard(
    from: number,
    to: number,
    print: number | null,
    positions: Positions,
    usedElements: Set<Element>,
    description: Description,
    delay: number,
    pace: number,
  ): void {
    const seat = (zone: number): string => String(description.zones[zone]?.owner ?? "");
    const source =
      (print === null ? undefined : positions.cards.get(`${from}:${print}`)?.shift()) ??
      positions.zones.get(String(from)) ??
      positions.seats.get(seat(from));
    const destination = [
      ...this.root.querySelectorAll<HTMLElement>(`[data-zone="${to}"][data-print="${print ?? "none"}"]`),
    ].find((element) => !usedElements.has(element));
    if (!source) return;
    if (destination) {
      usedElements.add(destination);
      this.slide(destination, source, destination.getBoundingClientRect(), delay, pace);
      return;
    }
    const fallback =
      this.root.querySelector<HTMLElement>(`[data-zone="${to}"]`) ??
      this.root.querySelector<HTMLElement>(`[data-seat="${seat(to)}"]`);
    if (fallback) this.slideCopy(print, source, fallback.getBoundingClientRect(), delay, pace);
  }

  private slide(element: Element, from: DOMRect, to: DOMRect, delay: number, pace: number): Animation {
    const x = from.left + from.width / 2 - to.left - to.width / 2,
      y = from.top + from.height / 2 - to.top - to.height / 2;
    const animation = element.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, zIndex: 30 },
        { transform: "none", zIndex: 30 },
      ],
      { duration: pace, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "backwards" },
    );
    this.running.add(animation);
    animation.onfinish = () => this.running.delete(animation);
    return animation;
  }

  // Animates a copy of a card that is not visible at its destination.
  private slideCopy(print: number | null, from: DOMRect, to: DOMRect, delay: number, pace: number): void {
    const original = print === null ? null : this.root.querySelector(`.card[data-print="${print}"]`);
    const copy = original ? (original.cloneNode(true) as HTMLElement) : document.createElement("div");
    copy.className = `${original ? original.className.replace(/\b(ghost|can|picked)\b/g, "") : "card back"} flyer`;
    copy.removeAttribute("data-zone");
    copy.removeAttribute("data-print");
    copy.removeAttribute("data-target");
    copy.setAttribute("aria-hidden", "true");
    this.layer.append(copy);
    const box = copy.getBoundingClientRect();
    copy.style.left = `${to.left + to.width / 2 - box.width / 2}px`;
    copy.style.top = `${to.top + to.height / 2 - box.height / 2}px`;
    this.copies.add(copy);
    const animation = this.slide(copy, from, to, delay, pace);
    copy.style.opacity = "0";
    const fade = copy.animate([{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], {
      duration: pace,
      delay,
    });
    this.running.add(fade);
    fade.onfinish = () => {
      this.running.delete(fade);
      this.copies.delete(copy);
      copy.remove();
    };
    animation.oncancel = () => copy.remove();
  }
}
