// Shows the question: the active player, the text, and buttons for options that have no place on the table.
import { useEffect, useRef, useState } from "preact/hooks";
import { joinWithOr, questionText, waitingText } from "../question_text";
import { target } from "../targets";
import {
  actionStarts,
  startedAction,
  startText,
  controls,
  narrow,
  type ActionStart,
  type Control,
  type Slider,
} from "../picking";
import type { Entry, Question } from "../model";
import type { Description, News, Option } from "../protocol";
import { useTable } from "../store";
import { LineText } from "./log";
import { Letter, useName } from "./people";

const kTargetKinds: [string, string][] = [
  ["c", "card"],
  ["z", "pile"],
  ["s", "player"],
  ["k", "cell"],
  ["e", "edge"],
  ["p", "piece"],
  ["n", "line"],
  ["v", "place"],
];

// Lists the kinds of targets that can be picked: "Click a marked card or player".
function hint(next: Iterable<string>, { zones }: Description): string {
  const isPile = (zone: string): boolean => zones[Number(zone)]?.shape === "pile";
  // A slot counts as a place.
  const kindOf = ([key, , ...rest]: string): string => (key === "z" && !isPile(rest.join("")) ? "v" : key);
  const kinds = new Set([...next].map(kindOf));
  const names = kTargetKinds.filter(([key]) => kinds.has(key)).map(([, words]) => words);
  if (!names.length) return "";
  return `${matchMedia("(pointer: coarse)").matches ? "Tap" : "Click"} a marked ${joinWithOr(names)}`;
}

function Numbers({ slider }: { slider: Slider }) {
  const { store } = useTable();
  const [at, setAt] = useState(0);
  const index = Math.min(at, slider.options.length - 1);
  const chosen = slider.options[index];
  return (
    <div class="slider">
      <small aria-hidden="true">{slider.options[0].value}</small>
      <input
        type="range"
        min={0}
        max={slider.options.length - 1}
        value={index}
        aria-label={slider.part.replaceAll("_", " ")}
        aria-valuetext={chosen.option.words}
        onInput={(event) => setAt(Number(event.currentTarget.value))}
      />
      <small aria-hidden="true">{slider.options[slider.options.length - 1].value}</small>
      <button type="button" class="option main" onClick={() => store.choose(chosen.option)}>
        {chosen.option.words}
      </button>
    </div>
  );
}

