// Stores the model (model.ts) and the state of the user interface: the current observer, picks and open panels. The
// modules in parts/ read this state and call the functions of the store. Every change redraws the page.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { withoutOwnSeat } from "./question_text";
import { ghostsOf, type Ghost } from "./animations";
import { arrange, type Layout } from "./layout";
import type { Target } from "./targets";
import { Theme } from "./theme";
import {
  kEmptyModel,
  kNothingObserved,
  cardOrigins,
  nextSeatWithQuestion,
  receive,
  markSent,
  receivedSteps,
  type Model,
  type Observer,
  type Question,
  type ObservedState,
} from "./model";
import { namedTargets, narrow, pickTarget, type Narrowed } from "./picking";
import type { Command, Description, Message, News, Option, Over } from "./protocol";
import { loadOrder, loadSettings, reducesMotion, saveOrder, saveSettings, type Settings } from "./settings";
import type { Link, Transport } from "./transport";

export type Panel = "log" | "people" | "settings" | "rules" | "design" | null;

// The state of the user interface.
export interface UiState {
  observer: Observer; // the current observer
  curtain: boolean; // waiting for another person to take the device
  picks: Target[];
  lifted: Target[] | null; // during a drag: the picks before it
  marked: Target[]; // picks confirmed earlier for the same set
  confirm: Option | null;
  panel: Panel;
  asText: boolean;
  listsAll: boolean; // show all options as buttons, even those with targets
  enlarged: number | null; // the print that is shown enlarged
  showsPast: boolean; // an earlier state of the table was requested
  order: ReadonlyMap<number, readonly number[]>;
  unfolded: ReadonlySet<number>; // unfolded zones
  ghosts: readonly Ghost[];
  usedZones: ReadonlySet<number>; // zones in which options have named a card
  autoPass: boolean; // pass automatically until the own turn
  closedEnd: Over | null; // the result that the person has closed to see the table
}

// The news of a step, for animations.
export interface Arrival {
  at: number;
  seat: Observer;
  news: News[];
  ghosts: Ghost[];
}

const kInitialState: UiState = {
  observer: null,
  curtain: false,
  picks: [],
  lifted: null,
  marked: [],
  confirm: null,
  panel: null,
  asText: false,
  listsAll: false,
  enlarged: null,
  showsPast: false,
  order: new Map(),
  unfolded: new Set(),
  ghosts: [],
  usedZones: new Set(),
  autoPass: false,
  closedEnd: null,
};

// The data that parts need for drawing.
export interface PageState {
  model: Model;
  ui: UiState;
  settings: Settings;
  description: Description;
  theme: Theme;
  observed: ObservedState;
  layout: Layout;
  question: Question | null;
  narrowed: Narrowed;
  past: boolean;
  mine: boolean; // the observer is a seat of this device
}

export class Store {
  model: Model = kEmptyModel;
  ui: UiState = kInitialState;
  settings: Settings = loadSettings();
  arrivals: Arrival[] = []; // since the last animation
  private theme: Theme | null = null;
  // Maps questions as received to questions as displayed.
  private displayedQuestions = new WeakMap<Question, Question>();
  private readonly watchers = new Set<() => void>();
  private readonly beforeChange = new Set<() => void>();

  constructor(
    readonly transport: Transport,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  start(): void {
    this.transport.start({
      link: (link, reason) => this.linkChanged(link, reason),
      message: (message) => this.receive(message),
      resumePoint: () => ({ steps: receivedSteps(this.model), run: this.model.run ?? undefined }),
    });
  }

  // ---- drawing

  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }
  // Registers a callback that runs before things move, to record positions.
  watchBefore(call: () => void): () => void {
    this.beforeChange.add(call);
    return () => this.beforeChange.delete(call);
  }
  private draw(): void {
    for (const changed of this.watchers) changed();
  }
  set(ui: Partial<UiState>): void {
    this.ui = { ...this.ui, ...ui };
    this.draw();
  }
  changeSettings(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    saveSettings(this.settings);
    this.draw();
  }

