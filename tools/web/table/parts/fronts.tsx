// Draws the cards in front of each seat in the middle of the table: packs with an owner, and open slots.
import type { SeatFront } from "../layout";
import { useTable } from "../store";
import { Letter, useName } from "./people";
import { PlaceView } from "./zone";

export function SeatFronts({ fronts }: { fronts: readonly SeatFront[] }) {
  const {
    page: { layout },
  } = useTable();
  const name = useName();
  if (!fronts.length) return null;
  return (
    <div class="fronts">
      {fronts.map(({ seat, places }) => (
        <section
          key={seat}
          class={seat === layout.me?.seat ? "mine" : ""}
          aria-label={`in front of ${seat === layout.me?.seat ? "you" : name(seat)}`}
          style={{ "--seat": `var(--seat-${seat % 16})` }}
        >
          <Letter seat={seat} />
          {places.map((place) => (
            <PlaceView key={place.zone} place={place} brief />
          ))}
        </section>
      ))}
    </div>
  );
}
