// Shows seats with letters in their colours and names, and the panel to take, name and give up seats.
import { useState } from "preact/hooks";
import { useTable } from "../store";

export function Letter({ seat }: { seat: number }) {
  const {
    page: { description },
  } = useTable();
  return (
    <span class="letter" style={{ "--seat": `var(--seat-${seat % 16})` }}>
      {description.seats[seat]}
    </span>
  );
}

export function useName(): (seat: number) => string {
  const {
    page: { model, description },
  } = useTable();
  return (seat) => model.people.find((one) => one.seat === seat)?.name || description.seats[seat];
}

function Invitation({ to, link }: { to: string; link: string | undefined }) {
  if (!link) return null;
  return (
    <input
      class="link"
      readOnly
      aria-label={`invitation ${to}`}
      value={link}
      onFocus={(e) => e.currentTarget.select()}
    />
  );
}

const kMostLetters = 24; // maximum length of a name, at which the table truncates it

function Person({ seat }: { seat: number }) {
  const {
    store,
    page: { model, description },
  } = useTable();
  const [name, setName] = useState<string | null>(null);
  const person = model.people.find((one) => one.seat === seat);
  const mine = model.welcome?.you.seats.includes(seat) ?? false;
  const host = model.welcome?.you.host ?? false;
  const kind = person?.kind ?? "open";
  const letter = description.seats[seat];
  const commit = (event: Event): void => {
    event.preventDefault();
    if (name !== null) store.send({ k: "name", seat, name });
    setName(null);
  };
  return (
    <li class="person">
      <Letter seat={seat} />
      {name === null ? (
        <span class="who">
          {person?.name || letter}
          {mine ? " (you)" : ""} <small>{kind !== "person" ? kind : person?.here ? "" : "away"}</small>
          {person?.here && person.lag ? <small title="network round-trip time"> {person.lag} ms</small> : null}
        </span>
      ) : (
        <form class="who" onSubmit={commit}>
          <input
            aria-label={`name of ${letter}`}
            maxLength={kMostLetters}
            value={name}
            onInput={(e) => setName(e.currentTarget.value)}
          />
          <button type="submit">ok</button>
        </form>
      )}
      <span class="does">
        {mine && name === null ? (
          <button type="button" onClick={() => setName(person?.name ?? "")}>
            rename
          </button>
        ) : null}
        {mine ? (
          <button type="button" onClick={() => store.send({ k: "rise", seat })}>
            leave seat
          </button>
        ) : null}
        {!mine && kind === "open" ? (
          <button type="button" onClick={() => store.send({ k: "sit", seat })}>
            sit here
          </button>
        ) : null}
        {host && !mine && (kind === "open" || (kind === "person" && !person?.here)) ? (
          <button type="button" onClick={() => store.send({ k: "host", do: "bot", seat })}>
            let a bot play
          </button>
        ) : null}
        {host && kind === "bot" ? (
          <button type="button" onClick={() => store.send({ k: "host", do: "open", seat })}>
            open the seat
          </button>
        ) : null}
        {host && kind !== "bot" ? (
          <button type="button" onClick={() => store.send({ k: "host", do: "invite", seat })}>
            invite
          </button>
        ) : null}
        {host && kind === "person" && !mine ? (
          <button type="button" onClick={() => store.send({ k: "host", do: "revoke", seat })}>
            revoke
          </button>
        ) : null}
        {!host && model.welcome?.you.seats.length && kind === "person" && !person?.here ? (
          <button type="button" onClick={() => store.send({ k: "ballot", kind: "bot", seat })}>
            replace {person?.name || letter} with a bot
          </button>
        ) : null}
      </span>
      <Invitation to={`for ${letter}`} link={model.links.get(seat)} />
    </li>
  );
}

export function People() {
  const {
    store,
    page: { model, description },
  } = useTable();
  const host = model.welcome?.you.host ?? false;
  return (
    <section class="people" aria-label="people">
      {model.started ? <h2>People</h2> : null}
      <ul>
        {description.seats.map((_, seat) => (
          <Person key={seat} seat={seat} />
        ))}
      </ul>
      <p class="soft">{model.watching === 1 ? "1 spectator" : `${model.watching} spectators`}</p>
      {host ? (
        <button type="button" onClick={() => store.send({ k: "host", do: "invite" })}>
          invite spectators
        </button>
      ) : null}
      <Invitation to="for spectators" link={model.links.get(null)} />
      {host && !model.started ? (
        <button type="button" class="main" onClick={() => store.send({ k: "host", do: "start" })}>
          Start
        </button>
      ) : null}
      {model.started && model.welcome?.you.seats.length ? (
        <div class="row">
          {model.over ? (
            <button type="button" onClick={() => store.send({ k: "ballot", kind: "again" })}>
              new game
            </button>
          ) : (
            <button type="button" onClick={() => store.send({ k: "ballot", kind: model.paused ? "resume" : "pause" })}>
              {model.paused ? "resume" : "pause"}
            </button>
          )}
        </div>
      ) : null}
    </section>
  );
}
