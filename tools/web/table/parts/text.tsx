// Shows the table as text: a list of its contents and a list of options.
import { groundLines, type BoardView, type Layout, type Place, type SeatBox } from "../layout";
import type { Chip } from "../chips";
import { fullText, printName } from "../value_text";
import type { Description } from "../protocol";
import { useTable } from "../store";
import { useName } from "./people";
import { cellText } from "./row";

function placeText(place: Place, description: Description): string {
  const cards = [...place.cards, ...place.facedown];
  const known = cards
    .filter((stack) => stack.print !== null)
    .map(({ print, n }) => (n > 1 ? `${n} × ` : "") + printName(print, description));
  const hidden = place.n - cards.reduce((sum, { print, n }) => sum + (print === null ? 0 : n), 0);
  const more =
    hidden > 0 ? [place.kind === "pile" && known.length ? `${hidden} more below` : `${hidden} face down`] : [];
  const notes = place.notes.map(({ label, value }) => ` (${label} ${fullText(value)})`).join("");
  return `${place.name}${notes}: ${[...known, ...more].join(", ") || "empty"}`;
}

function chipText(chip: Chip, description: Description): string {
  const seat = (one: number): string => description.seats[one];
  switch (chip.kind) {
    case "number":
      return `${chip.label} ${chip.value}`;
    case "tag":
      return `${chip.label} ${fullText(chip.value)}`.trim();
    case "player":
      return `${chip.label}: ${chip.seats.map(seat).join(", ")}`;
    case "cards":
      return `${chip.label}: ${chip.prints.map((print) => printName(print, description)).join(", ")}`;
    case "table":
      return `${chip.label}: ${chip.rows.map((row) => `${row.key} ${fullText(row.value)}`).join(", ")}`;
    case "dice":
      return `${chip.label}: ${chip.faces.join(", ")}`;
  }
}

function seatLines(box: SeatBox, description: Description): string[] {
  return [
    ...(box.in ? [] : ["out"]),
    ...box.chips.map((chip) => chipText(chip, description)),
    ...box.shown,
    ...box.places.map((place) => placeText(place, description)),
  ];
}

function lastMoveLines({ last, info }: BoardView): string[] {
  const of = (what: string): string =>
    [...last.cells].flatMap(([cell, how]) => (how === what ? [info.cells[cell]] : [])).join(", ");
  const edges = [...last.edges].map((edge) => info.edges?.[edge]?.name ?? `${edge}`).join(", ");
  const texts = [of("left") && `left ${of("left")}`, of("reached") && `reached ${of("reached")}`, edges].filter(
    Boolean,
  );
  return texts.length ? [`last move: ${texts.join("; ")}`] : [];
}

function boardTexts(layout: Layout, seats: readonly string[]): { name: string; lines: string[] }[] {
  return layout.boards.map((view) => ({
    name: view.info.name,
    lines: [
      ...view.pieces.map(
        (piece) =>
          `${piece.words}: ${piece.cells.map((cell) => view.info.cells[cell]).join(", ")}${piece.facing ? `, faces ${piece.facing}` : ""}`,
      ),
      ...groundLines(view, seats),
      ...lastMoveLines(view),
    ],
  }));
}

export function TextView() {
  const {
    store,
    page: { layout, description, question, past },
  } = useTable();
  const name = useName();
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
  const sheetLines = layout.sheets.flatMap((sheet) =>
    sheet.groups.flatMap(({ label, columns }) =>
      columns.map(({ seat, cells }) => {
        const texts = cells.flatMap((cell, i) => (cell ? [`${sheet.keys[i]} ${fullText(cell.value)}`] : []));
        return `${label}${seat === null ? "" : ` of ${name(seat)}`}: ${texts.join(", ") || "nothing"}`;
      }),
    ),
  );
  const rowLines = layout.rows.map((row) => {
    const texts = row.cells.map(({ key }, i) => `${key}: ${cellText(row, i) || "nothing"}`);
    return `${row.label}${row.seat === null ? "" : ` of ${name(row.seat)}`}: ${texts.join(", ")}`;
  });
  const table = [
    ...rowLines,
    ...sheetLines,
    ...layout.dice.map((chip) => chipText(chip, description)),
    ...layout.chips.map((chip) => chipText(chip, description)),
    ...layout.shown,
    ...(layout.ring?.played ?? []).map(
      (one) =>
        `in front of ${name(one.seat)}: ${one.stack.map(({ print }) => printName(print, description)).join(", ")}`,
    ),
    ...[...layout.piles, ...layout.centre].map((place) => placeText(place, description)),
    ...layout.fronts.flatMap(({ seat, places }) =>
      places.map((place) => `in front of ${name(seat)}: ${placeText(place, description)}`),
    ),
  ];
  const boxes = [...(layout.me ? [layout.me] : []), ...layout.others];
  return (
    <section class="in-words" aria-label="the table as text">
      {list("On the table", table)}
      {boardTexts(layout, description.seats).map((board) => list(`On ${board.name}`, board.lines))}
      {boxes.map((box) => list(box === layout.me ? "You" : name(box.seat), seatLines(box, description)))}
      {question && !past && question.sent === null ? (
        <>
          <h3>Your options</h3>
          <ol>
            {question.options.map((option) => (
              <li>
                <button type="button" class="option" onClick={() => store.choose(option)}>
                  {option.words}
                </button>
              </li>
            ))}
          </ol>
        </>
      ) : null}
      <button type="button" class="option quiet" onClick={() => store.set({ asText: false })}>
        show the table
      </button>
    </section>
  );
}
