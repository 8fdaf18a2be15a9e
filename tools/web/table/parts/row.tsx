// Draws a row of places with values, from left to right for the person's own seat, and reversed for the seat opposite.
import { fullText } from "../value_text";
import type { PlacesRow } from "../sheets";
import { useTable } from "../store";
import { Letter, useName } from "./people";
import { ValueLabel } from "./variables";

// Returns the text of a place: "seeds 4, owner b"; "" for an empty place.
export const cellText = ({ cells, several }: PlacesRow, index: number): string =>
  cells[index].values.map(({ label, value }) => `${several && label ? `${label} ` : ""}${fullText(value)}`).join(", ");

function PlaceCell({ row, index }: { row: PlacesRow; index: number }) {
  const {
    store,
    page: { narrowed, ui },
  } = useTable();
  const { at, key, values } = row.cells[index];
  const can = narrowed.next.has(at),
    picked = ui.picks.includes(at);
  const text = cellText(row, index);
  return (
    <li>
      <button
        type="button"
        class={`spot${can ? " can" : ""}${picked ? " picked" : ""}`}
        data-stop
        data-target={at}
        tabIndex={-1}
        aria-pressed={picked || undefined}
        aria-label={`${row.label} ${key}: ${text || "nothing"}${can ? ", can be picked" : ""}`}
        onClick={() => store.pick(at)}
      >
        <small>{key}</small>
        {values.map((one) => (
          <span key={`${one.label} ${one.value.text}`} class={one.zero ? "none" : ""}>
            {row.several && one.label ? <small>{one.label} </small> : null}
            <ValueLabel value={one.value} />
          </span>
        ))}
      </button>
    </li>
  );
}

export function PlacesRows({ rows }: { rows: readonly PlacesRow[] }) {
  const name = useName();
  if (!rows.length) return null;
  return (
    <div class="spots">
      {rows.map((row) => (
        <section
          key={row.key}
          class={row.reversed ? "back" : ""}
          style={row.seat === null ? {} : { "--seat": `var(--seat-${row.seat % 16})` }}
        >
          <h3>
            {row.seat === null ? null : <Letter seat={row.seat} />} {row.label}
          </h3>
          <ul data-group aria-label={row.seat === null ? row.label : `${row.label} of ${name(row.seat)}`}>
            {row.cells.map((_, index) => (
              <PlaceCell key={index} row={row} index={index} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
