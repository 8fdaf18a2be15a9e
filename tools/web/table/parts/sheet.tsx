// Draws a sheet with the values of all players: scores by category, pieces by position, and related values of the
// table.
import { fullText } from "../value_text";
import { kMinTrackKeys, type Sheet, type SheetCell } from "../sheets";
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

export function SheetView({ sheet }: { sheet: Sheet }) {
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
