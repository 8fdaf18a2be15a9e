// Shows votes: undo, pause, a new game, or a bot for an absent player.
import { useEffect, useState } from "preact/hooks";
import { useTable } from "../store";
import { Letter } from "./people";

export function BallotBox() {
  const {
    store,
    page: { model },
  } = useTable();
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
  return (
    <div class="ballot" role="alertdialog" aria-label="a vote">
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
      ) : null}
    </div>
  );
}
