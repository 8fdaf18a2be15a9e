// Draws the middle of the table with each card in front of its player, in order of seats.
import { target } from "../targets";
import { useTable } from "../store";
import { Card } from "./card";
import { Letter } from "./people";

// Returns the position of a seat's card in percent of the middle: the person's own card is at the bottom, and the
// others follow clockwise along an ellipse.
export function cardPosition(seat: number, me: number | null, players: number): { x: number; y: number } {
  const turn = (seat - (me ?? 0) + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * turn) / players; // 0 points right; clockwise, since y points down
  return { x: 50 + 40 * Math.cos(angle), y: 50 + 34 * Math.sin(angle) };
}

export function Trick() {
  const {
    page: { layout, description, ui },
  } = useTable();
  const ghosts = ui.ghosts.filter((ghost) => ghost.seat !== null);
  const ring = layout.ring;
  if (!ring && !ghosts.length) return null;
  const me = layout.me?.seat ?? null;
  const cards = [
    ...ghosts.map((ghost) => ({ seat: ghost.seat!, zone: ghost.zone, print: ghost.print, ghost: true })),
    ...(ring?.played ?? []).flatMap((played) =>
      played.stack.map(({ print }) => ({ seat: played.seat, zone: played.zone, print, ghost: false })),
    ),
  ];
  const name = ring?.name ?? "played";
  return (
    <ul class={`ring of-${Math.min(8, description.players)}`} data-group aria-label={name}>
      {description.seats.map((_, seat) => {
        const { x, y } = cardPosition(seat, me, description.players);
        const mine = cards.filter((card) => card.seat === seat);
        return (
          <li
            key={seat}
            style={{ left: `${x}%`, top: `${y}%` }}
            data-zone={ringZone(seat)}
            class={mine.length ? "" : "empty"}
          >
            {mine.map((card) => (
              <Card
                print={card.print}
                zone={card.zone}
                ghost={card.ghost}
                target={
                  card.ghost ? null : card.print === null ? target.zone(card.zone) : target.card(card.zone, card.print)
                }
              />
            ))}
            <Letter seat={seat} />
          </li>
        );
      })}
    </ul>
  );
  function ringZone(seat: number): number | undefined {
    const zone = description.zones.findIndex(
      (one) => one.owner === seat && one.shape === "slot" && one.name.replaceAll("_", " ") === ring?.name,
    );
    return zone < 0 ? undefined : zone;
  }
}
