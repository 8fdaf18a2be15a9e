// Shows the result: winners, reason, scores, and a button for another game.
import type { Layout, SeatBox } from "../layout";
import { isScore } from "../chips";
import { useTable } from "../store";
import { BallotVotes } from "./ballot";
import { Letter, useName } from "./people";

function headline(
  winners: readonly number[],
  seats: readonly number[],
  players: number,
  name: (seat: number) => string,
): string {
  if (!winners.length) return "Nobody wins";
  if (winners.length === players) return "All win";
  // "You" comes first. A device with several seats has no single "you".
  const mine = seats.length === 1 && winners.includes(seats[0]);
  const names = [...(mine ? ["You"] : []), ...winners.filter((seat) => !mine || seat !== seats[0]).map(name)];
  if (names.length === 1) return mine ? "You win" : `${names[0]} wins`;
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]} win`;
}

// Returns the final score lines of all seats, winners first: the values that the rules show or, if there are none,
// numbers, and the payoff.
export function standingsOf(
  { winners, returns }: { winners: readonly number[]; returns: readonly number[] },
  { me, others }: Pick<Layout, "me" | "others">,
  hasPayoff: boolean,
): { seat: number; lines: string[]; payoff: number | null }[] {
  const boxes = [...(me ? [me] : []), ...others];
  const anyShown = boxes.some((box) => box.shown.length > 0);
  // These are scores and shown values or, if there are none, all numbers.
  const lines = ({ chips, shown: shownLines }: SeatBox): string[] => [
    ...chips.flatMap((chip) =>
      chip.kind === "number" && (!anyShown || isScore(chip)) ? [`${chip.label} ${chip.value}`] : [],
    ),
    ...shownLines,
  ];
  const rank = (seat: number): number => (winners.includes(seat) ? Infinity : (returns[seat] ?? 0));
  return boxes
    .map((box) => ({ seat: box.seat, lines: lines(box), payoff: hasPayoff ? (returns[box.seat] ?? null) : null }))
    .sort((a, b) => (rank(a.seat) === rank(b.seat) ? a.seat - b.seat : rank(b.seat) - rank(a.seat)));
}

export function End() {
  const {
    store,
    page: { model, description, layout, ui },
  } = useTable();
  const name = useName();
  const over = model.over;
  if (!over) return null;
  const again = model.welcome?.you.seats.length;
  const { ballot } = model;
  const standings = standingsOf(over, layout, description.payoff);
  if (ui.closedEnd === over)
    return (
      <button type="button" class="option main reopen" onClick={() => store.set({ closedEnd: null })}>
        {headline(over.winners, model.welcome?.you.seats ?? [], description.players, name)}
      </button>
    );
  return (
    <div class="end" role="dialog" aria-label="the game is over">
      <h2>
        {over.failure
          ? "Error in the rules"
          : headline(over.winners, model.welcome?.you.seats ?? [], description.players, name)}
      </h2>
      {over.failure ? <p>{over.failure}</p> : null}
      {over.ending ? <p>{over.ending}</p> : null}
      {standings.some(({ lines, payoff }) => lines.length || payoff !== null) ? (
        <table aria-label="standings">
          <tbody>
            {standings.map(({ seat, lines, payoff }) => (
              <tr class={over.winners.includes(seat) ? "won" : ""}>
                <td>
                  <Letter seat={seat} />
                </td>
                <td>{name(seat)}</td>
                <td>{lines.join(", ")}</td>
                <td>{payoff}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {ballot ? (
        <div class="votes" role="group" aria-label="a vote">
          <BallotVotes />
        </div>
      ) : null}
      <div class="row">
        {again && !ballot ? (
          <button type="button" class="option main" onClick={() => store.send({ k: "ballot", kind: "again" })}>
            Play again
          </button>
        ) : null}
        <button type="button" class="option" onClick={() => store.set({ closedEnd: over })}>
          Show the table
        </button>
      </div>
    </div>
  );
}
