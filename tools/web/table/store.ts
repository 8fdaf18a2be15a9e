// Holds what is known (model.ts) and what somebody is doing at this page: whose eyes, what is picked, what is open.
// Parts read it and call its functions; every change draws anew.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { of_mine } from "./asking";
import { ghosts_of, type Ghost } from "./flights";
import { arrange, type Layout } from "./layout";
import type { Target } from "./targets";
import { Look } from "./look";
import {
  kEmpty,
  kUnseen,
  laid,
  next_asked,
  receive,
  sent,
  steps_of,
  type Model,
  type Observer,
  type Question,
  type Sight,
} from "./model";
import { named, narrow, point, type Narrowed } from "./picking";
import type { Command, Description, Message, News, Option } from "./protocol";
import { load_settings, save_settings, still, type Settings } from "./settings";
import type { Link, Transport } from "./transport";

export type Panel = "log" | "people" | "settings" | "rules" | "design" | null;

// What is open and picked on this page.
export interface Doing {
  looking: Observer; // whose eyes
  curtain: boolean; // another person is to take the device
  picks: Target[];
  marked: Target[]; // of a set that is picked one by one: picked before
  confirm: Option | null;
  panel: Panel;
  as_text: boolean;
  listed: boolean; // all options as buttons, also those that can be pointed at
  large: number | null; // the print that is shown large
  asked_back: boolean; // the table as it was was asked for
  order: ReadonlyMap<number, readonly number[]>;
  unfolded: ReadonlySet<number>; // zones
  ghosts: readonly Ghost[];
  used: ReadonlySet<number>; // zones of which options ever named a card
  standing: boolean; // passes until I am asked at my own turn
}

// What a step brought, for those who show how it came about.
export interface Arrival {
  at: number;
  seat: Observer;
  news: News[];
  ghosts: Ghost[];
}

const kNothing: Doing = {
  looking: null,
  curtain: false,
  picks: [],
  marked: [],
  confirm: null,
  panel: null,
  as_text: false,
  listed: false,
  large: null,
  asked_back: false,
  order: new Map(),
  unfolded: new Set(),
  ghosts: [],
  used: new Set(),
  standing: false,
};

// What is drawn: all that parts need.
export interface Shown {
  model: Model;
  doing: Doing;
  settings: Settings;
  description: Description;
  look: Look;
  sight: Sight;
  layout: Layout;
  question: Question | null;
  narrowed: Narrowed;
  past: boolean;
  mine: boolean; // these eyes are those of a seat
}

export class Store {
  model: Model = kEmpty;
  doing: Doing = kNothing;
  settings: Settings = load_settings();
  arrivals: Arrival[] = []; // since they were last shown
  private look: Look | null = null;
  private worded = new WeakMap<Question, Question>(); // as it was asked, and as it is shown
  private readonly watchers = new Set<() => void>();
  private readonly before = new Set<() => void>();

  constructor(
    readonly transport: Transport,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  start(): void {
    this.transport.start({
      link: (link, because) => this.linked(link, because),
      message: (message) => this.hear(message),
      seen: () => ({ steps: steps_of(this.model), run: this.model.run ?? undefined }),
    });
  }

  // ---- drawing

  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }
  // Called before something moves, to see where it was.
  watch_before(call: () => void): () => void {
    this.before.add(call);
    return () => this.before.delete(call);
  }
  private draw(): void {
    for (const changed of this.watchers) changed();
  }
  set(doing: Partial<Doing>): void {
    this.doing = { ...this.doing, ...doing };
    this.draw();
  }
  prefer(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    save_settings(this.settings);
    this.draw();
  }

  shown(): Shown | null {
    const { model, doing } = this;
    // before the game begins there is nothing to be seen
    const sight = model.sights.get(doing.looking) ?? (model.welcome && !model.started ? kUnseen : undefined);
    const description = model.description;
    if (!description || !this.look || !sight) return null;
    const past = doing.asked_back && model.past?.seat === doing.looking ? model.past : null;
    const asked = doing.looking === null ? null : (model.questions.get(doing.looking) ?? null);
    const question = asked && this.in_my_words(asked, description);
    const options = !question || past || question.sent !== null ? [] : question.options;
    const opened = model.over?.open && !past ? model.over.open : null;
    const log = past ? past.news.map((news, i) => ({ at: i, step: past.step, news })) : sight.log;
    const layout = arrange({
      description,
      look: this.look,
      me: doing.looking,
      named: named(options),
      order: doing.order,
      things: past?.things ?? opened ?? sight.things,
      last_move: past ? null : { before: sight.before, after: sight.things },
      laid: laid(log, description),
    });
    const narrowed = narrow(options, doing.picks, layout);
    return {
      model,
      doing,
      settings: this.settings,
      description,
      look: this.look,
      sight,
      layout,
      narrowed,
      past: past !== null,
      question: past ? null : question,
      mine: doing.looking !== null,
    };
  }

