// The end: who won, why, what everybody got, and another game.
import { useState } from "preact/hooks";
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

export function End() {
  const {
    store,
    shown: { model, description },
  } = useTable();
  const name = use_name();
  const [closed, set_closed] = useState<object | null>(null);
  const over = model.over;
  if (!over) return null;
  const again = model.welcome?.you.seats.length;
  const ranks = description.seats
    .map((_, seat) => seat)
    .sort((a, b) => (over.returns[b] ?? 0) - (over.returns[a] ?? 0));
  const more = description.payoff && over.returns.length > 0;
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
            {ranks.map((seat) => (
              <tr class={over.winners.includes(seat) ? "won" : ""}>
                <td>
                  <Letter seat={seat} />
                </td>
                <td>{name(seat)}</td>
                <td>{over.returns[seat]}</td>
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
