// A sheet of all players: scores by what they are for, men by where they stand.
import { in_words, target, type Said, type Sheet } from "../layout";
import { useTable } from "../store";
import { Letter } from "./people";
import { Words } from "./variables";

const kAcross = 14; // keys from which on they stand side by side

function Key({ sheet, index }: { sheet: Sheet; index: number }) {
  const {
    store,
    shown: { narrowed, doing },
  } = useTable();
  const at = target.key(sheet.variable, index);
  const can = narrowed.next.has(at),
    picked = doing.picks.includes(at);
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
      onClick={() => store.point(at)}
    >
      {words}
    </button>
  );
}

function Value({ said, seat }: { said: Said | null; seat: number }) {
  return (
    <td class={said ? "has" : ""} style={{ "--seat": `var(--seat-${seat % 16})` }}>
      {said ? <Words said={said} /> : null}
    </td>
  );
}

const brief = (said: Said | null): string => said?.symbol ?? said?.text ?? "";

// What each seat has on a line of it.
function said_in({ rows }: Sheet, index: number, seats: readonly string[]): string {
  return rows.flatMap((row, seat) => (row[index] ? [`${seats[seat]} ${in_words(row[index])}`] : [])).join(", ");
}

export function SheetView({ sheet }: { sheet: Sheet }) {
  const {
    shown: { description },
  } = useTable();
  const seats = sheet.rows.map((_, seat) => seat);
  if (sheet.keys.length >= kAcross)
    return (
      <div class="track">
        <h3>
          {sheet.label}{" "}
          {seats.map((seat) => (
            <Letter key={seat} seat={seat} />
          ))}
        </h3>
        <ul data-group aria-label={sheet.label}>
          {sheet.keys.map((key, index) => (
            <li key={key} aria-label={`${key}: ${said_in(sheet, index, description.seats)}`}>
              <Key sheet={sheet} index={index} />
              {seats.map((seat) => (
                <b
                  key={seat}
                  class={sheet.rows[seat][index] ? "has" : ""}
                  style={{ "--seat": `var(--seat-${seat % 16})` }}
                >
                  {brief(sheet.rows[seat][index])}
                </b>
              ))}
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <table class="sheet" data-group aria-label={sheet.label}>
      <caption>{sheet.label}</caption>
      <thead>
        <tr>
          <td />
          {seats.map((seat) => (
            <th key={seat} scope="col">
              <Letter seat={seat} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.keys.map((_, index) => (
          <tr key={index}>
            <th scope="row">
              <Key sheet={sheet} index={index} />
            </th>
            {seats.map((seat) => (
              <Value key={seat} said={sheet.rows[seat][index]} seat={seat} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