function TimeLeft() {
  const {
    page: { question },
  } = useTable();
  const [, tick] = useState(0);
  const ends = question?.left === undefined ? null : question.since + question.left;
  useEffect(() => {
    if (ends === null) return;
    const timer = setInterval(() => tick((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [ends]);
  if (!question || ends === null) return null;
  const left = Math.max(0, ends - performance.now());
  const part = question.left ? left / question.left : 0;
  return (
    <span class={`left${left < 3000 ? " short" : ""}`} role="timer" aria-label="time left">
      <i style={{ width: `${part * 100}%` }} />
      <b>{(left / 1000).toFixed(left < 10_000 ? 1 : 0)} s</b>
    </span>
  );
}

const kMaxUnfiltered = 24; // from this number of options on, they can be searched
const kKeptPlace = 3000; // milliseconds for which the place of an option that is gone stays free

const idOf = (control: Control): number =>
  control.kind === "button" ? control.option.id : control.options[0].option.id;

// Returns a function that keeps the place of each option of a race, because options come and go while a person aims at
// them or at their numbers. null: an option that is gone.
function useSlots(race: boolean): (all: Control[]) => (Control | null)[] {
  const places = useRef<{ id: number; seen: number }[]>([]);
  return (all) => {
    if (!race) places.current = [];
    if (!race) return all;
    const now = performance.now();
    for (const control of all) {
      const id = idOf(control);
      const own = places.current.find((place) => place.id === id);
      const free = places.current.find((place) => now - place.seen > kKeptPlace);
      if (own) own.seen = now;
      else if (free) Object.assign(free, { id, seen: now });
      else places.current.push({ id, seen: now });
    }
    while (places.current.length && now - places.current.at(-1)!.seen > kKeptPlace) places.current.pop();
    return places.current.map(({ id }) => all.find((control) => idOf(control) === id) ?? null);
  };
}

function Buttons({ options, starts }: { options: readonly Option[]; starts: readonly ActionStart[] }) {
  const {
    store,
    page: { model, question },
  } = useTable();
  const [filter, setFilter] = useState("");
  const isLong = options.length > kMaxUnfiltered;
  const wanted = filter.trim().toLowerCase();
  const shown = isLong && wanted ? options.filter(({ words }) => words.toLowerCase().includes(wanted)) : options;
  const slots = useSlots(question?.race ?? false);
  const all = slots(controls(shown, (option) => store.isPass(option)));
  const opinions =
    model.opinions?.q === question?.q && model.opinions?.seat === question?.seat ? model.opinions?.byOption : undefined;
  const last = (control: Control | null): boolean => control?.kind === "button" && store.isPass(control.option);
  let key = 0;
  const digit = () => (++key < 10 ? <kbd aria-hidden="true">{key}</kbd> : null);
  const button = (control: Control | null, i: number) => {
    // An option of a race that is no longer possible: the others keep their places and numbers.
    if (!control)
      return (
        <button type="button" key={`gone ${i}`} class="option gone" data-option="" disabled aria-hidden="true">
          {digit()}
        </button>
      );
    if (control.kind === "slider") return <Numbers key={control.options[0].option.id} slider={control} />;
    const { option } = control;
    const opinion = opinions?.get(option.id);
    return (
      <button
        type="button"
        key={option.id}
        class={`option${store.isPass(option) ? " pass" : ""}`}
        data-stop
        data-option={option.id}
        onClick={() => store.answer(option, true)}
      >
        {digit()}
        {option.words}
        {opinion ? <small>{Math.round(opinion.value * 100)} %</small> : null}
      </button>
    );
  };
  return (
    <div class={`buttons${all.length > 12 ? " many" : ""}`} data-group role="group" aria-label="choices">
      {isLong ? (
        <input
          class="filter"
          type="search"
          placeholder={`search ${options.length} choices`}
          aria-label="search the choices"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      ) : null}
      {all.filter((control) => !last(control)).map(button)}
      {starts.map(({ action, words }) => (
        <button
          type="button"
          key={`begin ${action}`}
          class="option begin"
          data-stop
          data-begin={action}
          onClick={() => store.pick(target.action(action))}
        >
          {digit()}
          {words}
        </button>
      ))}
      {all.filter(last).map(button)}
    </div>
  );
}

function Picks() {
  const {
    store,
    page: { question, ui, narrowed, description },
  } = useTable();
  if (!question) return null;
  const action = startedAction(ui.picks);
  const wanted = question.wanted >= 0 ? ` of ${question.wanted}` : "";
  return (
    <>
      {question.picked > 0 || question.wanted > 1 ? (
        <p class="picks">
          picked {question.picked}
          {wanted}
          {question.picks ? `: ${question.picks}` : ""}
          {question.picked > 0 ? (
            <button type="button" class="option quiet again" onClick={() => store.pickAgain()}>
              pick again
            </button>
          ) : null}
        </p>
      ) : null}
      {action !== null && !ui.confirm ? (
        <p class="picks">{startText(narrowed.options, description.actions[action])}</p>
      ) : null}
      {(ui.lifted ?? ui.picks).length && !ui.confirm ? (
        <button type="button" class="option quiet" onClick={() => store.set({ picks: [] })}>
          deselect
        </button>
      ) : null}
    </>
  );
}

function Confirm({ option }: { option: Option }) {
  const {
    store,
    page: { question },
  } = useTable();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A person who picked by keyboard continues by keyboard.
    if (document.activeElement?.matches("[data-target]:focus-visible")) button.current?.focus();
  }, [option.id]);
  // The last element of a set confirms the whole set.
  const last = option.parts.map(({ words }) => words).join(", ") || option.words;
  const set =
    question && question.wanted > 0 ? [...(question.picked > 0 ? [question.picks] : []), last].join(", ") : null;
  return (
    <div class="confirm" role="group" aria-label="confirm">
      <button type="button" class="option main" data-confirm ref={button} onClick={() => store.choose(option)}>
        {set ? `Confirm: ${set}` : option.words}
      </button>
      <button type="button" class="option quiet" onClick={() => store.set({ confirm: null, picks: [] })}>
        cancel
      </button>
    </div>
  );
}

// Passes automatically until the person's own turn, for games with many passes.
function AutoPass() {
  const {
    store,
    page: { question, ui },
  } = useTable();
  if (!question || question.flow || question.race || !question.options.some((option) => store.isPass(option)))
    return null;
  return (
    <label class="standing">
      <input
        type="checkbox"
        checked={ui.autoPass}
        onChange={(event) => {
          store.set({ autoPass: event.currentTarget.checked });
          const pass = question.options.find((option) => store.isPass(option));
          if (event.currentTarget.checked && pass) store.choose(pass);
        }}
      />
      pass until my turn
    </label>
  );
}

// Names people who hold up the game because they are away, and offers a bot for them.
function Away() {
  const {
    store,
    page: { model, observed, mine },
  } = useTable();
  const name = useName();
  const { asked } = observed;
  const away = model.people.filter(
    ({ seat, kind, here }) => kind === "person" && !here && (asked?.all || asked?.seat === seat),
  );
  if (!away.length || model.over) return null;
  const host = model.welcome?.you.host;
  return (
    <p class="away-people">
      {away.map(({ seat }) => (
        <span key={seat}>
          <Letter seat={seat} /> {name(seat)} is away{" "}
          {mine || host ? (
            <button
              type="button"
              class="option quiet"
              onClick={() => store.send(host ? { k: "host", do: "bot", seat } : { k: "ballot", kind: "bot", seat })}
            >
              let a bot play for {name(seat)}
            </button>
          ) : null}
        </span>
      ))}
    </p>
  );
}

function Waiting() {
  const {
    store,
    page: { model, observed, ui, layout },
  } = useTable();
  const name = useName();
  const autoPass = ui.autoPass ? (
    <label class="standing">
      <input type="checkbox" checked onChange={() => store.set({ autoPass: false })} /> keep passing until my turn
    </label>
  ) : null;
  if (!model.started && !model.over)
    return (
      <div class="question waiting">
        <p class="asked">The game has not started</p>
      </div>
    );
  if (model.over)
    return (
      <div class="question waiting">
        <p class="asked soft">The game is over</p>
      </div>
    );
  if (model.clock)
    return (
      <div class="question waiting">
        <p class="asked soft">The race is running; you have no options now</p>
      </div>
    );
  const asked = observed.asked;
  if (asked?.all)
    return (
      <div class="question waiting">
        <p class="asked">All players decide at the same time{asked.words ? `: ${asked.words}` : ""}</p>
        <Away />
        {autoPass}
      </div>
    );
  if (asked?.seat !== undefined)
    return (
      <div class="question waiting">
        <p class="asked">
          <Letter seat={asked.seat} /> {waitingText(asked, name(asked.seat), layout.active === asked.seat)}
        </p>
        <Away />
        {autoPass}
      </div>
    );
  if (layout.active !== null)
    return (
      <div class="question waiting">
        <p class="asked">
          <Letter seat={layout.active} /> it is {name(layout.active)}’s turn
        </p>
        {autoPass}
      </div>
    );
  return (
    <div class="question waiting">
      <p class="asked soft">…</p>
    </div>
  );
}

// Returns the last choice of another player, to which an answer outside the own turn reacts: "Anna plays Splash on Bob".
function trigger(log: readonly Entry[], question: Question): News | null {
  if (question.flow || question.race) return null;
  const last = log.filter(({ news }) => news.k === "choice" || news.k === "heading").at(-1)?.news;
  return last?.k === "choice" && last.seat !== question.seat ? last : null;
}

export function QuestionBar() {
  const {
    store,
    page: { question, narrowed: current, ui, past, model, observed, description, layout },
  } = useTable();
  if (past)
    return (
      <div class="question past">
        <p class="asked">An earlier state of the table</p>
        <div class="buttons">
          <button type="button" class="option" onClick={() => store.moveBySteps(-1)}>
            ← earlier
          </button>
          <button type="button" class="option" onClick={() => store.moveBySteps(1)}>
            later →
          </button>
          <button type="button" class="option main" onClick={() => store.showNow()}>
            back to now
          </button>
        </div>
      </div>
    );
  if (!question || model.over) return <Waiting />;
  if (question.sent !== null)
    return (
      <div class="question sent">
        <p class="asked soft">sent …</p>
      </div>
    );
  // A drag does not change the bar, because the hand above it would move.
  const narrowed = ui.lifted ? narrow(question.options, ui.lifted, layout) : current;
  const { text, window } = questionText(question, observed.asked, description);
  const where = [...narrowed.next.keys()];
  const cause = observed.asked?.all ? null : trigger(observed.log, question);
  const starts = actionStarts(narrowed, description.actions);
  return (
    <div
      class={`question mine${question.race ? " race" : ""}`}
      style={{ "--seat": `var(--seat-${question.seat % 16})` }}
    >
      <p class="asked">
        <Letter seat={question.seat} /> <b>{question.race ? "You may" : question.flow ? "Your turn" : "Your answer"}</b>
        {cause ? (
          <span class="cause">
            <LineText news={cause} /> —
          </span>
        ) : null}
        <span class="prompt">{text}</span>
        {window ? <small>{window}</small> : null}
        {where.length && !ui.confirm ? (
          <span class="hint">
            {(ui.lifted ?? ui.picks).length ? "… next: " : ""}
            {hint(where, description)}
          </span>
        ) : null}
        <TimeLeft />
        {where.length ? (
          <button
            type="button"
            class="as-list"
            aria-pressed={ui.listsAll}
            onClick={() => store.set({ listsAll: !ui.listsAll })}
          >
            show as list
          </button>
        ) : null}
      </p>
      <Picks />
      {ui.confirm ? (
        <Confirm option={ui.confirm} />
      ) : (
        <div class="answers">
          <Buttons
            options={ui.listsAll ? narrowed.options : [...narrowed.buttons, ...starts.single]}
            starts={ui.listsAll ? [] : starts.actionStarts}
          />
          <AutoPass />
        </div>
      )}
    </div>
  );
}
