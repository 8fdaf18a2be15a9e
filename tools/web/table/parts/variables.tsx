// Draws the values of variables as chips at a seat or on the table.
import { readable, tint } from "../colours";
import { isScore, type Chip } from "../chips";
import type { ValueText } from "../value_text";
import { target } from "../targets";
import { useTable } from "../store";
import { Letter } from "./people";

// Draws a value with the sign and colour of the theme.
export function ValueLabel({ value: { symbol, text, colour } }: { value: ValueText }) {
  return (
    <b class="tinted" style={tint(colour)}>
      {symbol !== null && symbol !== text ? `${symbol} ` : ""}
      {text}
    </b>
  );
}

// The faces 1 to 6 of a die, as positions in a 3 × 3 grid.
const kPoints: Record<string, number[]> = {
  "1": [4],
  "2": [0, 8],
  "3": [0, 4, 8],
  "4": [0, 2, 6, 8],
  "5": [0, 2, 4, 6, 8],
  "6": [0, 2, 3, 5, 6, 8],
};

function Die({ face, placed, index, colour }: { face: string; placed: number; index: number; colour: string | null }) {
  const {
    store,
    page: { narrowed, ui, description },
  } = useTable();
  const at = target.piece(placed, index);
  const can = narrowed.next.has(at),
    picked = ui.picks.includes(at) || ui.marked.includes(at);
  const points = kPoints[face];
  const name = description.placed[placed].labels[index] ?? `${description.placed[placed].name} ${index + 1}`;
  return (
    <li>
      <button
        type="button"
        class={`die${can ? " can" : ""}${picked ? " picked" : ""}`}
        data-stop
        data-target={at}
        tabIndex={-1}
        style={colour === null ? {} : { "--die": colour, "--die-ink": readable("#ffffff", colour) }}
        aria-pressed={picked || undefined}
        aria-label={`${name}: ${face}${can ? ", can be picked" : ""}`}
        onClick={() => store.pick(at)}
      >
        {points ? (
          <svg viewBox="0 0 30 30" aria-hidden="true">
            {points.map((p) => (
              <circle cx={7 + (p % 3) * 8} cy={7 + Math.floor(p / 3) * 8} r="2.8" />
            ))}
          </svg>
        ) : (
          face
        )}
      </button>
    </li>
  );
}

function Pips({ value, max, tokens }: { value: number; max: number; tokens: string | null }) {
  if (tokens)
    return value > max ? (
      <>
        {value} {tokens}
      </>
    ) : (
      <span aria-hidden="true">{tokens.repeat(Math.max(0, value))}</span>
    );
  return (
    <span class="pips" aria-hidden="true">
      {Array.from({ length: max }, (_, i) => (
        <i class={i < value ? "full" : ""} />
      ))}
    </span>
  );
}

function Prints({ prints }: { prints: (number | null)[] }) {
  const {
    store,
    page: { description, theme },
  } = useTable();
  return (
    <>
      {prints.map((print) => {
        if (print === null) return <span class="name">?</span>;
        const french = theme.french(description.prints[print]);
        return (
          <button
            type="button"
            class={`name${french?.red ? " red" : ""}`}
            onClick={() => store.set({ enlarged: print })}
          >
            {french ? `${french.rank}${french.suit}` : description.prints[print].name}
          </button>
        );
      })}
    </>
  );
}

function body(chip: Chip) {
  switch (chip.kind) {
    case "number":
      return (
        <>
          <span class="label">{chip.label}</span>{" "}
          {chip.max !== null && (chip.tokens || (chip.max > 1 && chip.value > 0)) ? (
            <Pips value={chip.value} max={chip.max} tokens={chip.tokens} />
          ) : null}
          <b>{chip.value}</b>
        </>
      );
    case "tag":
      return (
        <>
          {chip.label ? <span class="label">{chip.label}</span> : null} <ValueLabel value={chip.value} />
        </>
      );
    case "player":
      return (
        <>
          <span class="label">{chip.label} →</span>{" "}
          {chip.seats.map((seat) => (
            <Letter seat={seat} />
          ))}
        </>
      );
    case "cards":
      return (
        <>
          <span class="label">{chip.label}</span> <Prints prints={chip.prints} />
        </>
      );
    case "table":
      return (
        <>
          <span class="label">{chip.label}</span>
          <dl>
            {chip.rows.map((row) => (
              <div>
                <dt>{row.seat === null ? row.key.replaceAll("_", " ") : <Letter seat={row.seat} />}</dt>
                <dd>
                  <ValueLabel value={row.value} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      );
    case "dice":
      return (
        <>
          <span class="label">
            {chip.symbol ? `${chip.symbol} ` : ""}
            {chip.label}
          </span>
          <ul class="dice" data-group aria-label={chip.label}>
            {chip.faces.map((face, i) => (
              <Die face={face} placed={chip.placed} index={i} colour={chip.colour} />
            ))}
          </ul>
        </>
      );
  }
}

export function Chips({ chips }: { chips: readonly Chip[] }) {
  if (!chips.length) return null;
  return (
    <ul class="chips" aria-label="values">
      {chips.map((chip) => (
        <li
          key={`${chip.variable} ${JSON.stringify(chip)}`}
          class={`chip ${chip.kind}${isScore(chip) ? " score" : ""}`}
        >
          {body(chip)}
        </li>
      ))}
    </ul>
  );
}
