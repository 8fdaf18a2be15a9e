// Moves before one's eyes: cards fly from where they were to where they are now, one after the other, and what was
// taken from the middle lies there a little longer. What is shown is always the newest; flights only cover how it came
// about, delay nothing, and end at once when somebody does something.
import type { Look } from "./look";
import type { Description, News, Things, ZoneThing } from "./protocol";

// A card that is gone from the middle, and is shown a little longer.
export interface Ghost {
  zone: number;
  seat: number | null; // before whom it lay
  print: number | null;
}

type Laid = ReadonlyMap<number, readonly { print: number | null; seat: number }[]>;

// Cards in open zones of the table, and in open slots before players: they are one group, a trick is taken up as a
// whole.
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

// What lay in the middle before two or more cards were taken from there and nothing stayed, as the news tell it.
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

// ---- in the browser

interface Seen {
  zones: Map<string, DOMRect>;
  cards: Map<string, DOMRect[]>; // by zone and print
  seats: Map<string, DOMRect>;
}

const kMost = 1800; // milliseconds that all flights of what just happened may take
const kCards = 28; // that fly at a time; more are there at once

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

  // Where everything is now, before it moves.
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

  // The table has been drawn as it is now. `after`: what was taken from the middle was shown long enough.
  fly(news: readonly News[], description: Description, pace: number, linger: number, after: () => void): void {
    const seen = this.seen;
    this.seen = null;
    if (!seen) return linger > 0 ? after() : undefined;
    const now = performance.now();
    let start = Math.max(now, this.busy);
    const hurry = Math.min(1, kMost / Math.max(1, news.filter((one) => one.k === "move").length * pace + linger));
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
    this.busy = Math.min(start, now + kMost);
    if (linger === 0) return;
    const timer = setTimeout(() => {
      this.waiting.delete(timer);
      after();
    }, gone - now);
    this.waiting.set(timer, after);
  }

  // Somebody does something: all is where it belongs.
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

  // A card that isn't to be seen where it goes: its picture flies.
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
