// Draws a sheet with the values of all players: scores by category, pieces by position, and related values of the
// table.
import { fullText } from "../value_text";
import { kMinTrackKeys, type Sheet, type SheetCell, type TrackBoard, type TrackPoint } from "../sheets";
import { useTable } from "../store";
import { target } from "../targets";
import { Letter } from "./people";
import { ValueLabel } from "./variables";

function Key({ sheet, index }: { sheet: Sheet; index: number }) {
  const {
    store,
    page: { narrowed, ui },
  } = useTable();
  const at = target.key(sheet.variable, index);
  const can = narrowed.next.has(at),
    picked = ui.picks.includes(at);
  const words = sheet.keys[index];
  if (!can && !picked) return <span>{words}</span>;
  return (
    <button
      type="button"
      class={`key${can ? " can" : ""}${picked ? " picked" : ""}`}
      data-target={at}
      data-stop
      tabIndex={-1}
      aria-pressed={picked || undefined}
      aria-label={`${sheet.label} ${words}, can be picked`}
      onClick={() => store.pick(at)}
    >
      {words}
    </button>
  );
}

const seatStyle = (seat: number | null): Record<string, string> =>
  seat === null ? {} : { "--seat": `var(--seat-${seat % 16})` };

function Value({ cell, seat }: { cell: SheetCell | null; seat: number | null }) {
  const owner = cell?.seat ?? seat;
  return (
    <td class={cell && owner !== null ? "has" : ""} style={seatStyle(owner)}>
      {cell?.seat != null ? <Letter seat={cell.seat} /> : cell ? <ValueLabel value={cell.value} /> : null}
    </td>
  );
}

const shortText = (cell: SheetCell | null): string => cell?.value.symbol ?? cell?.value.text ?? "";

// Returns the values of each seat on a line of the sheet.
function lineText({ groups }: Sheet, index: number, seats: readonly string[]): string {
  return groups
    .flatMap(({ columns }) => columns)
    .flatMap(({ seat, cells }) =>
      cells[index] ? [`${seat === null ? "" : `${seats[seat]} `}${fullText(cells[index].value)}`] : [],
    )
    .join(", ");
}

// Draws places side by side in rows of twelve: two rows form a backgammon board.
function Track({ sheet }: { sheet: Sheet }) {
  const {
    page: { description },
  } = useTable();
  const columns = sheet.groups.flatMap((group) => group.columns);
  return (
    <div class="track">
      <h3>
        {sheet.label} {columns.map(({ seat }) => (seat === null ? null : <Letter key={seat} seat={seat} />))}
      </h3>
      <ul data-group aria-label={sheet.label}>
        {sheet.keys.map((key, index) => (
          <li key={key} aria-label={`${key}: ${lineText(sheet, index, description.seats)}`}>
            <Key sheet={sheet} index={index} />
            {columns.map(({ seat, cells }) => (
              <b key={seat} class={cells[index] ? "has" : ""} style={seatStyle(seat)}>
                {shortText(cells[index])}
              </b>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

const kMaxStack = 5; // maximum number of men that are drawn on a point; a number shows how many there are

// Draws a point of a track as a triangle with a stack of men. `up`: in the lower row, whose stacks grow upwards.
function Point({ sheet, point, up, dark }: { sheet: Sheet; point: TrackPoint; up: boolean; dark: boolean }) {
  const {
    store,
    page: { narrowed, ui, description },
  } = useTable();
  const at = target.key(sheet.variable, point.index);
  const can = narrowed.next.has(at),
    picked = ui.picks.includes(at);
  const key = sheet.keys[point.index];
  const men = point.men.map(({ seat, n }) => `${seat === null ? "" : `${description.seats[seat]} `}${n}`).join(", ");
  return (
    <button
      type="button"
      class={`point${up ? " up" : ""}${dark ? " dark" : ""}${can ? " can" : ""}${picked ? " picked" : ""}`}
      data-target={at}
      data-stop
      tabIndex={-1}
      aria-pressed={picked || undefined}
      aria-label={`${sheet.label} ${key}: ${men || "empty"}${can ? ", can be picked" : ""}`}
      onClick={() => store.pick(at)}
    >
      <small>{key}</small>
      <span class="stack">
        {point.men.flatMap(({ seat, n }) =>
          Array.from({ length: Math.min(n, kMaxStack) }, (_, i) => (
            <i key={`${seat} ${i}`} style={seatStyle(seat)}>
              {n > kMaxStack && i === kMaxStack - 1 ? n : i === 0 && seat !== null ? description.seats[seat] : ""}
            </i>
          )),
        )}
      </span>
    </button>
  );
}

// Draws a track as a board: the second half of the points above, the first half below from right to left, and further
// places between the halves of each row.
function TrackBoardView({ sheet, track }: { sheet: Sheet; track: TrackBoard }) {
  const half = track.points.length / 2,
    quarter = half / 2;
  const upper = track.points.slice(half),
    lower = track.points.slice(0, half).reverse();
  const row = (points: readonly TrackPoint[], up: boolean) =>
    points.map((point, i) => <Point sheet={sheet} point={point} up={up} dark={(i % 2 === 0) === up} />);
  const middle = (
    <div class="rest">
      {track.rest.map((point) => (
        <Point sheet={sheet} point={point} up dark={false} />
      ))}
    </div>
  );
  const halfOf = (from: number) => (
    <div class="half">
      <div>{row(upper.slice(from, from + quarter), false)}</div>
      <div>{row(lower.slice(from, from + quarter), true)}</div>
    </div>
  );
  return (
    <figure class="track-board" data-group aria-label={sheet.label} style={{ "--points": quarter }}>
      {halfOf(0)}
      {track.rest.length ? middle : null}
      {halfOf(quarter)}
    </figure>
  );
}

export function SheetView({ sheet }: { sheet: Sheet }) {
  if (sheet.track) return <TrackBoardView sheet={sheet} track={sheet.track} />;
  if (sheet.keys.length >= kMinTrackKeys) return <Track sheet={sheet} />;
  const several = sheet.groups.length > 1;
  const columns = sheet.groups.flatMap((group) => group.columns);
  return (
    <table class="sheet" data-group aria-label={sheet.label || sheet.groups.map(({ label }) => label).join(", ")}>
      {sheet.label ? <caption>{sheet.label}</caption> : null}
      <thead>
        {several ? (
          <tr>
            <td />
            {sheet.groups.map(({ label, columns }) => (
              <th key={label} scope="colgroup" colSpan={columns.length} rowSpan={columns[0].seat === null ? 2 : 1}>
                {label}
              </th>
            ))}
          </tr>
        ) : null}
        <tr>
          <td />
          {columns.map(({ seat }, i) =>
            seat === null ? null : (
              <th key={i} scope="col">
                <Letter seat={seat} />
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {sheet.keys.map((_, index) => (
          <tr key={index}>
            <th scope="row">
              <Key sheet={sheet} index={index} />
            </th>
            {columns.map(({ seat, cells }, i) => (
              <Value key={i} cell={cells[index]} seat={seat} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
