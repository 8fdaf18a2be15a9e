// The page layout: other seats, the middle, the own seat, the question, and panels at the side.
import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readable } from "./colours";
import { DesignPanel } from "./design";
import { Flights } from "./flights";
import { rove } from "./keys";
import type { Place } from "./layout";
import type { Look } from "./look";
import { BallotBox } from "./parts/ballot";
import { BeforeSeats } from "./parts/before";
import { Board } from "./parts/board";
import { LargeCard } from "./parts/card";
import { RaceClock } from "./parts/clock";
import { Curtain } from "./parts/curtain";
import { End } from "./parts/end";
import { Icon } from "./parts/icons";
import { Log, Ticker } from "./parts/log";
import { People } from "./parts/people";
import { QuestionBar } from "./parts/question";
import { PlacesRows } from "./parts/row";
import { Seat } from "./parts/seat";
import { SheetView } from "./parts/sheet";
import { RulesPanel, SettingsPanel } from "./parts/settings";
import { TextView } from "./parts/text";
import { Trick } from "./parts/trick";
import { Chips } from "./parts/variables";
import { PlaceView } from "./parts/zone";
import { Pointing } from "./pointing";
import type { Description } from "./protocol";
import { chime, Speech } from "./speech";
import { TableContext, useTable, type Panel, type Shown, type Store } from "./store";

// Groups consecutive places of the same area.
function in_areas(places: readonly Place[], { zones }: Description): Place[][] {
  const out: Place[][] = [];
  for (const place of places) {
    const { area } = zones[place.zone];
    const last = out.at(-1);
    if (last && area !== null && area !== undefined && zones[last[0].zone].area === area) last.push(place);
    else out.push([place]);
  }
  return out;
}

function Middle() {
  const {
    shown: { layout, description },
  } = useTable();
  const boards = layout.boards.length > 0;
  const open =
    layout.ring ||
    layout.rows.length ||
    layout.before.length ||
    layout.centre.length ||
    layout.sheets.length ||
    layout.dice.length;
  const bare = !boards && !open;
  const kind = [boards && " with-board", bare && " bare", layout.before.length && " with-before"]
    .filter(Boolean)
    .join("");
  const piles = layout.piles.length ? (
    <div class="piles">
      {in_areas(layout.piles, description).map((places) =>
        places.length > 1 ? (
          <div key={places[0].zone} class="alike">
            {places.map((place) => (
              <PlaceView key={place.zone} place={place} />
            ))}
          </div>
        ) : (
          <PlaceView key={places[0].zone} place={places[0]} />
        ),
      )}
    </div>
  ) : null;
  return (
    <section class={`middle${kind}${layout.piles.length > 6 ? " many-piles" : ""}`} aria-label="the table">
      {piles}
      <div class="centre">
        {layout.dice.length ? <Chips chips={layout.dice} /> : null}
        {layout.boards.map((view) => (
          <Board key={view.board} view={view} />
        ))}
        <PlacesRows rows={layout.rows} />
        <BeforeSeats before={layout.before} />
        {layout.ring ? <Trick /> : null}
        {layout.centre.length ? (
          <div class="lie-open">
            {layout.centre.map((place) => (
              <PlaceView key={place.zone} place={place} />
            ))}
          </div>
        ) : null}
        {layout.sheets.map((sheet) => (
          <SheetView key={sheet.variable} sheet={sheet} />
        ))}
        {bare ? <Ticker /> : null}
      </div>
      <div class="beside">
        <Chips chips={layout.chips} />
        {layout.shown.length ? (
          <div class="shown">
            {layout.shown.map((line) => (
              <p>{line}</p>
            ))}
          </div>
        ) : null}
        <RaceClock />
        {bare ? null : <Ticker />}
      </div>
    </section>
  );
}

