// Lays out the page: other seats, the middle, the person's own seat, the question, and panels at the side.
import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readable } from "./colours";
import { DesignPanel } from "./design";
import { CardAnimations } from "./animations";
import { restoreFocus, updateTabStops } from "./keyboard";
import type { Layout, Place } from "./layout";
import type { Theme } from "./theme";
import { BallotBox } from "./parts/ballot";
import { SeatFronts } from "./parts/fronts";
import { Board } from "./parts/board";
import { Card, LargeCard } from "./parts/card";
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
import { TableContext, useTable, type Panel, type PageState, type Store } from "./store";

// Groups consecutive places of the same area.
function groupByArea(places: readonly Place[], { zones }: Description): Place[][] {
  const out: Place[][] = [];
  for (const place of places) {
    const { area } = zones[place.zone];
    const last = out.at(-1);
    if (last && area !== null && area !== undefined && zones[last[0].zone].area === area) last.push(place);
    else out.push([place]);
  }
  return out;
}

// Lays the own cards that are picked, but not played before their target is chosen, on the table.
function PickedCards() {
  const {
    page: { ui, question, description },
  } = useTable();
  const isSet = (question?.wanted ?? -1) > 0;
  const cards = (ui.lifted || isSet ? [] : ui.picks).flatMap((pick) => {
    const [kind, zone, print] = pick.split(":");
    return kind === "c" && description.zones[Number(zone)].owner === question?.seat ? [{ zone, print }] : [];
  });
  if (!cards.length) return null;
  return (
    <ul class="picked-cards" aria-hidden="true">
      {cards.map(({ zone, print }, i) => (
        <li key={i}>
          <Card print={Number(print)} zone={Number(zone)} target={null} ghost />
        </li>
      ))}
    </ul>
  );
}

