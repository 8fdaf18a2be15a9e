// Shows votes: undo, pause, a new game, or a bot for an absent player.
import { useEffect, useState } from "preact/hooks";
import { useTable } from "../store";
import { Letter, useName } from "./people";

// The text, the votes so far and the buttons of a vote.
export function BallotVotes() {
  const {
    store,
    page: { model },
  } = useTable();
  const name = useName();
  const [, tick] = useState(0);
  const ballot = model.ballot;
  useEffect(() => {
    if (!ballot) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [ballot?.id]);
  if (!ballot) return null;
  const seats = model.welcome?.you.seats ?? [];
  const open = seats.some((seat) => !(String(seat) in ballot.votes));
  const left = Math.max(0, Math.round((ballot.ends - performance.now()) / 1000));
  const missing = model.people.filter(
    (one) => one.kind === "person" && one.here && !(String(one.seat) in ballot.votes),
  );
  return (
    <>
      <p>
        {ballot.text || ballot.kind} <small>{left} s</small>
      </p>
      <p>
        {Object.entries(ballot.votes).map(([seat, yes]) => (
          <span class="vote">
            <Letter seat={Number(seat)} /> {yes ? "yes" : "no"}
          </span>
        ))}
      </p>
      {open ? (
        <div class="row">
          <button type="button" class="option main" onClick={() => store.send({ k: "vote", id: ballot.id, yes: true })}>
            Yes
          </button>
          <button type="button" class="option" onClick={() => store.send({ k: "vote", id: ballot.id, yes: false })}>
            No
          </button>
        </div>
      ) : missing.length ? (
        <p class="soft">waiting for {missing.map((one) => name(one.seat)).join(", ")}</p>
      ) : null}
    </>
  );
}

// Shows a vote above the table. After the end of the game, the result shows it instead (end.tsx).
export function BallotBox() {
  const {
    page: { model, ui },
  } = useTable();
  if (!model.ballot || (model.over && ui.closedEnd !== model.over)) return null;
  return (
    <div class="ballot" role="alertdialog" aria-label="a vote">
      <BallotVotes />
    </div>
  );
}