  page(): PageState | null {
    const { model, ui } = this;
    // Before the game starts, nothing is visible.
    const observed =
      model.observed.get(ui.observer) ?? (model.welcome && !model.started ? kNothingObserved : undefined);
    const description = model.description;
    if (!description || !this.theme || !observed) return null;
    const past = ui.showsPast && model.past?.seat === ui.observer ? model.past : null;
    const asked = ui.observer === null ? null : (model.questions.get(ui.observer) ?? null);
    const question = asked && this.displayed(asked, description);
    const options = !question || past || question.sent !== null ? [] : question.options;
    const revealed = model.over?.open && !past ? model.over.open : null;
    const log = past ? past.news.map((news, i) => ({ at: i, step: past.step, news })) : observed.log;
    const layout = arrange({
      description,
      theme: this.theme,
      me: ui.observer,
      named: namedTargets(options),
      order: ui.order,
      things: past?.things ?? revealed ?? observed.things,
      lastMove: past ? null : { before: observed.previousBoards, after: observed.things },
      origins: cardOrigins(log, description),
    });
    const narrowed = narrow(options, ui.picks, layout);
    return {
      model,
      ui,
      settings: this.settings,
      description,
      theme: this.theme,
      observed,
      layout,
      narrowed,
      past: past !== null,
      question: past ? null : question,
      mine: ui.observer !== null,
    };
  }

  private displayed(question: Question, description: Description): Question {
    const known = this.displayedQuestions.get(question);
    if (known) return known;
    const name = this.model.people.find((one) => one.seat === question.seat)?.name;
    const options = question.options.map((option) => withoutOwnSeat(option, question.seat, description, name));
    const out = { ...question, options };
    this.displayedQuestions.set(question, out);
    return out;
  }

  // ---- messages

  private linkChanged(link: Link, reason = ""): void {
    this.model = { ...this.model, link, endReason: reason || this.model.endReason };
    this.draw();
  }

  receive(message: Message): void {
    if (message.k === "step" && message.seat === this.ui.observer) this.recordArrival(message.seat, message.news);
    const before = this.model;
    this.model = receive(before, message, this.clock());
    if (this.model.hash !== before.hash) this.resetForRules();
    if (message.k === "welcome" || this.model.hash !== before.hash) void this.describe();
    if (message.k === "ask") this.questionArrived(before, message.seat);
    if (message.k === "step" || message.k === "over") this.clearMarks();
    if (message.k === "over") this.forgetOrder();
    if (message.k === "view" || message.k === "welcome") this.chooseObserver();
    this.draw();
  }

  // Picks of a set stay marked until the set is complete and the table continues.
  private clearMarks(): void {
    const { observer, marked } = this.ui;
    if (marked.length && (observer === null || !this.model.questions.has(observer)))
      this.ui = { ...this.ui, marked: [] };
  }

  private forgetOrder(): void {
    this.ui = { ...this.ui, order: new Map() };
    if (this.model.hash) saveOrder(this.model.hash, this.ui.order);
  }

  // Keeps cards that have left the middle visible for a moment.
  private recordArrival(seat: Observer, news: News[]): void {
    for (const call of this.beforeChange) call();
    const observed = this.model.observed.get(seat),
      description = this.model.description;
    const ghosts =
      observed && description && this.theme
        ? ghostsOf(observed.things, cardOrigins(observed.log, description), news, description, this.theme)
        : [];
    if (reducesMotion(this.settings) || document.hidden) return;
    this.arrivals.push({ at: this.clock(), seat, news, ghosts });
    if (ghosts.length) this.ui = { ...this.ui, ghosts };
  }

  // Resets picks, order and unfolded zones, since their numbers have a new meaning under new rules.
  private resetForRules(): void {
    const { observer, curtain, panel, asText } = this.ui;
    this.ui = { ...kInitialState, observer, curtain, panel, asText };
    this.arrivals = [];
    this.theme = null;
  }

