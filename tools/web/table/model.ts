// Defines the page's knowledge of its table: every message produces a new Model from the old one. It does not predict
// or decide anything.
import type {
  Ask,
  PendingQuestion,
  Clock,
  ClockMessage,
  Description,
  Message,
  News,
  Over,
  Past,
  Person,
  RulesMessage,
  Step,
  Things,
  Welcome,
} from "./protocol";
import type { Link } from "./transport";

// The observer of a view: a seat, or null for spectators.
export type Observer = number | null;

export interface Entry {
  at: number; // number of the line, from 1
  step: number; // the step that contained it
  news: News;
}

// The data that one observer has received.
export interface ObservedState {
  step: number;
  run: string | null; // run of the table core; steps of another run are invalid
  things: Things;
  log: Entry[];
  asked: PendingQuestion | null;
  ended: boolean; // the game is over, so the next step belongs to a new game
  previousBoards: Things; // each board before the last step that changed it, as `b0` and `g0`
}

export interface Question extends Ask {
  since: number; // time of arrival, in milliseconds of this page's clock
  sent: number | null; // the option sent from this page, until the table confirms it
}

export interface Ballot {
  id: number;
  text: string;
  by: number | null;
  seat: number | null;
  kind: string;
  votes: Record<string, boolean>;
  ends: number; // end of the time limit, in milliseconds of this page's clock
}

// The clock of a race, extrapolated in milliseconds of this page's clock.
export interface RunningClock extends Clock {
  since: number; // time of arrival of `now`
  pausedSince: number | null; // start of the current pause
}

export interface Opinion {
  visits: number;
  value: number;
}

export interface Model {
  link: Link;
  endReason: string; // the reason why the connection ended
  welcome: Welcome | null;
  description: Description | null;
  started: boolean;
  people: Person[];
  watching: number;
  paused: boolean;
  observed: ReadonlyMap<Observer, ObservedState>;
  questions: ReadonlyMap<number, Question>;
  clock: RunningClock | null;
  answers: { seat: number; answers: string[]; at: number } | null;
  notice: { text: string; at: number } | null;
  ballot: Ballot | null;
  past: Past | null;
  hash: string | null; // hash of the description
  run: string | null; // run of the table core
  rules: RulesMessage | null;
  over: Over | null;
  opinions: { seat: number; q: number; byOption: ReadonlyMap<number, Opinion> } | null;
  everything: Things | null;
  links: ReadonlyMap<Observer, string>; // invitations by seat; null: for spectators
}

export const kEmptyModel: Model = {
  link: "connecting",
  endReason: "",
  welcome: null,
  description: null,
  started: false,
  people: [],
  watching: 0,
  paused: false,
  observed: new Map(),
  questions: new Map(),
  clock: null,
  answers: null,
  notice: null,
  ballot: null,
  past: null,
  hash: null,
  run: null,
  rules: null,
  over: null,
  opinions: null,
  everything: null,
  links: new Map(),
};

const kBallots: Record<string, string> = {
  undo: "undo",
  pause: "pause",
  resume: "resume",
  again: "new game",
  bot: "bot",
};

const kMaxLogLines = 2000; // maximum number of stored log lines

function appendLog(old: readonly Entry[], news: readonly News[], step: number): Entry[] {
  let at = old.length ? old[old.length - 1].at : 0;
  return [...old, ...news.map((one) => ({ at: ++at, step: one.step ?? step, news: one }))].slice(-kMaxLogLines);
}

function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): Map<K, V> {
  const out = new Map(map);
  if (value === undefined) out.delete(key);
  else out.set(key, value);
  return out;
}

// Applies a step to the things.
export function applyStep(things: Things, set: Things, gone: readonly string[]): Things {
  const out = { ...things, ...set };
  for (const key of gone) delete out[key];
  return out;
}

// Records the boards that a step changes.
function previousBoards(old: ObservedState, { set, gone }: Step): Things {
  const out = { ...old.previousBoards };
  for (const key of [...Object.keys(set), ...gone]) {
    const [, board] = /^[bg](\d+)$/.exec(key) ?? [];
    if (board !== undefined) for (const layer of [`b${board}`, `g${board}`]) out[layer] = old.things[layer];
  }
  return out;
}

export const kNothingObserved: ObservedState = {
  step: 0,
  run: null,
  things: {},
  log: [],
  asked: null,
  ended: false,
  previousBoards: {},
};

// After a change of the rules, earlier views are invalid and a new description follows.
function withRules(model: Model, hash: string, run: string | undefined): Model {
  const same = hash === model.hash;
  return {
    ...model,
    hash,
    run: run ?? null,
    description: same ? model.description : null,
    observed: same ? model.observed : new Map(),
  };
}

const runningClock = (message: ClockMessage, now: number, paused: boolean): RunningClock | null =>
  message.race ? { ...message, since: now, pausedSince: paused ? now : null } : null;

// Pauses or resumes the table and its clock.
function setPaused(model: Model, isPaused: boolean, now: number): Model {
  const { clock } = model;
  if (!clock) return { ...model, paused: isPaused };
  if (isPaused) return { ...model, paused: true, clock: { ...clock, pausedSince: clock.pausedSince ?? now } };
  const pauseDuration = clock.pausedSince === null ? 0 : now - clock.pausedSince;
  return { ...model, paused: false, clock: { ...clock, since: clock.since + pauseDuration, pausedSince: null } };
}

