// The end: who won, why, what everybody got, and another game.
import { useState } from "preact/hooks";
import { is_score, type SeatBox } from "../layout";
import { useTable } from "../store";
import { Letter, use_name } from "./people";

function headline(
  winners: readonly number[],
  seats: readonly number[],
  players: number,
  name: (seat: number) => string,
): string {
  if (!winners.length) return "Nobody wins";
  if (winners.length === players) return "All win";
  if (winners.length === 1 && seats.length === 1 && winners[0] === seats[0]) return "You win";
  const names = winners.map(name);
  return names.length === 1
    ? `${names[0]} wins`
    : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]} win`;
}

// Points and what the rules say of a seat, at the end.
function facts({ chips, shown }: SeatBox): string {
  const scores = chips.flatMap((chip) =>
    chip.kind === "number" && is_score(chip) ? [`${chip.label} ${chip.value}`] : [],
  );
  return [...scores, ...shown].join(", ");
}

export function End() {
  const {
    store,
    shown: { model, description, layout },
  } = useTable();
  const name = use_name();
  const [closed, set_closed] = useState<object | null>(null);
  const over = model.over;
  if (!over) return null;
  const again = model.welcome?.you.seats.length;
  const pays = description.payoff && over.returns.length > 0;
  const rank = (seat: number): number => (pays ? (over.returns[seat] ?? 0) : Number(over.winners.includes(seat)));
  const boxes = [...(layout.me ? [layout.me] : []), ...layout.others].sort(
    (a, b) => rank(b.seat) - rank(a.seat) || a.seat - b.seat,
  );
  const more = pays || boxes.some((box) => facts(box));
  if (closed === over)
    return (
      <button type="button" class="option main reopen" onClick={() => set_closed(null)}>
        {headline(over.winners, model.welcome?.you.seats ?? [], description.players, name)}
      </button>
    );
  return (
    <div class="end" role="dialog" aria-label="the game is over">
      <h2>
        {over.failure
          ? "The rules failed"
          : headline(over.winners, model.welcome?.you.seats ?? [], description.players, name)}
      </h2>
      {over.failure ? <p>{over.failure}</p> : null}
      {over.ending ? <p>{over.ending}</p> : null}
      {more ? (
        <table>
          <tbody>
            {boxes.map((box) => (
              <tr key={box.seat} class={over.winners.includes(box.seat) ? "won" : ""}>
                <td>
                  <Letter seat={box.seat} />
                </td>
                <td>{name(box.seat)}</td>
                <td>{facts(box)}</td>
                {pays ? <td>{over.returns[box.seat]}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <div class="row">
        {again ? (
          <button type="button" class="option main" onClick={() => store.send({ k: "ballot", kind: "again" })}>
            Again
          </button>
        ) : null}
        <button type="button" class="option" onClick={() => set_closed(over)}>
          Look at the table
        </button>
      </div>
    </div>
  );
}