  private in_my_words(question: Question, description: Description): Question {
    const known = this.worded.get(question);
    if (known) return known;
    const options = question.options.map((option) => of_mine(option, question.seat, description));
    const out = { ...question, options };
    this.worded.set(question, out);
    return out;
  }

  // ---- messages

  private linked(link: Link, because = ""): void {
    this.model = { ...this.model, link, because: because || this.model.because };
    this.draw();
  }

  hear(message: Message): void {
    if (message.k === "step" && message.seat === this.doing.looking) this.arrived(message.seat, message.news);
    const before = this.model;
    this.model = receive(before, message, this.clock());
    if (this.model.hash !== before.hash) this.other_rules();
    if (message.k === "welcome" || this.model.hash !== before.hash) void this.describe();
    if (message.k === "ask") this.was_asked(before, message.seat);
    if (message.k === "step" || message.k === "over") this.unmark();
    if (message.k === "view" || message.k === "welcome") this.choose_eyes();
    this.draw();
  }

  // What was picked of a set is marked until all of it is, and the table goes on.
  private unmark(): void {
    const { looking, marked } = this.doing;
    if (marked.length && (looking === null || !this.model.questions.has(looking)))
      this.doing = { ...this.doing, marked: [] };
  }

  // The cards in the middle are gone: they are seen a little longer.
  private arrived(seat: Observer, news: News[]): void {
    for (const call of this.before) call();
    const sight = this.model.sights.get(seat),
      description = this.model.description;
    const ghosts =
      sight && description && this.look
        ? ghosts_of(sight.things, laid(sight.log, description), news, description, this.look)
        : [];
    if (still(this.settings) || document.hidden) return;
    this.arrivals.push({ at: this.clock(), seat, news, ghosts });
    if (ghosts.length) this.doing = { ...this.doing, ghosts };
  }

  // What was picked, sorted and unfolded was so by numbers of things that are others now.
  private other_rules(): void {
    const { looking, curtain, panel, as_text } = this.doing;
    this.doing = { ...kNothing, looking, curtain, panel, as_text };
    this.arrivals = [];
    this.look = null;
  }

  private async describe(): Promise<void> {
    const { hash } = this.model;
    if (!hash || this.model.description) return;
    try {
      const description = await this.transport.describe(hash);
      if (hash !== this.model.hash) return; // there are other rules since
      this.look = new Look(description);
      this.model = { ...this.model, description };
    } catch (error) {
      if (hash !== this.model.hash) return;
      this.model = {
        ...this.model,
        notice: { text: String(error instanceof Error ? error.message : error), at: this.clock() },
      };
    }
    this.draw();
  }

  // At first those of my first seat; later those that there still are.
  private choose_eyes(): void {
    const seats = this.model.welcome?.you.seats ?? [];
    const { looking } = this.doing;
    if (looking !== null && seats.includes(looking)) return;
    this.doing = { ...this.doing, looking: seats.length ? seats[0] : null, curtain: this.shares_device() };
    this.turn_over();
  }

  shares_device(): boolean {
    return (this.model.welcome?.you.seats.length ?? 0) > 1 && !this.model.welcome?.settings.design;
  }

  private was_asked(before: Model, seat: number): void {
    const old = before.questions.get(seat),
      question = this.model.questions.get(seat)!;
    const zones = question.options.flatMap((option) => option.parts.flatMap((part) => part.zones ?? []));
    if (zones.some((zone) => !this.doing.used.has(zone)))
      this.doing = { ...this.doing, used: new Set([...this.doing.used, ...zones]) };
    const goes_on = question.race && old?.race && this.still_meant();
    if (seat === this.doing.looking && old?.q !== question.q && !goes_on)
      this.doing = {
        ...this.doing,
        picks: [],
        confirm: null,
        listed: false,
        marked: question.picked > 0 ? this.doing.marked : [],
      };
    this.turn_over();
    if (this.doing.standing && seat === this.doing.looking) this.pass_on(question);
  }

