// Animates moves: cards fly one after another from their old to their new positions, and cards taken from the middle
// remain visible for a moment. The page always shows the newest state; animations never delay it, and any input ends
// them.
import type { Look } from "./look";
import type { Description, News, Things, ZoneThing } from "./protocol";

// A card that has left the middle and remains visible for a moment.
export interface Ghost {
  zone: number;
  seat: number | null; // the seat that it lay before
  print: number | null;
}

type Laid = ReadonlyMap<number, readonly { print: number | null; seat: number }[]>;

// True for open zones of the table and open slots before players, which form one group: a trick is taken as a whole.
function is_middle(zone: number, description: Description, look: Look): boolean {
  const info = description.zones[zone];
  if (
    !info ||
    look.zone(info.name).hidden ||
    info.sees.length < description.players ||
    info.up !== null ||
    info.board !== null
  )
    return false;
  return info.owner === null ? info.shape !== "pile" : info.shape === "slot" && info.copies === 1;
}

function in_the_middle(things: Things, laid: Laid, description: Description, look: Look): Ghost[] {
  const out: Ghost[] = [];
  description.zones.forEach((info, zone) => {
    const thing = things[`z${zone}`] as ZoneThing | undefined;
    if (!thing || !is_middle(zone, description, look)) return;
    const by = [...(laid.get(zone) ?? [])];
    for (const print of thing.cards) {
      const at = by.findIndex((card) => card.print === print);
      out.push({ zone, print, seat: info.owner ?? (at < 0 ? null : by.splice(at, 1)[0].seat) });
    }
  });
  return out;
}

// The cards that lay in the middle before two or more were taken and none remained, according to the news.
export function ghosts_of(
  before: Things,
  laid: Laid,
  news: readonly News[],
  description: Description,
  look: Look,
): Ghost[] {
  let lie = in_the_middle(before, laid, description, look);
  let full: Ghost[] = [];
  let ghosts: Ghost[] = [];
  for (const one of news) {
    if (one.k !== "move") continue;
    const out = is_middle(one.from, description, look),
      into = is_middle(one.to, description, look);
    if (out && !full.length) full = lie;
    for (const print of one.prints) {
      if (out) {
        const at = lie.findIndex((card) => card.zone === one.from && (card.print === print || print === null));
        lie = lie.filter((_, i) => i !== at);
      }
      if (into)
        lie = [
          ...lie,
          { zone: one.to, print, seat: description.zones[one.to].owner ?? description.zones[one.from].owner },
        ];
    }
    if (out && !into && !lie.length && full.length >= 2) ghosts = full;
    if (into || !lie.length) full = [];
  }
  return ghosts;
}

// ---- animation in the browser

interface Seen {
  zones: Map<string, DOMRect>;
  cards: Map<string, DOMRect[]>; // by zone and print
  seats: Map<string, DOMRect>;
}

const kMostTime = 1800; // maximum duration of all animations of a step, in milliseconds
const kCards = 28; // maximum number of flying cards; others appear at once

export class Flights {
  private seen: Seen | null = null;
  private busy = 0;
  private running = new Set<Animation>();
  private flyers = new Set<Element>();
  private readonly waiting = new Map<ReturnType<typeof setTimeout>, () => void>();

  constructor(
    private readonly root: HTMLElement,
    private readonly sky: HTMLElement,
  ) {}

