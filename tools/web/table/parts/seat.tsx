// Draws a seat's box: its player, status, places and values.
import { useState } from "preact/hooks";
import type { SeatBox } from "../layout";
import { target } from "../targets";
import { useTable } from "../store";
import { Cut } from "./cut";
import { Letter, useName } from "./people";
import { Chips } from "./variables";
import { PlaceView } from "./zone";

const kMarks = { asked: "deciding", turn: "to move", out: "out", away: "away", bot: "bot", won: "won" };

export function useMarks(seat: number): (keyof typeof kMarks)[] {
  const {
    page: { model, layout, observed, past },
  } = useTable();
  const box = layout.me?.seat === seat ? layout.me : layout.others.find((one) => one.seat === seat);
  const person = model.people.find((one) => one.seat === seat);
  const out: (keyof typeof kMarks)[] = [];
  // In a race, any player can act at any time.
  const { asked } = observed;
  const isAsked = !past && !model.over && !model.clock && asked && (asked.all || asked.seat === seat);
  if (model.over?.winners.includes(seat)) out.push("won");
  else if (isAsked) out.push("asked");
  else if (layout.active === seat && !model.over && (past || model.clock || !observed.asked)) out.push("turn");
  if (box && !box.in) out.push("out");
  if (person?.kind === "bot" || (person?.kind === "open" && model.started))
    out.push("bot"); // open: a bot plays until someone takes the seat
  else if (person?.kind === "person" && !person.here) out.push("away");
  return out;
}

function Header({ box, mine }: { box: SeatBox; mine: boolean }) {
  const {
    store,
    page: { narrowed, ui, description },
  } = useTable();
  const name = useName();
  const partners = (description.teams ?? []).find((team) => team.includes(box.seat))?.filter((one) => one !== box.seat);
  const marks = useMarks(box.seat);
  const at = target.seat(box.seat);
  const can = narrowed.next.has(at),
    picked = ui.picks.includes(at);
  const inner = (
    <>
      <Letter seat={box.seat} />
      <span class="who">
        <Cut text={name(box.seat)} />
        {mine ? " (you)" : ""}
      </span>
      {partners?.length ? (
        <span class="mark with" title={`plays with ${partners.map(name).join(", ")}`}>
          with{" "}
          {partners.map((seat) => (
            <Letter key={seat} seat={seat} />
          ))}
        </span>
      ) : null}
      {marks.map((mark) => (
        <span class={`mark ${mark}`}>{kMarks[mark]}</span>
      ))}
    </>
  );
  if (!can && !picked) return <div class="seat-head">{inner}</div>;
  return (
    <button
      type="button"
      class={`seat-head${can ? " can" : ""}${picked ? " picked" : ""}`}
      data-target={at}
      aria-pressed={picked || undefined}
      aria-label={`${name(box.seat)}, can be picked`}
      onClick={() => store.pick(at)}
    >
      {inner}
    </button>
  );
}

export function Seat({ box, mine = false }: { box: SeatBox; mine?: boolean }) {
  const {
    store,
    page: { narrowed, ui },
  } = useTable();
  const marks = useMarks(box.seat);
  const at = target.seat(box.seat);
  const can = narrowed.next.has(at);
  // The whole box is a click target for the seat, except for elements with their own target.
  const point = (event: MouseEvent): void => {
    const own = (event.target as Element).closest(".can, .picked, .unfold, .fold");
    if (!can || own) return;
    event.stopPropagation();
    store.pick(at);
  };
  const [open, setOpen] = useState(false);
  const has = box.places.length > 0 || box.chips.length > 0 || box.shown.length > 0;
  const wanted = box.places.some(
    (place) =>
      [...narrowed.next.keys()].some((one) => one.startsWith(`c:${place.zone}:`) || one === target.zone(place.zone)) ||
      (can && place.cards.some(({ print }) => print !== null)),
  );
  const hand = mine ? box.places.filter((place) => place.kind === "hand") : [];
  const rest = mine ? box.places.filter((place) => place.kind !== "hand") : box.places;
  const on = marks.includes("asked") || marks.includes("turn");
  const aimed = ui.picks.includes(at);
  const state = `${on ? " on" : ""}${box.in ? "" : " gone"}${can ? " aim" : ""}${aimed ? " aimed" : ""}`;
  return (
    <section
      class={`seat${mine ? " mine" : ""}${state}${open || wanted ? " open" : ""}`}
      data-seat={box.seat}
      aria-label={mine ? "you" : `seat ${box.seat + 1}`}
      style={{ "--seat": `var(--seat-${box.seat % 16})` }}
      data-target={at}
      onClickCapture={point}
    >
      <div class="line">
        <Header box={box} mine={mine} />
        {!mine && has ? (
          <button
            type="button"
            class="unfold"
            aria-expanded={open}
            aria-label="show more of this seat"
            onClick={() => setOpen(!open)}
          >
            {open ? "▾" : "▸"}
          </button>
        ) : null}
        <Chips chips={box.chips} />
      </div>
      {box.shown.length ? (
        <div class="shown">
          {box.shown.map((line) => (
            <p>{line}</p>
          ))}
        </div>
      ) : null}
      <div class="seat-zones">
        {rest.length ? (
          <div class="places">
            {rest.map((place) => (
              <PlaceView key={place.zone} place={place} mine={mine} small={!mine} />
            ))}
          </div>
        ) : null}
        {hand.length ? (
          <div class="hands">
            {hand.map((place) => (
              <PlaceView key={place.zone} place={place} mine />
            ))}
          </div>
        ) : null}
      </div>
    </section>
  );
}
