// The panel for game designers: other seats' views, the full state, the rule of each option, bots' evaluations, and
// undo.
import type { Entry } from "./model";
import { useTable, type Shown } from "./store";
import { Letter } from "./parts/people";

function Eyes() {
  const {
    store,
    shown: { model, doing, description },
  } = useTable();
  return (
    <div class="row" role="group" aria-label="eyes">
      {(model.welcome?.you.seats ?? []).map((seat) => (
        <button type="button" aria-pressed={doing.looking === seat} onClick={() => store.look_through(seat)}>
          <Letter seat={seat} /> {model.questions.has(seat) ? "asked" : ""}
          <span class="hidden">eyes of {description.seats[seat]}</span>
        </button>
      ))}
    </div>
  );
}

const file_of = (place: string): string => place.slice(place.lastIndexOf("/") + 1);

function Options() {
  const {
    store,
    shown: { question, model, description },
  } = useTable();
  if (!question) return <p class="soft">This seat isn’t asked.</p>;
  const opinions = model.opinions?.q === question.q && model.opinions.seat === question.seat ? model.opinions.of : null;
  return (
    <>
      <p class="soft">
        question at {file_of(question.place) || "?"}
        {question.window ? `, window ${question.window}` : ""}
      </p>
      <ol class="design-options">
        {question.options.map((option) => {
          const opinion = opinions?.get(option.id);
          return (
            <li>
              <button type="button" onClick={() => store.take(option)}>
                {option.words}
              </button>
              <small>{file_of(description.actions[option.action]?.where ?? "")}</small>
              {opinion ? (
                <span class="opinion" title={`tried ${opinion.visits} times`}>
                  <i style={{ width: `${Math.round(opinion.value * 100)}%` }} />
                  <b>{Math.round(opinion.value * 100)} %</b>
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      <button type="button" onClick={() => store.send({ k: "design", do: "think", seat: question.seat })}>
        evaluate with bots
      </button>
    </>
  );
}

// A choice of the game, as its seat received it.
interface Choice {
  at: number;
  seat: number;
  text: string;
  step: number;
}

// The choices as the current observer received them. Each seat counts its own steps, so choices are matched from the
// end.
function choices_of(shown: Shown): Choice[] {
  const left = new Map<number, Entry[]>();
  for (const [seat, sight] of shown.model.sights)
    if (seat !== null)
      left.set(
        seat,
        sight.log.filter(({ news }) => news.k === "choice" && news.seat === seat),
      );
  return [...shown.sight.log].reverse().flatMap(({ at, news }) => {
    const own = news.k === "choice" ? left.get(news.seat)?.pop() : undefined;
    return news.k === "choice" && own ? [{ at, seat: news.seat, text: own.news.text, step: own.step }] : [];
  });
}

function Choices() {
  const { store, shown } = useTable();
  const choices = choices_of(shown).slice(0, 60);
  if (!choices.length) return null;
  return (
    <>
      <h3>Undo to before</h3>
      <ol class="design-options back">
        {choices.map(({ at, seat, text, step }) => (
          <li key={at}>
            <button type="button" onClick={() => store.send({ k: "undo", seat, step })}>
              <Letter seat={seat} /> {text.replace(/^\w+: /, "")}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

export function DesignPanel() {
  const {
    store,
    shown: { model },
  } = useTable();
  return (
    <section class="design" aria-label="design">
      <h2>Design</h2>
      <Eyes />
      <h3>Options</h3>
      <Options />
      <Choices />
      <h3>Full state</h3>
      <button type="button" onClick={() => store.send({ k: "design", do: "state" })}>
        show
      </button>
      {model.everything ? <Everything /> : null}
    </section>
  );
}

// Lists every thing of the state by its name.
function Everything() {
  const {
    shown: { model, description },
  } = useTable();
  const name = (key: string): string => {
    const number = Number(key.slice(1));
    if (key[0] === "z") return description.zones[number]?.words ?? key;
    if (key[0] === "v") return description.variables[number]?.words ?? key;
    if (key[0] === "b" || key[0] === "g")
      return `${key[0] === "b" ? "on" : "ground of"} ${description.boards[number]?.name ?? key}`;
    return key;
  };
  const value = (key: string, thing: unknown): string => {
    const cards = (thing as { cards?: number[] }).cards;
    if (key[0] === "z" && cards) return cards.map((print) => description.prints[print]?.name ?? "?").join(", ");
    return JSON.stringify(thing);
  };
  return (
    <dl class="everything">
      {Object.entries(model.everything!).map(([key, thing]) => (
        <div>
          <dt>{name(key)}</dt>
          <dd>{value(key, thing)}</dd>
        </div>
      ))}
    </dl>
  );
}
