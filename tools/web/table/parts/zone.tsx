// Draws zones: hands, open rows and sets, piles and slots.
import type { CardStack, Place } from "../layout";
import { target } from "../targets";
import { useTable } from "../store";
import { Card } from "./card";
import { Letter } from "./people";
import { ValueLabel } from "./variables";

// Returns the target of a click on a card: the card itself if options name it, otherwise its zone, or a face-down card
// in the zone.
function useTarget(zone: number): (print: number | null) => string | null {
  const {
    page: { layout, narrowed, ui },
  } = useTable();
  const isRelevant = (one: string): boolean => narrowed.next.has(one) || ui.picks.includes(one);
  return (print) => {
    const self = target.zone(zone),
      card = print === null ? self : target.card(zone, print);
    if (!isRelevant(card) && isRelevant(self)) return self;
    return layout.targets.has(card) ? card : null;
  };
}

// Draws an empty place for a card.
function EmptyPlace({ place, small }: { place: Place; small?: boolean }) {
  const {
    page: { narrowed, ui },
    store,
  } = useTable();
  const self = target.zone(place.zone);
  const can = narrowed.next.has(self),
    picked = ui.picks.includes(self);
  return (
    <button
      type="button"
      class={`card empty${small ? " small" : ""}${can ? " can" : ""}${picked ? " picked" : ""}`}
      data-stop
      data-target={self}
      tabIndex={-1}
      aria-pressed={picked || undefined}
      aria-label={`${place.words}, empty${can ? ", can be picked" : ""}`}
      onClick={() => store.pick(self)}
    />
  );
}

const count = (n: number): string => (n === 1 ? "1 card" : `${n} cards`);

function downZone(place: Place, zones: { up: number | null }[]): number {
  return zones.findIndex((other) => other.up === place.zone);
}

function Stacks({
  zone,
  stacks,
  fan,
  small,
}: {
  zone: number;
  stacks: readonly CardStack[];
  fan?: boolean;
  small?: boolean;
}) {
  const at = useTarget(zone);
  const middle = (stacks.length - 1) / 2;
  const step = Math.min(2.2, 18 / Math.max(1, stacks.length));
  return (
    <>
      {stacks.map(({ print, n }, i) => {
        const nth = stacks.slice(0, i).filter((one) => one.print === print).length;
        return (
          <li key={`${print}:${nth}`}>
            <Card
              print={print}
              zone={zone}
              target={at(print)}
              n={n}
              nth={nth}
              small={small}
              tilt={fan ? (i - middle) * step : undefined}
            />
          </li>
        );
      })}
    </>
  );
}

// Draws the values of one of several similar places.
function Notes({ place }: { place: Place }) {
  if (!place.notes.length) return null;
  return (
    <p class="note">
      {place.notes.map(({ label, value, seat }) =>
        seat === null ? (
          <span>
            {label} <ValueLabel value={value} />
          </span>
        ) : (
          <span title={label}>
            <Letter seat={seat} />
          </span>
        ),
      )}
    </p>
  );
}

const kMaxInRow = 20; // more cards of a hand are drawn in several rows
const kMaxLarge = 7; // up to this number, the cards of a hand are large

// Draws the person's own cards, fanned and sorted.
export function Hand({ place }: { place: Place }) {
  const {
    page: { description },
  } = useTable();
  const down = downZone(place, description.zones);
  return (
    <div
      class={`place hand${place.n === 0 ? " none" : ""}${place.n > kMaxInRow ? " many" : place.n <= kMaxLarge ? " few" : ""}`}
      data-zone={place.zone}
    >
      <h3>
        {place.name} <small>{place.n}</small>
      </h3>
      <ul data-group aria-label={`${place.words}, ${count(place.n)}`} data-hand={place.zone}>
        <Stacks zone={place.zone} stacks={place.cards} fan={place.n <= kMaxInRow} />
        {place.facedown.length ? <Stacks zone={down} stacks={place.facedown} fan={place.n <= kMaxInRow} /> : null}
      </ul>
    </div>
  );
}

interface Drawing {
  place: Place;
  small?: boolean;
  brief?: boolean; // one of several similar places
}

// Draws a pile: its top card (face down if the pile is hidden), its name, and its number of cards.
export function Pile({ place, small, brief }: Drawing) {
  const {
    page: { description },
  } = useTable();
  const at = useTarget(place.zone);
  const down = downZone(place, description.zones);
  const top = place.cards[0] ?? place.facedown[place.facedown.length - 1];
  const zone = place.cards.length || down < 0 ? place.zone : down;
  // The pile is hidden even if its top card is known.
  const hidden = !place.cards.length || !description.zones[zone].sees.length;
  return (
    <div
      class={`place pile${place.n > 1 ? " thick" : ""}`}
      data-zone={place.zone}
      data-target={target.zone(place.zone)}
    >
      <ul data-group aria-label={`${place.words}, ${count(place.n)}`}>
        <li>
          {top ? (
            <Card print={top.print} zone={zone} target={at(top.print)} small={small} down={hidden} />
          ) : (
            <EmptyPlace place={place} small={small} />
          )}
        </li>
      </ul>
      <h3>
        {brief ? place.short : place.name} <small>{place.n}</small>
      </h3>
      <Notes place={place} />
    </div>
  );
}

