// Shows the panel for game designers: other seats' views, the full state, the rule of each option, bots' evaluations,
// and undo.
import type { Entry } from "./model";
import { useTable, type PageState } from "./store";
import { Letter } from "./parts/people";

function Observers() {
  const {
    store,
    page: { model, ui, description },
  } = useTable();
  return (
    <div class="row" role="group" aria-label="view as">
      {(model.welcome?.you.seats ?? []).map((seat) => (
        <button type="button" aria-pressed={ui.observer === seat} onClick={() => store.observe(seat)}>
          <Letter seat={seat} /> {model.questions.has(seat) ? "deciding" : ""}
          <span class="hidden">view as {description.seats[seat]}</span>
        </button>
      ))}
    </div>
  );
}

const fileName = (place: string): string => place.slice(place.lastIndexOf("/") + 1);

function Options() {
  const {
    store,
    page: { question, model, description },
  } = useTable();
  if (!question) return <p class="soft">This seat has no question.</p>;
  const opinions =
    model.opinions?.q === question.q && model.opinions.seat === question.seat ? model.opinions.byOption : null;
  return (
    <>
      <p class="soft">
        question at {fileName(question.place) || "?"}
        {question.window ? `, window ${question.window}` : ""}
      </p>
      <ol class="design-options">
        {question.options.map((option) => {
          const opinion = opinions?.get(option.id);
          return (
            <li>
              <button type="button" onClick={() => store.choose(option)}>
                {option.words}
              </button>
              <small>{fileName(description.actions[option.action]?.where ?? "")}</small>
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

// Returns the choices as the current observer received them. Each seat counts its own steps, so choices are matched
// from the end.
function choicesOf(page: PageState): Choice[] {
  const remaining = new Map<number, Entry[]>();
  for (const [seat, observed] of page.model.observed)
    if (seat !== null)
      remaining.set(
        seat,
        observed.log.filter(({ news }) => news.k === "choice" && news.seat === seat),
      );
  return [...page.observed.log].reverse().flatMap(({ at, news }) => {
    const own = news.k === "choice" ? remaining.get(news.seat)?.pop() : undefined;
    return news.k === "choice" && own ? [{ at, seat: news.seat, text: own.news.text, step: own.step }] : [];
  });
}

function Choices() {
  const { store, page } = useTable();
  const choices = choicesOf(page).slice(0, 60);
  if (!choices.length) return null;
  return (
    <>
      <h3>Undo a choice and all later ones</h3>
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
    page: { model },
  } = useTable();
  return (
    <section class="design" aria-label="design">
      <h2>Design</h2>
      <Observers />
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
    page: { model, description },
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