  // Records positions before a change.
  look(): void {
    if (this.seen) return;
    const seen: Seen = { zones: new Map(), cards: new Map(), seats: new Map() };
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-zone]")) {
      const box = element.getBoundingClientRect();
      const { zone, print } = element.dataset;
      if (print === undefined) seen.zones.set(zone!, box);
      else seen.cards.set(`${zone}:${print}`, [...(seen.cards.get(`${zone}:${print}`) ?? []), box]);
    }
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-seat]"))
      seen.seats.set(element.dataset.seat!, element.getBoundingClientRect());
    this.seen = seen;
  }

  // Animates a change after drawing. `after` is called when taken cards have been visible long enough.
  fly(news: readonly News[], description: Description, pace: number, linger: number, after: () => void): void {
    const seen = this.seen;
    this.seen = null;
    if (!seen) return linger > 0 ? after() : undefined;
    const now = performance.now();
    let start = Math.max(now, this.busy);
    const hurry = Math.min(1, kMostTime / Math.max(1, news.filter((one) => one.k === "move").length * pace + linger));
    const used = new Set<Element>();
    let flown = 0,
      lingered = linger === 0,
      gone = start + linger;
    for (const one of news) {
      if (one.k !== "move") continue;
      if (!lingered && this.leaves_ghosts(one.from)) {
        start += linger * Math.max(hurry, 0.5);
        gone = start;
        lingered = true;
      }
      for (const print of one.prints.slice(0, Math.max(0, kCards - flown))) {
        this.one(one.from, one.to, print, seen, used, description, start - now, pace);
        ++flown;
        start += Math.min(60, pace / 6) * hurry;
      }
      start += pace * 0.7 * hurry;
    }
    this.busy = Math.min(start, now + kMostTime);
    if (linger === 0) return;
    const timer = setTimeout(() => {
      this.waiting.delete(timer);
      after();
    }, gone - now);
    this.waiting.set(timer, after);
  }

  // Ends all animations because of input.
  cut(): void {
    for (const animation of this.running) animation.finish();
    this.running.clear();
    for (const flyer of this.flyers) flyer.remove();
    this.flyers.clear();
    this.busy = 0;
    for (const [timer, after] of this.waiting) {
      clearTimeout(timer);
      after();
    }
    this.waiting.clear();
  }

  private leaves_ghosts(zone: number): boolean {
    return this.root.querySelector(`.ghost[data-zone="${zone}"]`) !== null;
  }

  private one(
    from: number,
    to: number,
    print: number | null,
    seen: Seen,
    used: Set<Element>,
    description: Description,
    delay: number,
    pace: number,
  ): void {
    const seat = (zone: number): string => String(description.zones[zone]?.owner ?? "");
    const source =
      (print === null ? undefined : seen.cards.get(`${from}:${print}`)?.shift()) ??
      seen.zones.get(String(from)) ??
      seen.seats.get(seat(from));
    const there = [
      ...this.root.querySelectorAll<HTMLElement>(`[data-zone="${to}"][data-print="${print ?? "none"}"]`),
    ].find((element) => !used.has(element));
    if (!source) return;
    if (there) {
      used.add(there);
      this.move(there, source, there.getBoundingClientRect(), delay, pace);
      return;
    }
    const place =
      this.root.querySelector<HTMLElement>(`[data-zone="${to}"]`) ??
      this.root.querySelector<HTMLElement>(`[data-seat="${seat(to)}"]`);
    if (place) this.send(print, source, place.getBoundingClientRect(), delay, pace);
  }

  private move(element: Element, from: DOMRect, to: DOMRect, delay: number, pace: number): Animation {
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
  private send(print: number | null, from: DOMRect, to: DOMRect, delay: number, pace: number): void {
    const like = print === null ? null : this.root.querySelector(`.card[data-print="${print}"]`);
    const flyer = like ? (like.cloneNode(true) as HTMLElement) : document.createElement("div");
    flyer.className = `${like ? like.className.replace(/\b(ghost|can|picked)\b/g, "") : "card back"} flyer`;
    flyer.removeAttribute("data-zone");
    flyer.removeAttribute("data-print");
    flyer.removeAttribute("data-target");
    flyer.setAttribute("aria-hidden", "true");
    this.sky.append(flyer);
    const box = flyer.getBoundingClientRect();
    flyer.style.left = `${to.left + to.width / 2 - box.width / 2}px`;
    flyer.style.top = `${to.top + to.height / 2 - box.height / 2}px`;
    this.flyers.add(flyer);
    const animation = this.move(flyer, from, to, delay, pace);
    flyer.style.opacity = "0";
    const appear = flyer.animate([{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], {
      duration: pace,
      delay,
    });
    this.running.add(appear);
    appear.onfinish = () => {
      this.running.delete(appear);
      this.flyers.delete(flyer);
      flyer.remove();
    };
    animation.oncancel = () => flyer.remove();
  }
}
