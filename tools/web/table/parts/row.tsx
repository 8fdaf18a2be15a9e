// A row of places with values: left to right for the own seat, reversed for the seat opposite.
import { in_words } from "../said";
import type { PlacesRow } from "../sheets";
import { useTable } from "../store";
import { Letter, use_name } from "./people";
import { Words } from "./variables";

// "seeds 4, owner b"; "" for an empty place.
export const cell_words = ({ cells, several }: PlacesRow, index: number): string =>
  cells[index].values.map(({ label, said }) => `${several && label ? `${label} ` : ""}${in_words(said)}`).join(", ");

function PlaceCell({ row, index }: { row: PlacesRow; index: number }) {
  const {
    store,
    shown: { narrowed, doing },
  } = useTable();
  const { at, key, values } = row.cells[index];
  const can = narrowed.next.has(at),
    picked = doing.picks.includes(at);
  const said = cell_words(row, index);
  return (
    <li>
      <button
        type="button"
        class={`spot${can ? " can" : ""}${picked ? " picked" : ""}`}
        data-stop
        data-target={at}
        tabIndex={-1}
        aria-pressed={picked || undefined}
        aria-label={`${row.label} ${key}: ${said || "nothing"}${can ? ", can be picked" : ""}`}
        onClick={() => store.point(at)}
      >
        <small>{key}</small>
        {values.map((one) => (
          <span key={`${one.label} ${one.said.text}`} class={one.none ? "none" : ""}>
            {row.several && one.label ? <small>{one.label} </small> : null}
            <Words said={one.said} />
          </span>
        ))}
      </button>
    </li>
  );
}

export function PlacesRows({ rows }: { rows: readonly PlacesRow[] }) {
  const name = use_name();
  if (!rows.length) return null;
  return (
    <div class="spots">
      {rows.map((row) => (
        <section
          key={row.key}
          class={row.back ? "back" : ""}
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
