// Draws a board: squares, hexagons or a graph, with pieces, walls and cell values.
import { useMemo, useState } from "preact/hooks";
import {
  cellsIn,
  cornerLines,
  degrees,
  edgeLine,
  frameOf,
  geometry,
  kUnit,
  windowOf,
  type Geometry,
  type Point,
  type Window,
} from "../geometry";
import { hue } from "../colours";
import type { BoardView, DrawnPiece } from "../layout";
import { fullText } from "../value_text";
import { target } from "../targets";
import type { BoardInfo } from "../protocol";
import { useTable } from "../store";

const points = (outline: readonly Point[]): string =>
  outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

const seatColour = (seat: number | null): string => (seat === null ? "var(--neutral)" : `var(--seat-${seat % 16})`);

// Returns the accessible label of a cell: its name, pieces and value.
function cellLabel(view: BoardView, cell: number): string {
  const pieces = view.pieces.filter((piece) => piece.cells.includes(cell)).map((piece) => piece.words);
  const value = view.values[cell];
  const shows = value ? [`${view.info.shows?.text ?? ""} ${fullText(value)}`.trim()] : [];
  return [view.info.cells[cell], ...pieces, ...shows, ...(view.last.cells.has(cell) ? ["last move"] : [])].join(", ");
}

// Returns the cells that contain something or can be picked.
function usedCells(view: BoardView, targets: Iterable<string>): number[] {
  const { info, board, ground } = view;
  const ofEdge = (edge: number): number => info.edges?.[edge]?.cell ?? -1;
  const picked = [...targets]
    .map((name) => name.split(":"))
    .filter(([kind, of]) => (kind === "k" || kind === "e") && Number(of) === board)
    .map(([kind, , at]) => (kind === "k" ? Number(at) : ofEdge(Number(at))));
  return [
    ...view.pieces.flatMap((piece) => piece.cells),
    ...view.values.flatMap((value, cell) => (value ? [cell] : [])),
    ...(ground.edges ?? []).map(([edge]) => ofEdge(edge)),
    ...(ground.walls ?? []).flatMap((wall) => wall.edges.map(ofEdge)),
    ...picked,
  ].filter((cell) => cell >= 0);
}

function Cells({ view, at, drawn }: { view: BoardView; at: Geometry; drawn: number[] }) {
  const {
    store,
    page: { narrowed, ui },
  } = useTable();
  const { info, board } = view;
  return (
    <g class="cells">
      {drawn.map((cell) => {
        const name = target.cell(board, cell);
        const can = narrowed.next.has(name),
          picked = ui.picks.includes(name) || ui.marked.includes(name);
        const dark = info.shape === "grid" && ((cell % info.width) + Math.floor(cell / info.width)) % 2 === 0;
        return (
          <polygon
            key={cell}
            points={points(at.outline[cell])}
            data-target={name}
            data-stop
            role="button"
            class={`cell${dark ? " dark" : ""}${can ? " can" : ""}${picked ? " picked" : ""}`}
            aria-label={cellLabel(view, cell) + (can ? ", can be picked" : "")}
            aria-pressed={picked || undefined}
            onClick={() => store.pick(name)}
          />
        );
      })}
    </g>
  );
}