  private async describe(): Promise<void> {
    const { hash } = this.model;
    if (!hash || this.model.description) return;
    try {
      const description = await this.transport.describe(hash);
      if (hash !== this.model.hash) return; // the rules have changed again
      this.theme = new Theme(description);
      this.model = { ...this.model, description };
      this.ui = { ...this.ui, order: loadOrder(hash) };
    } catch (error) {
      if (hash !== this.model.hash) return;
      this.model = {
        ...this.model,
        notice: { text: String(error instanceof Error ? error.message : error), at: this.clock() },
      };
    }
    this.draw();
  }

  // Chooses the first seat of this device as the observer. Later, the observer does not change as long as it exists.
  private chooseObserver(): void {
    const seats = this.model.welcome?.you.seats ?? [];
    const { observer } = this.ui;
    if (observer !== null && seats.includes(observer)) return;
    this.ui = { ...this.ui, observer: seats.length ? seats[0] : null, curtain: this.sharesDevice() };
    this.handOver();
  }

  sharesDevice(): boolean {
    return (this.model.welcome?.you.seats.length ?? 0) > 1 && !this.model.welcome?.settings.design;
  }

  private questionArrived(before: Model, seat: number): void {
    const old = before.questions.get(seat),
      question = this.model.questions.get(seat)!;
    const zones = question.options.flatMap((option) => option.parts.flatMap((part) => part.zones ?? []));
    if (zones.some((zone) => !this.ui.usedZones.has(zone)))
      this.ui = { ...this.ui, usedZones: new Set([...this.ui.usedZones, ...zones]) };
    const continues = question.race && old?.race && this.picksStillMatch();
    if (seat === this.ui.observer && old?.q !== question.q && !continues)
      this.ui = {
        ...this.ui,
        picks: [],
        confirm: null,
        listsAll: false,
        marked: question.picked > 0 ? this.ui.marked : [],
      };
    this.handOver();
    if (this.ui.autoPass && seat === this.ui.observer) this.passAutomatically(question);
  }

  // In a race, options change with every event; picks stay valid while some option matches them.
  private picksStillMatch(): boolean {
    const page = this.page();
    return !this.ui.picks.length || (page !== null && page.narrowed.options.length > 0);
  }

  // On a shared device, asks to hand it to the next person with a question.
  private handOver(): void {
    if ((this.model.welcome?.you.seats.length ?? 0) < 2) return;
    const next = nextSeatWithQuestion(this.model, this.ui.observer);
    if (next === this.ui.observer) return;
    this.ui = {
      ...this.ui,
      observer: next,
      curtain: this.sharesDevice(),
      picks: [],
      marked: [],
      confirm: null,
      enlarged: null,
      showsPast: false,
    };
  }

  observe(seat: Observer): void {
    this.set({ observer: seat, curtain: false, picks: [], marked: [], confirm: null, showsPast: false });
  }

  // ---- answers

  send(command: Command): void {
    if (this.transport.send(command)) return;
    this.model = { ...this.model, notice: { text: "not connected; your choice was not sent", at: this.clock() } };
    this.draw();
  }

  isPass(option: Option): boolean {
    return this.model.description?.actions[option.action]?.kind === "pass";
  }

  private passAutomatically(question: Question): void {
    if (question.flow) this.ui = { ...this.ui, autoPass: false };
    else {
      const pass = question.options.find((option) => this.isPass(option));
      if (pass) this.choose(pass);
    }
  }

  choose(option: Option): void {
    const page = this.page();
    const question = this.ui.observer === null ? undefined : this.model.questions.get(this.ui.observer);
    if (!question || question.sent !== null) return;
    // These marks stay until the set is complete.
    const marked = page ? [...this.ui.marked, ...narrow([option], [], page.layout).next.keys()] : [];
    if (question.race) this.send({ k: "act", seat: question.seat, id: option.id });
    else if (this.transport.send({ k: "choose", seat: question.seat, q: question.q, id: option.id }))
      this.model = markSent(this.model, question.seat, option.id);
    else this.model = { ...this.model, notice: { text: "not connected; your choice was not sent", at: this.clock() } };
    this.set({ picks: [], confirm: null, marked, enlarged: null });
  }

