// Holds the model (model.ts) and the state of the user interface: the current observer, picks and open panels. Parts
// read it and call its functions; every change redraws the page.
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

// The state of the user interface.
export interface Doing {
  looking: Observer; // the current observer
  curtain: boolean; // waiting for another person to take the device
  picks: Target[];
  marked: Target[]; // picks confirmed earlier for the same set
  confirm: Option | null;
  panel: Panel;
  as_text: boolean;
  listed: boolean; // show all options as buttons, even those with targets
  large: number | null; // the print that is shown enlarged
  asked_back: boolean; // an earlier state of the table was requested
  order: ReadonlyMap<number, readonly number[]>;
  unfolded: ReadonlySet<number>; // unfolded zones
  ghosts: readonly Ghost[];
  used: ReadonlySet<number>; // zones in which options have named a card
  standing: boolean; // pass automatically until the own turn
}

// The news of a step, for animations.
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

// The data that parts need for drawing.
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
  mine: boolean; // the observer is a seat of this device
}

export class Store {
  model: Model = kEmpty;
  doing: Doing = kNothing;
  settings: Settings = load_settings();
  arrivals: Arrival[] = []; // since the last animation
  private look: Look | null = null;
  private worded = new WeakMap<Question, Question>(); // questions as received, mapped to questions as displayed
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
  // Registers a callback that runs before things move, to record positions.
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
    // before the game starts, nothing is visible
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

  // Picks of a set stay marked until the set is complete and the table continues.
  private unmark(): void {
    const { looking, marked } = this.doing;
    if (marked.length && (looking === null || !this.model.questions.has(looking)))
      this.doing = { ...this.doing, marked: [] };
  }

  // Keeps cards that have left the middle visible for a moment.
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

  // Resets picks, order and unfolded zones, since their numbers have a new meaning under new rules.
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
      if (hash !== this.model.hash) return; // the rules have changed again
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

  // Chooses the first own seat as the observer, and later keeps it if it still exists.
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

  // In a race, options change with every event; picks stay valid while some option matches them.
  private still_meant(): boolean {
    const shown = this.shown();
    return !this.doing.picks.length || (shown !== null && shown.narrowed.options.length > 0);
  }

  // On a shared device, asks to hand it to the next person with a question.
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
    this.model = { ...this.model, notice: { text: "not connected; your choice was not sent", at: this.clock() } };
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
    const marked = shown ? [...this.doing.marked, ...narrow([option], [], shown.layout).next.keys()] : []; // until the set is complete
    if (question.race) this.send({ k: "act", seat: question.seat, id: option.id });
    else if (this.transport.send({ k: "choose", seat: question.seat, q: question.q, id: option.id }))
      this.model = sent(this.model, question.seat, option.id);
    else this.model = { ...this.model, notice: { text: "not connected; your choice was not sent", at: this.clock() } };
    this.set({ picks: [], confirm: null, marked, large: null });
  }

  // Handles a click on a thing on the table, or a drop on it after a drag from a picked thing.
  point(at: Target, sure = false): void {
    const shown = this.shown();
    if (!shown || shown.past) return;
    const { question, layout, doing } = shown;
    if (!question || question.sent !== null) return;
    const picked = point(question.options, doing.picks, at, layout);
    if (picked.kind === "not offered") return this.why(at, shown);
    if (picked.kind !== "taken") return this.set({ picks: picked.picks, confirm: null });
    const pick = this.model.description?.actions[picked.option.action]?.kind === "pick"; // which ends only with `done`
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
