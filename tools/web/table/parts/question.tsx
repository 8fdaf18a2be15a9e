// The question: the active player, its text, and buttons for options that have no place on the table.
import { useEffect, useState } from "preact/hooks";
import { listed, question_words, waiting_words } from "../asking";
import { target } from "../targets";
import { beginnings, begun, begun_words, controls, type Beginning, type Control, type Slider } from "../picking";
import type { Description, Option } from "../protocol";
import { useTable } from "../store";
import { Letter, use_name } from "./people";

const kKinds: [string, string][] = [
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
  const is_pile = (zone: string): boolean => zones[Number(zone)]?.shape === "pile";
  // a slot counts as a place
  const kind_of = ([key, , ...rest]: string): string => (key === "z" && !is_pile(rest.join("")) ? "v" : key);
  const kinds = new Set([...next].map(kind_of));
  const said = kKinds.filter(([key]) => kinds.has(key)).map(([, words]) => words);
  if (!said.length) return "";
  return `${matchMedia("(pointer: coarse)").matches ? "Tap" : "Click"} a marked ${listed(said)}`;
}

function Numbers({ slider }: { slider: Slider }) {
  const { store } = useTable();
  const [at, set_at] = useState(0);
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
        onInput={(event) => set_at(Number(event.currentTarget.value))}
      />
      <small aria-hidden="true">{slider.options[slider.options.length - 1].value}</small>
      <button type="button" class="option main" onClick={() => store.take(chosen.option)}>
        {chosen.option.words}
      </button>
    </div>
  );
}