// Draws cell values: numbers as shades, and words by their colour and sign or, if they have none, by their initials.
function Values({ view, at }: { view: BoardView; at: Geometry }) {
  const values = view.ground.cells;
  if (!values) return null;
  const most = Math.max(1, ...values.map((value) => (typeof value === "number" ? value : 0)));
  const texts = [...new Set(values.filter((value): value is string => typeof value === "string"))];
  return (
    <g class="values" aria-hidden="true">
      {values.map((value, cell) => {
        const text = view.values[cell];
        if (!text) return null;
        const [x, y] = at.centre[cell];
        const number = typeof value === "number";
        const fill = number
          ? "var(--ink)"
          : value !== null && typeof value === "object"
            ? seatColour(value.seat)
            : typeof value === "string"
              ? (text.colour ?? hue(texts.indexOf(value)))
              : "var(--accent)";
        return (
          <g key={cell}>
            <polygon
              points={points(at.outline[cell])}
              fill={fill}
              opacity={number ? 0.1 + 0.45 * (value / most) : 0.45}
            />
            {value === true ? null : (
              <text x={x + kUnit * 0.46} y={y + kUnit * 0.44} class="value" text-anchor="end">
                {number ? value : (text.symbol ?? text.text.slice(0, 2))}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

function Walls({ view, at }: { view: BoardView; at: Geometry }) {
  const {
    store,
    page: { narrowed, ui, description },
  } = useTable();
  const { info, board, ground } = view;
  const line = (edge: number, name: string, title: string, extra: Record<string, unknown> = {}) => {
    const ends = edgeLine(info, at, edge);
    if (!ends) return null;
    const [[x1, y1], [x2, y2]] = ends;
    return (
      <line key={`${name} ${edge}`} x1={x1} y1={y1} x2={x2} y2={y2} class={name} {...extra}>
        {title ? <title>{title}</title> : null}
      </line>
    );
  };
  const offered = [...narrowed.next.keys()]
    .filter((one) => one.startsWith(`e:${board}:`))
    .map((one) => Number(one.split(":")[2]));
  return (
    <g class="walls">
      {(ground.edges ?? []).map(([edge, value]) => {
        const seat = typeof value === "object" ? value.seat : null;
        const text = typeof value === "object" ? (description.seats[value.seat] ?? "") : String(value);
        const colour = seat === null ? {} : { style: { stroke: seatColour(seat) } };
        return line(edge, "wall", `${info.shows_on_edges?.text ?? ""} ${text}`, colour);
      })}
      {(ground.walls ?? []).flatMap((wall) => wall.edges.map((edge) => line(edge, "wall", wall.means)))}
      {offered.map((edge) => {
        const name = target.edge(board, edge);
        return line(edge, `edge can${ui.picks.includes(name) ? " picked" : ""}`, info.edges?.[edge]?.name ?? "", {
          "data-target": name,
          "data-stop": true,
          role: "button",
          "aria-label": `${info.edges?.[edge]?.name}, can be picked`,
          onClick: () => store.pick(name),
        });
      })}
    </g>
  );
}

// Marks cells that the last move left with a dashed ring, and cells that it reached with corner marks.
function LastMove({ view: { last, info }, at }: { view: BoardView; at: Geometry }) {
  return (
    <g class="last-move" aria-hidden="true">
      {[...last.cells].map(([cell, what]) => {
        const [x, y] = at.centre[cell];
        if (what === "left") return <circle key={cell} cx={x} cy={y} r={13} class="was-left" />;
        if (info.shape === "graph") return <circle key={cell} cx={x} cy={y} r={kUnit * 0.5} class="was-reached" />;
        return <path key={cell} d={cornerLines(at, cell)} class="was-reached" />;
      })}
      {[...last.edges].map((edge) => {
        const ends = edgeLine(info, at, edge);
        if (!ends) return null;
        const [[x1, y1], [x2, y2]] = ends;
        return <line key={`edge ${edge}`} x1={x1} y1={y1} x2={x2} y2={y2} class="was-reached" />;
      })}
    </g>
  );
}

function Arrow({ facing, info }: { facing: string; info: BoardInfo }) {
  const turn = degrees(facing, info);
  return turn === null ? null : <path class="facing" d="M0,-19 L6,-11 L-6,-11 Z" transform={`rotate(${turn})`} />;
}

function Piece({ piece, view, at }: { piece: DrawnPiece; view: BoardView; at: Geometry }) {
  const { cells, sign } = piece;
  const x = cells.reduce((sum, cell) => sum + at.centre[cell][0], 0) / cells.length;
  const y = cells.reduce((sum, cell) => sum + at.centre[cell][1], 0) / cells.length;
  const letters = [...sign].length;
  const size = letters > 2 ? 11 : letters > 1 ? 15 : 19;
  const shift = piece.below * 6;
  const many = cells.length > 1 || piece.form === "area";
  return (
    <g
      class={`piece ${piece.form}${piece.seat === null ? "" : " owned"}${many ? " wide" : ""}`}
      style={{ "--seat": piece.seat === null && piece.colour ? piece.colour : seatColour(piece.seat) }}
    >
      <title>{piece.words}</title>
      {many ? cells.map((cell) => <polygon points={points(at.outline[cell])} class="ground" />) : null}
      <g class="body" style={{ transform: `translate(${x + shift}px, ${y - shift}px)` }}>
        {many ? null : piece.form === "square" ? (
          <rect x="-15" y="-15" width="30" height="30" rx="7" class="disc" />
        ) : (
          <circle r="15.5" class="disc" />
        )}
        {piece.facing ? <Arrow facing={piece.facing} info={view.info} /> : null}
        <text class="sign" y={size * 0.36} font-size={size} text-anchor="middle">
          {piece.form === "area" ? "" : sign}
        </text>
        {piece.letter && !many ? (
          <g class="owner-letter">
            <circle cx="11" cy="11" r="6.5" />
            <text x="11" y="14" font-size="9" text-anchor="middle">
              {piece.letter}
            </text>
          </g>
        ) : null}
      </g>
    </g>
  );
}

function Pieces({ view, at }: { view: BoardView; at: Geometry }) {
  const {
    store,
    page: { narrowed, ui },
  } = useTable();
  return (
    <g class="pieces">
      {view.pieces.map((piece) => {
        const drawing = <Piece key={piece.key} piece={piece} view={view} at={at} />;
        const name = piece.piece ? target.piece(...piece.piece) : null;
        if (name === null || !(narrowed.next.has(name) || ui.picks.includes(name))) return drawing;
        return (
          <g
            key={piece.key}
            class={`pick${narrowed.next.has(name) ? " can" : ""}${ui.picks.includes(name) ? " picked" : ""}`}
            role="button"
            tabIndex={-1}
            data-stop
            data-target={name}
            aria-label={`${piece.words}, can be picked`}
            onClick={() => store.pick(name)}
          >
            {drawing}
          </g>
        );
      })}
    </g>
  );
}

// Marks targets: a dot for an empty cell, a ring around pieces.
function Marks({ view, at }: { view: BoardView; at: Geometry }) {
  const {
    page: { narrowed, ui },
  } = useTable();
  const full = new Set(view.pieces.filter((piece) => piece.form !== "area").flatMap((piece) => piece.cells));
  return (
    <g class="marks" aria-hidden="true">
      {view.info.cells.map((_, cell) => {
        const name = target.cell(view.board, cell);
        const picked = ui.picks.includes(name) || ui.marked.includes(name);
        if (!picked && !narrowed.next.has(name)) return null;
        const [x, y] = at.centre[cell];
        return full.has(cell) || picked ? (
          <circle key={cell} cx={x} cy={y} r={17.5} class={`ring-mark${picked ? " picked" : ""}`} />
        ) : (
          <circle key={cell} cx={x} cy={y} r={6} class="dot-mark" />
        );
      })}
    </g>
  );
}

function Coordinates({ view, at, window }: { view: BoardView; at: Geometry; window: Window | null }) {
  const { info } = view;
  if (!window)
    return (
      <g class="coordinates" aria-hidden="true">
        {info.cells.map((name, cell) => (
          <text x={at.centre[cell][0] + 19} y={at.centre[cell][1] - 13}>
            {name}
          </text>
        ))}
      </g>
    );
  const column = (name: string): string => name.replace(/\d+$/, "");
  const row = (name: string): string => name.replace(/^\D+/, "");
  return (
    <g class="coordinates" aria-hidden="true">
      {Array.from({ length: window.right - window.left + 1 }, (_, i) => {
        const cell = window.low * info.width + window.left + i,
          [x, y] = at.centre[cell];
        return (
          <text x={x} y={y + kUnit / 2 + 14} text-anchor="middle">
            {column(info.cells[cell])}
          </text>
        );
      })}
      {Array.from({ length: window.high - window.low + 1 }, (_, i) => {
        const cell = (window.low + i) * info.width + window.left,
          [x, y] = at.centre[cell];
        return (
          <text x={x - kUnit / 2 - 6} y={y + 4} text-anchor="end">
            {row(info.cells[cell])}
          </text>
        );
      })}
    </g>
  );
}

const kLegend = 5; // maximum number of signs in the legend below the board; more are in a collapsed list

function Legend({ view }: { view: BoardView }) {
  const lines = [
    ...view.legend.map(([sign, means]) => (
      <span>
        <b>{sign}</b> {means}
      </span>
    )),
    ...(view.info.shows && view.ground.cells
      ? [
          <span>
            {view.ground.cells.some((value) => typeof value === "number")
              ? `numbers: ${view.info.shows.text}`
              : view.info.shows.text}
          </span>,
        ]
      : []),
  ];
  if (lines.length <= kLegend) return <>{lines}</>;
  return (
    <details class="legend">
      <summary>legend</summary>
      <div>{lines}</div>
    </details>
  );
}

export function Board({ view }: { view: BoardView }) {
  const {
    page: { theme, description, narrowed },
  } = useTable();
  const [zoomed, setZoomed] = useState(false);
  const at = useMemo(() => geometry(view.info), [view.info]);
  const window = windowOf(view.info, usedCells(view, narrowed.next.keys()));
  const frame = frameOf(view.info, at, window);
  const size = theme.board(view.info.name).size;
  const graph = view.info.shape === "graph";
  const left = graph ? 12 : 24,
    below = graph ? 12 : 22;
  const box = [frame[0] - left, frame[1] - 14, frame[2] + left + 14, frame[3] + below + 14];
  const wide = box[2] / kUnit;
  const style = {
    "--wide": String(wide),
    "--ratio": String(box[2] / box[3]),
    ...(size ? { "--cell": `${size}px` } : {}),
  };
  return (
    <figure class={`board ${view.info.shape}${zoomed ? " zoomed" : ""}${wide > 14 ? " vast" : ""}`}>
      <div class="scroll">
        <svg
          viewBox={box.map((n) => n.toFixed(1)).join(" ")}
          style={style}
          role="group"
          aria-label={`board ${view.info.name}`}
          data-group
        >
          {graph ? (
            <g class="lines" aria-hidden="true">
              {(view.info.lines ?? []).map(([from, to]) => (
                <line x1={at.centre[from][0]} y1={at.centre[from][1]} x2={at.centre[to][0]} y2={at.centre[to][1]} />
              ))}
            </g>
          ) : null}
          <Cells view={view} at={at} drawn={cellsIn(view.info, window)} />
          <Values view={view} at={at} />
          <Walls view={view} at={at} />
          <LastMove view={view} at={at} />
          <Pieces view={view} at={at} />
          <Marks view={view} at={at} />
          <Coordinates view={view} at={at} window={window} />
        </svg>
      </div>
      <figcaption>
        {description.boards.length > 1 ? <b>{view.info.name}</b> : null}
        <Legend view={view} />
        {wide > 9 ? (
          <button type="button" class="zoom" aria-pressed={zoomed} onClick={() => setZoomed(!zoomed)}>
            {zoomed ? "fit board" : "zoom in"}
          </button>
        ) : null}
      </figcaption>
    </figure>
  );
}