export function receive(model: Model, message: Message, now: number): Model {
  switch (message.k) {
    case "key":
    case "pong":
      return model;
    case "welcome":
      return {
        ...withRules(model, message.rules, message.run),
        welcome: message,
        started: message.started,
        people: message.people,
        watching: message.watching,
        questions: new Map(),
        clock: null,
        ballot: null,
        past: null,
        over: null,
        rules: null,
        paused: false,
      };
    case "people":
      return { ...model, started: message.started, people: message.people, watching: message.watching };
    case "view": {
      const observed = {
        step: message.step,
        run: model.run,
        things: message.things,
        asked: message.asked,
        log: appendLog([], message.news, message.step),
        ended: false,
        previousBoards: {},
      };
      return { ...model, observed: withEntry(model.observed, message.seat, observed), past: null, over: null };
    }
    case "step": {
      const old = model.observed.get(message.seat) ?? { ...kNothingObserved, run: model.run };
      const observed = {
        step: message.step,
        run: old.run,
        things: applyStep(old.things, message.set, message.gone),
        asked: message.asked,
        log: appendLog(old.log, message.news, message.step),
        ended: false,
        previousBoards: old.ended ? {} : previousBoards(old, message),
      };
      return { ...model, observed: withEntry(model.observed, message.seat, observed), over: null };
    }
    case "ask": {
      const question = { ...message, since: now, sent: null };
      return { ...model, questions: withEntry(model.questions, message.seat, question), opinions: null, over: null };
    }
    case "idle":
      if (model.questions.get(message.seat)?.q !== message.q) return model;
      return { ...model, questions: withEntry(model.questions, message.seat, undefined) };
    case "taken": {
      const question = model.questions.get(message.seat);
      if (!question || question.q !== message.q || question.race) return model;
      return { ...model, questions: withEntry(model.questions, message.seat, undefined) };
    }
    case "refused": {
      // A message without a seat can refer to any question of this page.
      const isAffected = (seat: number): boolean => message.seat === undefined || message.seat === seat;
      const reopened = [...model.questions].map(
        ([seat, question]) => [seat, isAffected(seat) ? { ...question, sent: null } : question] as const,
      );
      return { ...model, notice: { text: message.because, at: now }, questions: new Map(reopened) };
    }
    case "clock":
      return { ...model, clock: runningClock(message, now, model.paused) };
    case "answers":
      return { ...model, answers: { seat: message.seat, answers: message.answers, at: now } };
    case "past":
      return { ...model, past: message };
    case "ballot":
      if (message.result !== undefined) {
        const words = kBallots[message.kind ?? ""] ?? message.kind;
        return {
          ...model,
          ballot: null,
          notice: { text: `${words}: ${message.result ? "agreed" : "not agreed"}`, at: now },
        };
      }
      return {
        ...model,
        ballot: {
          id: message.id,
          kind: message.kind ?? "",
          text: message.text ?? "",
          by: message.by ?? null,
          seat: message.seat ?? null,
          votes: message.votes ?? {},
          ends: now + (message.left ?? 0),
        },
      };
    case "rules":
      return {
        ...(message.rules === undefined ? model : withRules(model, message.rules, message.run)),
        rules: message,
      };
    case "over":
      return {
        ...model,
        over: message,
        questions: new Map(),
        clock: null,
        observed: new Map([...model.observed].map(([seat, observed]) => [seat, { ...observed, ended: true }] as const)),
      };
    case "opinions": {
      const byOption = new Map(message.options.map(({ id, visits, value }) => [id, { visits, value }]));
      return { ...model, opinions: { seat: message.seat, q: message.q, byOption } };
    }
    case "everything":
      return { ...model, everything: message.things };
    case "invitation":
      return { ...model, links: withEntry(model.links, message.seat, message.link) };
    case "paused":
      return setPaused(model, message.paused, now);
    case "bye":
      return { ...model, endReason: message.because };
    default:
      return model;
  }
}

// Marks an option as sent but not yet confirmed by the table.
export function markSent(model: Model, seat: number, id: number): Model {
  const question = model.questions.get(seat);
  if (!question || question.race) return model;
  return { ...model, questions: withEntry(model.questions, seat, { ...question, sent: id }) };
}

// Returns the next seat of this device with a question, starting from `observer`; `observer` if there is none.
export function nextSeatWithQuestion(model: Model, observer: Observer): Observer {
  const seats = [...model.questions.values()]
    .filter((q) => !q.race && q.sent === null)
    .map((q) => q.seat)
    .sort((a, b) => a - b);
  if (!seats.length || (observer !== null && seats.includes(observer))) return observer;
  return seats.find((seat) => observer !== null && seat > observer) ?? seats[0];
}

// Returns the last step that each observer has received in this run, from which the table resumes. Spectators use "-2".
export function receivedSteps(model: Model): Record<string, number> | undefined {
  const received = [...model.observed].filter(([, observed]) => observed.run === model.run);
  return received.length
    ? Object.fromEntries(received.map(([seat, observed]) => [seat ?? -2, observed.step]))
    : undefined;
}

// Returns the origin of cards in public zones of the table: for each zone, the seats and prints of the cards that,
// according to the log, are still in it, in order. Tricks use it to place cards in front of their players.
export function cardOrigins(
  log: readonly Entry[],
  description: Description,
): Map<number, { print: number | null; seat: number }[]> {
  const out = new Map<number, { print: number | null; seat: number }[]>();
  for (const { news } of log) {
    if (news.k !== "move") continue;
    const origins = out.get(news.from);
    for (const print of news.prints) {
      const at = origins?.findIndex((card) => card.print === print) ?? -1;
      if (at >= 0) origins!.splice(at, 1);
    }
    const from = description.zones[news.from]?.owner;
    if (description.zones[news.to]?.owner !== null || from === null || from === undefined) continue;
    const destination = out.get(news.to) ?? [];
    for (const print of news.prints) destination.push({ print, seat: from });
    out.set(news.to, destination);
  }
  return out;
}