function Middle() {
  const {
    page: { layout, description },
  } = useTable();
  const boards = layout.boards.length > 0;
  const open =
    layout.ring ||
    layout.rows.length ||
    layout.fronts.length ||
    layout.centre.length ||
    layout.sheets.length ||
    layout.dice.length;
  const isBare = !boards && !open;
  const kind = [boards && " with-board", isBare && " bare", layout.fronts.length && " with-fronts"]
    .filter(Boolean)
    .join("");
  const piles = layout.piles.length ? (
    <div class="piles">
      {groupByArea(layout.piles, description).map((places) =>
        places.length > 1 ? (
          <div key={places[0].zone} class="similar">
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
        <SeatFronts fronts={layout.fronts} />
        {layout.ring ? <Trick /> : null}
        {boards ? null : <PickedCards />}
        {layout.centre.length ? (
          <div class="open-zones">
            {layout.centre.map((place) => (
              <PlaceView key={place.zone} place={place} />
            ))}
          </div>
        ) : null}
        {layout.sheets.map((sheet) => (
          <SheetView key={sheet.variable} sheet={sheet} />
        ))}
        {isBare ? <Ticker /> : null}
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
        {isBare ? null : <Ticker />}
      </div>
    </section>
  );
}

function Notices() {
  const {
    store,
    page: { model },
  } = useTable();
  const [closed, setClosed] = useState(0);
  const { notice, answers } = model;
  const at = Math.max(notice?.at ?? 0, answers?.at ?? 0);
  useEffect(() => {
    // A "too late" notice of a race is relevant only briefly.
    const timer = setTimeout(() => setClosed(at), notice?.at === at ? 5000 : 12_000);
    return () => clearTimeout(timer);
  }, [at]);
  const report = model.rules && (!model.rules.ok || model.rules.report) ? model.rules : null;
  return (
    <div class="notices">
      {model.link === "on" ? null : (
        <p class="link">
          {model.link === "ended" ? model.endReason || "the table is closed" : "connection lost; reconnecting …"}
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
          <button type="button" aria-label="close" onClick={() => setClosed(at)}>
            ×
          </button>
        </div>
      ) : null}
      {report ? <RulesNotice store={store} /> : null}
    </div>
  );
}

// Shows a notice after an edit of the rules that has errors or does not match the game.
function RulesNotice({ store }: { store: Store }) {
  const {
    page: { model },
  } = useTable();
  const stuck = model.rules?.stuck;
  return (
    <div class="notice">
      {stuck ? (
        <p>
          The new rules do not match this game: {stuck.choice}: {stuck.because}
        </p>
      ) : model.rules?.ok ? (
        <p>Ignored in the theme: {reportText(model.rules.report)}</p>
      ) : (
        <p>The rules have errors; the game continues with the previous rules. {reportText(model.rules?.report)}</p>
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
function reportText(report: unknown): string {
  if (!Array.isArray(report)) return "";
  const all = report as Diagnostic[],
    errorsOnly = all.filter((one) => one.severity === "error");
  const errors = errorsOnly.length ? errorsOnly : all;
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

function PageHeader() {
  const {
    store,
    page: { model, description, layout, ui },
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
  const undo = model.welcome?.settings.undo && ui.observer !== null && model.started && !model.over;
  return (
    <header class="head">
      <div class="game">
        <h1>{description.title}</h1>
        <span class="soft">{where}</span>
      </div>
      <nav aria-label="panels">
        {undo ? (
          <button type="button" aria-label="Undo" onClick={() => store.send({ k: "undo", seat: ui.observer! })}>
            <Icon name="undo" />
            <span>Undo</span>
          </button>
        ) : null}
        {panels.map(([panel, words]) => (
          <button
            type="button"
            key={panel}
            aria-label={words}
            aria-pressed={ui.panel === panel}
            onClick={() => store.set({ panel: ui.panel === panel ? null : panel })}
          >
            <Icon name={panel} />
            <span>{words}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}

function SidePanel() {
  const {
    store,
    page: { ui },
  } = useTable();
  const panel = ui.panel;
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
    page: { description, model },
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

// Returns the theme's settings of the table as CSS variables for table.css.
function tableVariables(theme: Theme): Record<string, string> {
  const { colour } = theme.table();
  return colour ? { "--cloth": colour } : {};
}

// Sets the variables for card backs on the document, because flying and dragged cards are outside the table element.
function setBackVariables(theme: Theme): void {
  const { back, backColour } = theme.table();
  const root = document.documentElement.style;
  const setVariable = (name: string, value: string | null): void =>
    value === null ? void root.removeProperty(name) : root.setProperty(name, value);
  setVariable("--back", backColour);
  setVariable("--back-sign", back === null ? null : JSON.stringify(back));
  setVariable("--back-ink", backColour === null ? null : readable("#ffffff", backColour));
}

const kVastBoard = 20; // number of columns from which a board needs the space of the log

const isVast = ({ boards }: Layout): boolean =>
  boards.some(({ info }) => info.shape !== "graph" && info.width > kVastBoard);

function TableView() {
  const {
    page: { layout, theme, past, ui, model },
  } = useTable();
  const seats = layout.others.length;
  return (
    <main
      style={tableVariables(theme)}
      class={`table${past ? " past" : ""}${layout.boards.length ? " boards" : ""}${isVast(layout) ? " vast" : ""} seats-${Math.min(9, seats)}`}
    >
      {!model.started && !model.over ? (
        <Lobby />
      ) : ui.asText ? (
        <TextView />
      ) : (
        <>
          <section class="others" aria-label="other players">
            {layout.others.map((box) => (
              <Seat key={box.seat} box={box} />
            ))}
          </section>
          <Middle />
        </>
      )}
      {model.started || model.over ? (
        <div class="dock">
          <Notices />
          {layout.me && !ui.asText ? <Seat box={layout.me} mine /> : null}
          <QuestionBar />
        </div>
      ) : null}
    </main>
  );
}

// Updates animations, speech and focus after each drawing.
function useEffects(store: Store, page: PageState | null, root: { current: HTMLDivElement | null }): void {
  const animations = useRef<CardAnimations | null>(null);
  const speech = useRef<Speech | null>(null);
  useEffect(() => {
    const layer = document.getElementById("animation-layer")!;
    animations.current = new CardAnimations(root.current!, layer);
    speech.current = new Speech(document.getElementById("polite")!, document.getElementById("assertive")!, chime);
    new Pointing(store, root.current!);
    const finish = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || !["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key))
        animations.current?.finish();
    };
    document.addEventListener("pointerdown", finish, true);
    document.addEventListener("keydown", finish, true);
    return store.watchBefore(() => animations.current?.recordPositions());
  }, []);
  useLayoutEffect(() => {
    updateTabStops(root.current!);
    restoreFocus(root.current!);
    if (!page) return;
    speech.current?.update(page);
    const arrivals = store.arrivals.splice(0);
    const news = arrivals.flatMap((arrival) => arrival.news);
    const { ghosts } = store.ui;
    const hasGhosts = ghosts.length > 0 && arrivals.some((arrival) => arrival.ghosts === ghosts);
    if (!news.length || page.past || page.ui.asText) return hasGhosts ? store.set({ ghosts: [] }) : undefined;
    const { theme, description } = page;
    const linger = hasGhosts ? theme.linger(description.zones[ghosts[0].zone].name) : 0;
    animations.current?.animate(news, description, theme.pace, linger, () => {
      if (store.ui.ghosts === ghosts) store.set({ ghosts: [] }); // otherwise, newer ghosts have arrived
    });
  });
}

// If drawing the table fails, shows the table as text until the next message.
class ErrorBoundary extends Component<{ of: object; children: ComponentChildren }, { failure: string }> {
  state = { failure: "" };
  static getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
  componentDidUpdate(before: { of: object }): void {
    if (this.state.failure && before.of !== this.props.of) this.setState({ failure: "" });
  }
  render() {
    if (!this.state.failure) return this.props.children;
    return (
      <main class="table">
        <p class="link">Cannot draw this table ({this.state.failure}). It is shown as text instead.</p>
        <TextView />
      </main>
    );
  }
}

export function App({ store }: { store: Store }) {
  const [, draw] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const ready = store.model.observed.size > 0;
  useEffect(() => {
    // Changes are highlighted after the first state is drawn.
    const timer = setTimeout(() => root.current?.classList.toggle("settled", ready), 1500);
    return () => clearTimeout(timer);
  }, [ready]);
  useEffect(() => store.watch(() => draw((n) => n + 1)), []);
  const page = store.page();
  useEffects(store, page, root);
  useLayoutEffect(() => {
    if (page) setBackVariables(page.theme);
  }, [page?.theme]);
  useEffect(() => {
    const mine = page?.question && page.question.sent === null && !page.question.race;
    document.title = `${mine ? "● " : ""}${store.model.welcome?.title ?? "Cardwright"}`;
    document.documentElement.dataset.colourScheme = store.settings.colourScheme;
  });
  return (
    <div class={`page${page && isVast(page.layout) ? " vast" : ""}`} ref={root}>
      {page ? (
        <TableContext.Provider value={{ store, page }}>
          {page.ui.curtain ? (
            <Curtain />
          ) : (
            <>
              <PageHeader />
              <div class="body">
                <ErrorBoundary of={page.model}>
                  <TableView />
                </ErrorBoundary>
                <SidePanel />
              </div>
              {page.model.started || page.model.over ? null : <Notices />}
              <BallotBox />
              <End />
              <LargeCard />
            </>
          )}
        </TableContext.Provider>
      ) : (
        <p class="opening">
          {store.model.link === "ended"
            ? store.model.endReason || "the table is closed"
            : (store.model.notice?.text ?? "…")}
        </p>
      )}
    </div>
  );
}
