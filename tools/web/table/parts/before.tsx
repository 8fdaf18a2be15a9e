// The cards before each seat in the middle of the table: packs with an owner, and open slots.
import type { Before } from "../layout";
import { useTable } from "../store";
import { Letter, use_name } from "./people";
import { PlaceView } from "./zone";

export function BeforeSeats({ before }: { before: readonly Before[] }) {
  const {
    shown: { layout },
  } = useTable();
  const name = use_name();
  if (!before.length) return null;
  return (
    <div class="before">
      {before.map(({ seat, places }) => (
        <section
          key={seat}
          class={seat === layout.me?.seat ? "mine" : ""}
          aria-label={`before ${seat === layout.me?.seat ? "you" : name(seat)}`}
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