const kBacks = 8; // maximum number of drawn backs; a label shows the full number

function Backs({ zone, n }: { zone: number; n: number }) {
  const at = useTarget(zone);
  return (
    <>
      {Array.from({ length: Math.min(n, kBacks) }, (_, i) => (
        <li key={`back ${i}`} class="one-back">
          <Card print={null} zone={zone} target={at(null)} small />
        </li>
      ))}
    </>
  );
}

const unknownIn = (stacks: readonly CardStack[]): number =>
  stacks.reduce((sum, { print, n }) => sum + (print === null ? n : 0), 0);
const knownIn = (stacks: readonly CardStack[]): CardStack[] => stacks.filter((stack) => stack.print !== null);

// Draws cards in another seat's box: known cards as small faces, then backs.
function SmallStacks({ place, down }: { place: Place; down: number }) {
  return (
    <>
      <Stacks zone={place.zone} stacks={knownIn(place.cards)} small />
      <Stacks zone={down} stacks={knownIn(place.facedown)} small />
      <Backs zone={place.zone} n={unknownIn(place.cards)} />
      <Backs zone={down} n={unknownIn(place.facedown)} />
    </>
  );
}

// Draws open cards side by side.
export function Spread({ place, small, mine }: { place: Place; small?: boolean; mine?: boolean }) {
  const {
    store,
    page: { description, ui, question },
  } = useTable();
  const down = downZone(place, description.zones);
  // Own cards are never folded, and no cards are while the time for an answer runs.
  const canFold = small && place.long && !mine && question?.left === undefined;
  const folded = canFold && !ui.unfolded.has(place.zone);
  const fold = (): void => {
    const unfolded = new Set(ui.unfolded);
    if (!unfolded.delete(place.zone)) unfolded.add(place.zone);
    store.set({ unfolded });
  };
  const ghosts = ui.ghosts.filter((ghost) => ghost.zone === place.zone && ghost.seat === null);
  const { area } = description.zones[place.zone];
  const part = area !== null && area !== undefined; // drawn even when empty
  return (
    <div
      class={`place spread${place.n === 0 && !part ? " none" : ""}`}
      data-zone={place.zone}
      data-target={target.zone(place.zone)}
    >
      <h3>
        {place.name} <small>{place.n}</small>
        {canFold ? (
          <button
            type="button"
            class="fold"
            aria-expanded={!folded}
            aria-label={`cards of ${place.words}`}
            onClick={fold}
          >
            {folded ? "▸" : "▾"}
          </button>
        ) : null}
      </h3>
      <Notes place={place} />
      {folded ? null : (
        <ul data-group aria-label={`${place.words}, ${count(place.n)}`}>
          {part && place.n === 0 ? (
            <li>
              <EmptyPlace place={place} small={small} />
            </li>
          ) : null}
          {ghosts.map((ghost, i) => (
            <li key={`ghost ${i}`}>
              <Card print={ghost.print} zone={ghost.zone} target={null} ghost small={small} />
            </li>
          ))}
          {small ? (
            <SmallStacks place={place} down={down} />
          ) : (
            <>
              <Stacks zone={place.zone} stacks={place.cards} />
              {place.facedown.length ? <Stacks zone={down} stacks={place.facedown} /> : null}
            </>
          )}
        </ul>
      )}
    </div>
  );
}

// Draws a frame for one card.
export function Slot({ place, small, brief }: Drawing) {
  const {
    page: { description },
  } = useTable();
  const at = useTarget(place.zone);
  const down = downZone(place, description.zones);
  return (
    <div class="place slot" data-zone={place.zone} data-target={target.zone(place.zone)}>
      <ul data-group aria-label={`${place.words}, ${count(place.n)}`}>
        {place.cards.map(({ print }) => (
          <li>
            <Card print={print} zone={place.zone} target={at(print)} small={small} />
          </li>
        ))}
        {place.facedown.map(({ print }) => (
          <li>
            <Card print={print} zone={down} target={target.zone(down)} small={small} />
          </li>
        ))}
        {place.n === 0 ? (
          <li>
            <EmptyPlace place={place} small={small} />
          </li>
        ) : null}
      </ul>
      <h3>{brief ? place.short : place.name}</h3>
      <Notes place={place} />
    </div>
  );
}

// Draws a place. The person's places are drawn large once options have named them, otherwise small like those of other
// players.
export function PlaceView({ place, mine, small: always, brief }: Drawing & { mine?: boolean }) {
  const {
    page: { ui },
  } = useTable();
  const small = always || (mine && place.kind === "spread" && !ui.usedZones.has(place.zone));
  if (place.kind === "pile") return <Pile place={place} small={small} brief={brief} />;
  if (place.kind === "slot") return <Slot place={place} small={small} brief={brief} />;
  if (place.kind === "hand" && mine) return <Hand place={place} />;
  return <Spread place={place} small={small} mine={mine} />;
}