  // In a race what may be begun is told anew with all that happens: what is picked stays picked while it can be meant.
  private still_meant(): boolean {
    const shown = this.shown();
    return !this.doing.picks.length || (shown !== null && shown.narrowed.options.length > 0);
  }

  // Where several people share the device, it is handed to who is asked next.
  private turn_over(): void {
    if ((this.model.welcome?.you.seats.length ?? 0) < 2) return;
    const next = next_asked(this.model, this.doing.looking);
    if (next === this.doing.looking) return;
    this.doing = {
      ...this.doing,
      looking: next,
      curtain: this.shares_device(),
      picks: [],
      marked: [],
      confirm: null,
      large: null,
      asked_back: false,
    };
  }

  look_through(seat: Observer): void {
    this.set({ looking: seat, curtain: false, picks: [], marked: [], confirm: null, asked_back: false });
  }

  // ---- answers

  send(command: Command): void {
    if (this.transport.send(command)) return;
    this.model = { ...this.model, notice: { text: "not connected just now; it was not sent", at: this.clock() } };
    this.draw();
  }

  is_pass(option: Option): boolean {
    return this.model.description?.actions[option.action]?.kind === "pass";
  }

  private pass_on(question: Question): void {
    if (question.flow) this.doing = { ...this.doing, standing: false };
    else {
      const pass = question.options.find((option) => this.is_pass(option));
      if (pass) this.take(pass);
    }
  }

  take(option: Option): void {
    const shown = this.shown();
    const question = this.doing.looking === null ? undefined : this.model.questions.get(this.doing.looking);
    if (!question || question.sent !== null) return;
    const marked = shown ? [...this.doing.marked, ...narrow([option], [], shown.layout).next.keys()] : []; // until nothing is being picked
    if (question.race) this.send({ k: "act", seat: question.seat, id: option.id });
    else if (this.transport.send({ k: "choose", seat: question.seat, q: question.q, id: option.id }))
      this.model = sent(this.model, question.seat, option.id);
    else this.model = { ...this.model, notice: { text: "not connected just now; it was not sent", at: this.clock() } };
    this.set({ picks: [], confirm: null, marked, large: null });
  }

  // Somebody points at a thing on the table; dragged from another one, that was pointed at before.
  point(at: Target, sure = false): void {
    const shown = this.shown();
    if (!shown || shown.past) return;
    const { question, layout, doing } = shown;
    if (!question || question.sent !== null) return;
    const picked = point(question.options, doing.picks, at, layout);
    if (picked.kind === "not offered") return this.why(at, shown);
    if (picked.kind !== "taken") return this.set({ picks: picked.picks, confirm: null });
    const pick = this.model.description?.actions[picked.option.action]?.kind === "pick"; // which is complete only when it is done
    if (this.settings.confirm && !sure && !question.race && !pick)
      return this.set({ picks: [...doing.picks, at], confirm: picked.option });
    this.take(picked.option);
  }

  why(at: Target, shown: Shown): void {
    const [kind, first, second] = at.split(":");
    const seat = this.doing.looking;
    if (seat === null) return;
    const { description } = shown;
    if (kind === "c") return this.send({ k: "why", seat, print: Number(second) });
    if (kind === "k")
      return this.send({ k: "why", seat, what: description.boards[Number(first)].cells[Number(second)] });
    if (kind === "e")
      return this.send({ k: "why", seat, what: description.boards[Number(first)].edges?.[Number(second)]?.name ?? "" });
  }

  // ---- time

  see(step: number): void {
    const sight = this.model.sights.get(this.doing.looking);
    if (!sight) return;
    if (step >= sight.step || step < 1) return this.now();
    this.doing = { ...this.doing, asked_back: true, picks: [], confirm: null };
    this.send({ k: "at", seat: this.doing.looking, step });
  }
  now(): void {
    this.model = { ...this.model, past: null };
    this.set({ asked_back: false });
  }
  by_steps(n: number): void {
    const sight = this.model.sights.get(this.doing.looking);
    const past = this.doing.asked_back ? this.model.past : null;
    if (sight) this.see(Math.max(1, (past?.step ?? sight.step) + n));
  }
}

export const TableContext = createContext<{ store: Store; shown: Shown } | null>(null);

export function useTable(): { store: Store; shown: Shown } {
  return useContext(TableContext)!;
}