function Left() {
  const {
    shown: { question },
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

function Buttons({ options, begin }: { options: readonly Option[]; begin: readonly Beginning[] }) {
  const {
    store,
    shown: { model, question },
  } = useTable();
  const all = controls(options, (option) => store.is_pass(option));
  const opinions =
    model.opinions?.q === question?.q && model.opinions?.seat === question?.seat ? model.opinions?.of : undefined;
  const last = (control: Control): boolean => control.kind === "button" && store.is_pass(control.option);
  let key = 0;
  const digit = () => (++key < 10 ? <kbd aria-hidden="true">{key}</kbd> : null);
  const button = (control: Control) => {
    if (control.kind === "slider") return <Numbers key={control.options[0].option.id} slider={control} />;
    const { option } = control;
    const opinion = opinions?.get(option.id);
    return (
      <button
        type="button"
        key={option.id}
        class={`option${store.is_pass(option) ? " pass" : ""}`}
        data-stop
        data-option={option.id}
        onClick={() => store.take(option)}
      >
        {digit()}
        {option.words}
        {opinion ? <small>{Math.round(opinion.value * 100)} %</small> : null}
      </button>
    );
  };
  return (
    <div class={`buttons${all.length > 12 ? " many" : ""}`} data-group role="group" aria-label="choices">
      {all.filter((control) => !last(control)).map(button)}
      {begin.map(({ action, words }) => (
        <button
          type="button"
          key={`begin ${action}`}
          class="option begin"
          data-stop
          data-begin={action}
          onClick={() => store.point(target.action(action))}
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
    shown: { question, doing, narrowed, description },
  } = useTable();
  if (!question) return null;
  const action = begun(doing.picks);
  const wanted = question.wanted >= 0 ? ` of ${question.wanted}` : "";
  return (
    <>
      {question.picked > 0 || question.wanted > 1 ? (
        <p class="picks">
          picked {question.picked}
          {wanted}
          {question.picks ? `: ${question.picks}` : ""}
        </p>
      ) : null}
      {action !== null && !doing.confirm ? (
        <p class="picks">{begun_words(narrowed.options, description.actions[action])}</p>
      ) : null}
      {doing.picks.length && !doing.confirm ? (
        <button type="button" class="option quiet" onClick={() => store.set({ picks: [] })}>
          deselect
        </button>
      ) : null}
    </>
  );
}

function Confirm({ option }: { option: Option }) {
  const { store } = useTable();
  return (
    <div class="confirm" role="group" aria-label="confirm">
      <button type="button" class="option main" data-confirm onClick={() => store.take(option)}>
        {option.words}
      </button>
      <button type="button" class="option quiet" onClick={() => store.set({ confirm: null, picks: [] })}>
        cancel
      </button>
    </div>
  );
}

// Keeps passing until the own turn, for games with many passes.
function Standing() {
  const {
    store,
    shown: { question, doing },
  } = useTable();
  if (!question || question.flow || question.race || !question.options.some((option) => store.is_pass(option)))
    return null;
  return (
    <label class="standing">
      <input
        type="checkbox"
        checked={doing.standing}
        onChange={(event) => {
          store.set({ standing: event.currentTarget.checked });
          const pass = question.options.find((option) => store.is_pass(option));
          if (event.currentTarget.checked && pass) store.take(pass);
        }}
      />
      pass until my turn
    </label>
  );
}

function Waiting() {
  const {
    store,
    shown: { model, sight, doing, layout },
  } = useTable();
  const name = use_name();
  const standing = doing.standing ? (
    <label class="standing">
      <input type="checkbox" checked onChange={() => store.set({ standing: false })} /> keep passing until my turn
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
  const asked = sight.asked;
  if (asked?.all)
    return (
      <div class="question waiting">
        <p class="asked">All players decide at the same time{asked.words ? `: ${asked.words}` : ""}</p>
        {standing}
      </div>
    );
  if (asked?.seat !== undefined)
    return (
      <div class="question waiting">
        <p class="asked">
          <Letter seat={asked.seat} /> {waiting_words(asked, name(asked.seat), layout.active === asked.seat)}
        </p>
        {standing}
      </div>
    );
  if (layout.active !== null)
    return (
      <div class="question waiting">
        <p class="asked">
          <Letter seat={layout.active} /> it is {name(layout.active)}’s turn
        </p>
        {standing}
      </div>
    );
  return (
    <div class="question waiting">
      <p class="asked soft">…</p>
    </div>
  );
}

export function QuestionBar() {
  const {
    store,
    shown: { question, narrowed, doing, past, model, sight, description },
  } = useTable();
  if (past)
    return (
      <div class="question past">
        <p class="asked">An earlier state of the table</p>
        <div class="buttons">
          <button type="button" class="option" onClick={() => store.by_steps(-1)}>
            ← earlier
          </button>
          <button type="button" class="option" onClick={() => store.by_steps(1)}>
            later →
          </button>
          <button type="button" class="option main" onClick={() => store.now()}>
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
  const { text, window } = question_words(question, sight.asked, description);
  const where = [...narrowed.next.keys()];
  const begin = beginnings(narrowed, description.actions);
  return (
    <div
      class={`question mine${question.race ? " race" : ""}`}
      style={{ "--seat": `var(--seat-${question.seat % 16})` }}
    >
      <p class="asked">
        <Letter seat={question.seat} /> <b>{question.race ? "You may" : question.flow ? "Your turn" : "Your answer"}</b>
        <span>{text}</span>
        {window ? <small>{window}</small> : null}
        {where.length && !doing.confirm ? (
          <span class="hint">
            {doing.picks.length ? "… next: " : ""}
            {hint(where, description)}
          </span>
        ) : null}
        <Left />
        {where.length ? (
          <button
            type="button"
            class="as-list"
            aria-pressed={doing.listed}
            onClick={() => store.set({ listed: !doing.listed })}
          >
            show as list
          </button>
        ) : null}
      </p>
      <Picks />
      {doing.confirm ? (
        <Confirm option={doing.confirm} />
      ) : (
        <Buttons
          options={doing.listed ? narrowed.options : [...narrowed.buttons, ...begin.single]}
          begin={doing.listed ? [] : begin.beginnings}
        />
      )}
      <Standing />
    </div>
  );
}