  // Handles a click on a thing on the table, or a drop on it after a drag from a picked thing.
  pick(at: Target, confirmed = false): void {
    const page = this.page();
    if (!page || page.past) return;
    const { question, layout, ui } = page;
    if (!question || question.sent !== null) return;
    const result = pickTarget(question.options, ui.picks, at, layout);
    if (result.kind === "not offered") return this.why(at, page);
    if (result.kind !== "taken") return this.set({ picks: result.picks, confirm: null });
    this.answer(result.option, confirmed, [...ui.picks, at]);
  }

  // Sends an option, or asks for a confirmation: of each choice if the person wants that, and of the last element of
  // a set, because it completes the choice. Earlier elements can be taken back.
  answer(option: Option, confirmed = false, picks: Target[] = []): void {
    const { observer } = this.ui;
    const question = observer === null ? undefined : this.model.questions.get(observer);
    if (!question) return;
    const kind = this.model.description?.actions[option.action]?.kind;
    const isElement = kind === "pick" || (kind === "choose" && question.wanted > 0); // of a set
    const isLast = isElement && question.wanted > 0 && question.picked + 1 >= question.wanted;
    const asks = isLast || (this.settings.confirm && !confirmed && !question.race && !isElement);
    if (asks) this.set({ picks, confirm: option });
    else this.choose(option);
  }

  // Discards the elements of a set that were picked so far.
  pickAgain(): void {
    const { observer } = this.ui;
    if (observer !== null) this.send({ k: "undo", seat: observer });
    this.set({ picks: [], confirm: null, marked: [] });
  }

  // Selects a target that is dragged, without sending anything: a drop completes or discards the selection. Returns true
  // if the selection needs no further target.
  lift(at: Target): boolean {
    const page = this.page();
    const question = page?.question;
    if (!page || !question || question.sent !== null) return false;
    const { picks } = page.ui;
    const result = pickTarget(question.options, picks, at, page.layout);
    if (result.kind === "narrowed") this.set({ picks: result.picks, lifted: picks, confirm: null });
    if (result.kind === "taken") this.set({ picks: [...picks, at], lifted: picks, confirm: null });
    return result.kind === "taken";
  }

  // Ends a drag. `keeps` keeps the selection, for a drop on a further target; otherwise the earlier one is restored.
  drop(keeps: boolean): void {
    const { lifted, picks } = this.ui;
    if (lifted) this.set({ lifted: null, picks: keeps ? picks : lifted });
  }

  // Sets the person's own order of the cards in a hand, until the game ends.
  sortHand(zone: number, prints: readonly number[]): void {
    const order = new Map(this.ui.order).set(zone, prints);
    if (this.model.hash) saveOrder(this.model.hash, order);
    this.set({ order, confirm: null });
  }

  why(at: Target, page: PageState): void {
    const [kind, first, second] = at.split(":");
    const seat = this.ui.observer;
    if (seat === null) return;
    const { description } = page;
    if (kind === "c") return this.send({ k: "why", seat, print: Number(second) });
    if (kind === "k")
      return this.send({ k: "why", seat, what: description.boards[Number(first)].cells[Number(second)] });
    if (kind === "e")
      return this.send({ k: "why", seat, what: description.boards[Number(first)].edges?.[Number(second)]?.name ?? "" });
  }

  // ---- time

  showStep(step: number): void {
    const observed = this.model.observed.get(this.ui.observer);
    if (!observed) return;
    if (step >= observed.step || step < 1) return this.showNow();
    this.ui = { ...this.ui, showsPast: true, picks: [], confirm: null };
    this.send({ k: "at", seat: this.ui.observer, step });
  }
  showNow(): void {
    this.model = { ...this.model, past: null };
    this.set({ showsPast: false });
  }
  moveBySteps(n: number): void {
    const observed = this.model.observed.get(this.ui.observer);
    const past = this.ui.showsPast ? this.model.past : null;
    if (observed) this.showStep(Math.max(1, (past?.step ?? observed.step) + n));
  }
}

export const TableContext = createContext<{ store: Store; page: PageState } | null>(null);

export function useTable(): { store: Store; page: PageState } {
  return useContext(TableContext)!;
}