function Notices() {
  const {
    store,
    shown: { model },
  } = useTable();
  const [closed, set_closed] = useState(0);
  const { notice, answers } = model;
  const at = Math.max(notice?.at ?? 0, answers?.at ?? 0);
  useEffect(() => {
    // a "too late" notice of a race is only briefly relevant
    const timer = setTimeout(() => set_closed(at), notice?.at === at ? 5000 : 12_000);
    return () => clearTimeout(timer);
  }, [at]);
  const report = model.rules && (!model.rules.ok || model.rules.report) ? model.rules : null;
  return (
    <div class="notices">
      {model.link === "on" ? null : (
        <p class="link">
          {model.link === "ended" ? model.because || "the table is closed" : "connection lost; reconnecting …"}
        </p>
      )}
      {model.paused ? (
        <p class="link">
          paused{" "}
          <button type="button" class="option" onClick={() => store.send({ k: "ballot", kind: "resume" })}>
            resume
          </button>
        </p>
      ) : null}
      {at > closed && at > 0 ? (
        <div class="notice">
          {answers && answers.at === at ? (
            <ul>
              {answers.answers.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          ) : (
            <p>{notice?.text}</p>
          )}
          <button type="button" aria-label="close" onClick={() => set_closed(at)}>
            ×
          </button>
        </div>
      ) : null}
      {report ? <Stuck store={store} /> : null}
    </div>
  );
}

// Shown after an edit of the rules that has errors or does not match the game.
function Stuck({ store }: { store: Store }) {
  const {
    shown: { model },
  } = useTable();
  const stuck = model.rules?.stuck;
  return (
    <div class="notice">
      {stuck ? (
        <p>
          The new rules do not match this game: {stuck.choice}: {stuck.because}
        </p>
      ) : model.rules?.ok ? (
        <p>Ignored in the theme: {report_words(model.rules.report)}</p>
      ) : (
        <p>The rules have errors; the game continues with the previous rules. {report_words(model.rules?.report)}</p>
      )}
      {stuck && model.welcome?.you.host ? (
        <div class="row">
          <button type="button" class="option" onClick={() => store.send({ k: "design", do: "keep" })}>
            keep the previous rules
          </button>
          <button
            type="button"
            class="option"
            onClick={() => store.send({ k: "design", do: "from", entry: stuck.entry })}
          >
            undo to before that choice
          </button>
        </div>
      ) : null}
    </div>
  );
}

interface Diagnostic {
  file?: string;
  line?: number;
  message?: string;
  severity?: string;
}

// Formats the first errors of a `check --json` report; for a theme, its warnings.
function report_words(report: unknown): string {
  if (!Array.isArray(report)) return "";
  const all = report as Diagnostic[],
    wrong = all.filter((one) => one.severity === "error");
  const errors = wrong.length ? wrong : all;
  const line = ({ file, line, message }: Diagnostic): string =>
    `${(file ?? "").replace(/^.*\//, "")}:${line}: ${message}`;
  return errors.slice(0, 3).map(line).join(" · ") + (errors.length > 3 ? ` · and ${errors.length - 3} more` : "");
}

const kPanels: [Exclude<Panel, null>, string][] = [
  ["log", "Log"],
  ["people", "People"],
  ["rules", "Rules"],
  ["settings", "Settings"],
];

function Head() {
  const {
    store,
    shown: { model, description, layout, doing },
  } = useTable();
  const where = [
    layout.round === null ? "" : `round ${layout.round}`,
    layout.turn === null ? "" : `turn ${layout.turn}`,
  ]
    .filter(Boolean)
    .join(" · ");
  const panels = model.welcome?.settings.design
    ? [...kPanels, ["design", "Design"] as [Exclude<Panel, null>, string]]
    : kPanels;
  const undo = model.welcome?.settings.undo && doing.looking !== null && model.started && !model.over;
  return (
    <header class="head">
      <div class="game">
        <h1>{description.title}</h1>
        <span class="soft">{where}</span>
      </div>
      <nav aria-label="panels">
        {undo ? (
          <button type="button" aria-label="Undo" onClick={() => store.send({ k: "undo", seat: doing.looking! })}>
            <Icon name="undo" />
            <span>Undo</span>
          </button>
        ) : null}
        {panels.map(([panel, words]) => (
          <button
            type="button"
            key={panel}
            aria-label={words}
            aria-pressed={doing.panel === panel}
            onClick={() => store.set({ panel: doing.panel === panel ? null : panel })}
          >
            <Icon name={panel} />
            <span>{words}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}

function Side() {
  const {
    store,
    shown: { doing },
  } = useTable();
  const panel = doing.panel;
  return (
    <aside class={`side${panel ? " open" : ""}`}>
      <button type="button" class="close" aria-label="close" onClick={() => store.set({ panel: null })}>
        ×
      </button>
      {panel === "people" ? (
        <People />
      ) : panel === "settings" ? (
        <SettingsPanel />
      ) : panel === "rules" ? (
        <RulesPanel />
      ) : panel === "design" ? (
        <DesignPanel />
      ) : (
        <Log />
      )}
    </aside>
  );
}

// The view before the game starts: players and game.
function Lobby() {
  const {
    shown: { description, model },
  } = useTable();
  return (
    <div class="lobby">
      <h2>{description.title}</h2>
      {description.about ? <p>{description.about}</p> : null}
      <People />
      {model.welcome?.you.host ? null : <p class="soft">The host starts the game.</p>}
    </div>
  );
}

// The theme's settings of the table, as CSS variables for table.css.
function table_variables(look: Look): Record<string, string> {
  const { colour } = look.table();
  return colour ? { "--cloth": colour } : {};
}

// Set on the document, because flying and dragged cards are outside the table element.
function set_back_variables(look: Look): void {
  const { back, back_colour } = look.table();
  const root = document.documentElement.style;
  const say = (name: string, value: string | null): void =>
    value === null ? void root.removeProperty(name) : root.setProperty(name, value);
  say("--back", back_colour);
  say("--back-sign", back === null ? null : JSON.stringify(back));
  say("--back-ink", back_colour === null ? null : readable("#ffffff", back_colour));
}

function TableView() {
  const {
    shown: { layout, look, past, doing, model },
  } = useTable();
  const seats = layout.others.length;
  return (
    <main
      style={table_variables(look)}
      class={`table${past ? " past" : ""}${layout.boards.length ? " boards" : ""} seats-${Math.min(9, seats)}`}
    >
      {!model.started && !model.over ? (
        <Lobby />
      ) : doing.as_text ? (
        <TextView />
      ) : (
        <>
          <section class="others" aria-label="the others">
            {layout.others.map((box) => (
              <Seat key={box.seat} box={box} />
            ))}
          </section>
          <Middle />
        </>
      )}
      {model.started || model.over ? (
        <div class="dock">
          {layout.me && !doing.as_text ? <Seat box={layout.me} mine /> : null}
          <QuestionBar />
        </div>
      ) : null}
    </main>
  );
}

// Updates animations, speech and focus after each drawing.
function use_effects(store: Store, shown: Shown | null, root: { current: HTMLDivElement | null }): void {
  const flights = useRef<Flights | null>(null);
  const speech = useRef<Speech | null>(null);
  useEffect(() => {
    const sky = document.getElementById("sky")!;
    flights.current = new Flights(root.current!, sky);
    speech.current = new Speech(document.getElementById("polite")!, document.getElementById("assertive")!, chime);
    new Pointing(store, root.current!);
    const cut = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || !["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key))
        flights.current?.cut();
    };
    document.addEventListener("pointerdown", cut, true);
    document.addEventListener("keydown", cut, true);
    return store.watch_before(() => flights.current?.look());
  }, []);
  useLayoutEffect(() => {
    rove(root.current!);
    if (!shown) return;
    speech.current?.hear(shown);
    const arrivals = store.arrivals.splice(0);
    const news = arrivals.flatMap((arrival) => arrival.news);
    const { ghosts } = store.doing;
    const haunted = ghosts.length > 0 && arrivals.some((arrival) => arrival.ghosts === ghosts);
    if (!news.length || shown.past || shown.doing.as_text) return haunted ? store.set({ ghosts: [] }) : undefined;
    const { look, description } = shown;
    const linger = haunted ? look.linger(description.zones[ghosts[0].zone].name) : 0;
    flights.current?.fly(news, description, look.pace, linger, () => {
      if (store.doing.ghosts === ghosts) store.set({ ghosts: [] }); // otherwise newer ones have arrived
    });
  });
}

// If drawing the table fails, shows it as text until the next message.
class Guard extends Component<{ of: object; children: ComponentChildren }, { wrong: string }> {
  state = { wrong: "" };
  static getDerivedStateFromError(error: unknown): { wrong: string } {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
  componentDidUpdate(before: { of: object }): void {
    if (this.state.wrong && before.of !== this.props.of) this.setState({ wrong: "" });
  }
  render() {
    if (!this.state.wrong) return this.props.children;
    return (
      <main class="table">
        <p class="link">Cannot draw this table ({this.state.wrong}). It is shown as text instead.</p>
        <TextView />
      </main>
    );
  }
}

export function App({ store }: { store: Store }) {
  const [, draw] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const ready = store.model.sights.size > 0;
  useEffect(() => {
    // changes are highlighted from then on
    const timer = setTimeout(() => root.current?.classList.toggle("settled", ready), 1500);
    return () => clearTimeout(timer);
  }, [ready]);
  useEffect(() => store.watch(() => draw((n) => n + 1)), []);
  const shown = store.shown();
  use_effects(store, shown, root);
  useLayoutEffect(() => {
    if (shown) set_back_variables(shown.look);
  }, [shown?.look]);
  useEffect(() => {
    const mine = shown?.question && shown.question.sent === null && !shown.question.race;
    document.title = `${mine ? "● " : ""}${store.model.welcome?.title ?? "Cardwright"}`;
    document.documentElement.dataset.theme = store.settings.theme;
  });
  return (
    <div class="page" ref={root}>
      {shown ? (
        <TableContext.Provider value={{ store, shown }}>
          {shown.doing.curtain ? (
            <Curtain />
          ) : (
            <>
              <Head />
              <div class="body">
                <Guard of={shown.model}>
                  <TableView />
                </Guard>
                <Side />
              </div>
              <Notices />
              <BallotBox />
              <End />
              <LargeCard />
            </>
          )}
        </TableContext.Provider>
      ) : (
        <p class="opening">
          {store.model.link === "ended"
            ? store.model.because || "the table is closed"
            : (store.model.notice?.text ?? "…")}
        </p>
      )}
    </div>
  );
}
