// Shows the log, in which a click shows the table at that time, and a ticker of the last lines.
import { useEffect, useRef, useState } from "preact/hooks";
import { acts, type Act } from "../acts";
import type { Entry } from "../model";
import type { News } from "../protocol";
import { useTable } from "../store";
import { Letter, useName } from "./people";

// Removes the player from "Anna: Play a card" if the line is shown after the player's letter and name.
export function lineText(news: News, callers: readonly string[]): string {
  if (news.k !== "choice") return news.text;
  const start = callers.map((caller) => `${caller}: `).find((one) => news.text.startsWith(one));
  return start ? news.text.slice(start.length) : news.text;
}

// Draws a line of the log with the player who chose: the letter, and the name if the person has one.
export function LineText({ news }: { news: News }) {
  const {
    page: { description },
  } = useTable();
  const name = useName();
  if (news.k !== "choice") return <span>{news.text}</span>;
  const letter = description.seats[news.seat],
    called = name(news.seat);
  const text = lineText(news, [called, letter]);
  return (
    <>
      <Letter seat={news.seat} />
      <span>
        {called === letter || text === news.text ? "" : <b class="called">{called}</b>} {text}
      </span>
    </>
  );
}

// Draws a line of the log. `step` is the step that is currently shown.
function Line({ entry, step, act }: { entry: Entry; step?: number; act?: Act }) {
  const { store } = useTable();
  const [open, setOpen] = useState(false);
  const { news } = entry;
  if (news.k === "heading")
    return (
      <li class="heading">
        <h3>{news.text.replace(/^—+ ?/, "")}</h3>
      </li>
    );
  const more = act?.more ?? [];
  return (
    <li class={`${news.k}${entry.step === step ? " then" : ""}`}>
      <button
        type="button"
        data-stop
        tabIndex={-1}
        onClick={() => store.showStep(entry.step)}
        title="show the table at this time"
      >
        <LineText news={news} />
      </button>
      {more.length ? (
        <button
          type="button"
          class="more"
          data-stop
          tabIndex={-1}
          aria-expanded={open}
          aria-label={`effects, ${more.length} ${more.length === 1 ? "line" : "lines"}`}
          onClick={() => setOpen(!open)}
        >
          {open ? "–" : `+${more.length}`}
        </button>
      ) : null}
      {open ? (
        <ul>
          {more.map((one) => (
            <Line key={one.at} entry={one} step={step} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

export function Log() {
  const {
    page: { observed, model, past, description, theme },
  } = useTable();
  const list = useRef<HTMLOListElement>(null);
  const last = observed.log.length ? observed.log[observed.log.length - 1].at : 0;
  useEffect(() => {
    if (list.current && !past) list.current.scrollTop = list.current.scrollHeight;
  }, [last, past]);
  const step = past ? model.past?.step : undefined;
  // Values that are temporary or not shown are omitted.
  const counts = (news: News): boolean => {
    const of = news.k === "change" ? description.variables[news.variable] : null;
    return !of || (!of.temporary && !theme.variable(of.name).hidden);
  };
  const lines = observed.log.filter(({ news }) => counts(news)).slice(-400);
  return (
    <section class="log" aria-label="log">
      <h2>Log</h2>
      <ol ref={list} data-group aria-label="log entries">
        {acts(lines).map((act) => (
          <Line key={act.head.at} entry={act.head} step={step} act={act} />
        ))}
      </ol>
    </section>
  );
}

export function Ticker() {
  const {
    page: { observed, past },
  } = useTable();
  if (past) return null;
  // Effects are visible on the table, and changed numbers are highlighted there.
  const lines = acts(observed.log)
    .map(({ head }) => head)
    .filter(({ news }) => news.k !== "heading" && news.k !== "change")
    .slice(-3);
  if (!lines.length) return null;
  return (
    <ul class="ticker" aria-hidden="true">
      {lines.map(({ at, news }) => (
        <li key={at}>
          <LineText news={news} />
        </li>
      ))}
    </ul>
  );
}
