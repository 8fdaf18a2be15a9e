// The table as text: a list of its contents and a list of options.
import { ground_words, type BoardView, type Layout, type Place, type SeatBox } from "../layout";
import type { Chip } from "../noted";
import { in_words, name_of } from "../said";
import type { Description } from "../protocol";
import { useTable } from "../store";
import { use_name } from "./people";
import { cell_words } from "./row";

function place_words(place: Place, description: Description): string {
  const cards = [...place.cards, ...place.facedown];
  const known = cards
    .filter((stack) => stack.print !== null)
    .map(({ print, n }) => (n > 1 ? `${n} × ` : "") + name_of(print, description));
  const hidden = place.n - cards.reduce((sum, { print, n }) => sum + (print === null ? 0 : n), 0);
  const more =
    hidden > 0 ? [place.kind === "pile" && known.length ? `${hidden} more below` : `${hidden} face down`] : [];
  const notes = place.note.map(({ label, said }) => ` (${label} ${in_words(said)})`).join("");
  return `${place.name}${notes}: ${[...known, ...more].join(", ") || "empty"}`;
}

function chip_words(chip: Chip, description: Description): string {
  const seat = (one: number): string => description.seats[one];
  switch (chip.kind) {
    case "number":
      return `${chip.label} ${chip.value}`;
    case "tag":
      return `${chip.label} ${in_words(chip.said)}`.trim();
    case "player":
      return `${chip.label}: ${chip.seats.map(seat).join(", ")}`;
    case "cards":
      return `${chip.label}: ${chip.prints.map((print) => name_of(print, description)).join(", ")}`;
    case "table":
      return `${chip.label}: ${chip.rows.map((row) => `${row.key} ${in_words(row.said)}`).join(", ")}`;
    case "dice":
      return `${chip.label}: ${chip.faces.join(", ")}`;
  }
}

function seat_words(box: SeatBox, description: Description): string[] {
  return [
    ...(box.in ? [] : ["out"]),
    ...box.chips.map((chip) => chip_words(chip, description)),
    ...box.shown,
    ...box.places.map((place) => place_words(place, description)),
  ];
}

function last_words({ last, info }: BoardView): string[] {
  const of = (what: string): string =>
    [...last.cells].flatMap(([cell, how]) => (how === what ? [info.cells[cell]] : [])).join(", ");
  const edges = [...last.edges].map((edge) => info.edges?.[edge]?.name ?? `${edge}`).join(", ");
  const said = [of("left") && `left ${of("left")}`, of("reached") && `reached ${of("reached")}`, edges].filter(Boolean);
  return said.length ? [`last move: ${said.join("; ")}`] : [];
}

function board_words(layout: Layout, seats: readonly string[]): { name: string; lines: string[] }[] {
  return layout.boards.map((view) => ({
    name: view.info.name,
    lines: [
      ...view.lying.map(
        (piece) =>
          `${piece.words}: ${piece.cells.map((cell) => view.info.cells[cell]).join(", ")}${piece.facing ? `, faces ${piece.facing}` : ""}`,
      ),
      ...ground_words(view, seats),
      ...last_words(view),
    ],
  }));
}

export function TextView() {
  const {
    store,
    shown: { layout, description, question, past },
  } = useTable();
  const name = use_name();
  const list = (title: string, lines: string[]) =>
    lines.length ? (
      <>
        <h3>{title}</h3>
        <ul>
          {lines.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      </>
    ) : null;
  const sheet_lines = layout.sheets.flatMap((sheet) =>
    sheet.groups.flatMap(({ label, columns }) =>
      columns.map(({ seat, cells }) => {
        const said = cells.flatMap((cell, i) => (cell ? [`${sheet.keys[i]} ${in_words(cell.said)}`] : []));
        return `${label}${seat === null ? "" : ` of ${name(seat)}`}: ${said.join(", ") || "nothing"}`;
      }),
    ),
  );
  const row_lines = layout.rows.map((row) => {
    const said = row.cells.map(({ key }, i) => `${key}: ${cell_words(row, i) || "nothing"}`);
    return `${row.label}${row.seat === null ? "" : ` of ${name(row.seat)}`}: ${said.join(", ")}`;
  });
  const table = [
    ...row_lines,
    ...sheet_lines,
    ...layout.dice.map((chip) => chip_words(chip, description)),
    ...layout.chips.map((chip) => chip_words(chip, description)),
    ...layout.shown,
    ...(layout.ring?.played ?? []).map(
      (one) => `before ${name(one.seat)}: ${one.stack.map(({ print }) => name_of(print, description)).join(", ")}`,
    ),
    ...[...layout.piles, ...layout.centre].map((place) => place_words(place, description)),
    ...layout.before.flatMap(({ seat, places }) =>
      places.map((place) => `before ${name(seat)}: ${place_words(place, description)}`),
    ),
  ];
  const boxes = [...(layout.me ? [layout.me] : []), ...layout.others];
  return (
    <section class="in-words" aria-label="the table in words">
      {list("On the table", table)}
      {board_words(layout, description.seats).map((board) => list(`On ${board.name}`, board.lines))}
      {boxes.map((box) => list(box === layout.me ? "You" : name(box.seat), seat_words(box, description)))}
      {question && !past && question.sent === null ? (
        <>
          <h3>Your options</h3>
          <ol>
            {question.options.map((option) => (
              <li>
                <button type="button" class="option" onClick={() => store.take(option)}>
                  {option.words}
                </button>
              </li>
            ))}
          </ol>
        </>
      ) : null}
      <button type="button" class="option quiet" onClick={() => store.set({ as_text: false })}>
        show the table
      </button>
    </section>
  );
}
