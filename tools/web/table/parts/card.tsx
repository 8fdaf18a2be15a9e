// Draws a card as a button, with its face or its back.
import { hueOf, tint } from "../colours";
import { constantOf, enumOf, type Theme } from "../theme";
import type { Target } from "../targets";
import type { Description, PrintInfo } from "../protocol";
import { useTable } from "../store";
import { Cut } from "./cut";

interface Corner {
  text: string;
  name: string | null; // name of the attribute, for a number without a sign
  value: string; // value as text, which the card's name may contain; "" if it has a sign
  means: string;
  colour: string | null;
}

const words = (text: string): string => text.replaceAll("_", " ");

// Returns the corner entries of a card: symbols or words of constants, and numbers. `all` includes redundant values and
// zeros.
function corners(print: PrintInfo, description: Description, theme: Theme, all = false): Corner[] {
  const out: Corner[] = [];
  for (const attribute of new Set(description.attributes.map((one) => one.name))) {
    const value = print.attributes[attribute];
    const { hidden, symbol, mostlyZero } = theme.attribute(attribute);
    if (value === undefined || value === null || value === false || hidden) continue;
    if (!all && (theme.repeatsEarlier(attribute) || (value === 0 && mostlyZero))) continue;
    const name = words(attribute);
    const of = typeof value === "string" ? enumOf(attribute, value, description) : null;
    if (of && typeof value === "string") {
      const constant = theme.constant(of, constantOf(of, value));
      out.push({
        text: constant.symbol ?? words(value),
        name: null,
        value: constant.symbol ? "" : words(value),
        means: `${name}: ${words(value)}`,
        colour: constant.colour,
      });
    } else if (typeof value === "number") {
      const text = `${value}${symbol ?? ""}`;
      out.push({
        text,
        name: symbol || name.length === 1 || name === "number" ? null : name,
        value: symbol ? "" : text,
        means: `${name}: ${value}`,
        colour: null,
      });
    } else {
      const text = value === true ? name : words(String(value));
      out.push({ text, name: null, value: text, means: `${name}: ${value === true ? "yes" : text}`, colour: null });
    }
  }
  return out;
}

const wordList = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

// Returns the entries at the foot of a card that its name does not contain.
function feet(corner: readonly Corner[], name: string): Corner[] {
  const nameWords = wordList(name);
  return corner.filter(({ value }) => !value || !wordList(value).every((word) => nameWords.includes(word)));
}

const kNames = 2, // maximum number of named values on a card with text
  kMoreNames = 3, // maximum number on a card without text
  kName = 8; // maximum length of a name

// Returns true if there is space for the names of numbers.
const hasNames = (foot: readonly Corner[], text: string): boolean =>
  foot.filter(({ name }) => name !== null).length <= (text ? kNames : kMoreNames) &&
  foot.every(({ name }) => name === null || name.length <= kName);

// Removes the parenthesized part of a name such as "Splash (Bubble)", because the corner shows it.
function title(print: PrintInfo, corner: readonly Corner[]): string {
  const bracket = print.name.lastIndexOf(" (");
  return bracket > 0 && corner.length ? print.name.slice(0, bracket) : print.name;
}

// Returns the length of the longest word, which determines the font size (.title in cards.css).
const longest = (text: string): number => Math.max(...text.split(/[\s-]/).map((word) => word.length));

export function Face({ print, small = false }: { print: number; small?: boolean }) {
  const {
    store,
    page: { description, theme },
  } = useTable();
  const info = description.prints[print];
  const french = theme.french(info);
  if (french) {
    return (
      <>
        <span class="corner">
          <b>{french.rank}</b>
          <i>{french.suit}</i>
        </span>
        <span class="pip">{french.suit}</span>
        <span class="corner upside">
          <b>{french.rank}</b>
          <i>{french.suit}</i>
        </span>
      </>
    );
  }
  const corner = corners(info, description, theme);
  const cardTheme = theme.card(info);
  const name = title(info, corner);
  const foot = small && name === info.name ? [] : feet(corner, name);
  const named = hasNames(foot, info.text);
  const brief = /^\d{1,3}$/.test(name); // the card has only a number
  return (
    <>
      <span class={`title${brief ? " brief" : ""}`} style={{ "--letters": String(longest(name)) }}>
        {small ? <Cut text={name} /> : name}
      </span>
      {cardTheme.image ? (
        <img class="art" src={store.transport.image(cardTheme.image)} alt="" draggable={false} />
      ) : null}
      {cardTheme.symbol ? (
        <span
          class={`art symbol tinted${info.text || foot.length > 1 ? " beside" : ""}`}
          style={tint(edgeOf(info, description, theme))}
        >
          {cardTheme.symbol}
        </span>
      ) : null}
      <span class="body">{info.text}</span>
      <span class={`feet${info.text ? "" : " roomy"}`}>
        {foot.map((one) => (
          <span
            class="foot tinted"
            title={one.means}
            style={{ ...tint(one.colour), "--letters": String(longest(one.text)) }}
          >
            {named && one.name !== null ? <small>{one.name} </small> : null}
            {one.text}
          </span>
        ))}
      </span>
    </>
  );
}

export function edgeOf(print: PrintInfo, description: Description, theme: Theme): string {
  const cardColour = theme.card(print).colour;
  if (cardColour) return cardColour;
  const coloured = corners(print, description, theme).find((corner) => corner.colour !== null);
  return coloured?.colour ?? hueOf(title(print, coloured ? [coloured] : []));
}

export function cardClass(print: number | null, description: Description, theme: Theme): string {
  if (print === null) return "card back";
  const french = theme.french(description.prints[print]);
  return french ? `card french${french.red ? " red" : ""}` : "card plain";
}

export interface CardProps {
  print: number | null;
  zone: number;
  target: Target | null; // the target of a click; null: none
  n?: number; // number of equal cards
  nth?: number; // index among equal cards, since each pick marks one
  ghost?: boolean;
  tilt?: number; // rotation in a fan, in degrees
  small?: boolean;
  down?: boolean; // face down, although its print is known
}

export function Card({ print, zone, target, n = 1, nth = 0, ghost = false, tilt, small = false, down }: CardProps) {
  const { store, page } = useTable();
  const { description, theme, narrowed, ui } = page;
  const can = target !== null && narrowed.next.has(target);
  const times = (picks: readonly Target[]): number => picks.filter((one) => one === target).length;
  const picked = target !== null && times(ui.picks) > nth;
  const marked = target !== null && !picked && times(ui.marked) > nth;
  const known = print === null ? "a card" : description.prints[print].name;
  const name = print === null || down ? `${known} face down` : known;
  const face = down ? null : print;
  const state = `${can ? " can" : ""}${picked ? " picked" : ""}${marked ? " marked" : ""}${ghost ? " ghost" : ""}${small ? " small" : ""}`;
  const style: Record<string, string> = {};
  if (face !== null) style["--edge"] = edgeOf(description.prints[face], description, theme);
  if (tilt !== undefined) style["--tilt"] = `${tilt}deg`;
  return (
    <button
      type="button"
      class={cardClass(face, description, theme) + state}
      data-zone={zone}
      data-print={print ?? "none"}
      data-target={target ?? undefined}
      data-stop
      style={style}
      aria-label={`${n > 1 ? `${n} times ` : ""}${name}${picked || marked ? ", picked" : ""}${can ? ", can be picked" : ""}`}
      aria-pressed={picked || marked ? true : undefined}
      aria-hidden={ghost || undefined}
      tabIndex={-1}
      onClick={() => target !== null && store.pick(target)}
    >
      {face === null ? null : <Face print={face} small={small} />}
      {n > 1 ? <span class="times">×{n}</span> : null}
    </button>
  );
}

// Shows the enlarged card.
export function LargeCard() {
  const {
    store,
    page: { ui, description, theme },
  } = useTable();
  if (ui.enlarged === null) return null;
  const info = description.prints[ui.enlarged];
  if (!info) return null;
  const kind = description.kinds[info.kind];
  const rows = corners(info, description, theme, true);
  return (
    <div class="large" role="dialog" aria-label={info.name} onClick={() => store.set({ enlarged: null })}>
      <div class={cardClass(ui.enlarged, description, theme)} style={{ "--edge": edgeOf(info, description, theme) }}>
        <Face print={ui.enlarged} />
      </div>
      <div class="about">
        <h2>{info.name}</h2>
        {kind.label && kind.label !== info.name ? <p class="soft">{words(kind.label)}</p> : null}
        {rows.length ? (
          <ul>
            {rows.map((row) => (
              <li>{row.means}</li>
            ))}
          </ul>
        ) : null}
        {info.text ? <p>{info.text}</p> : null}
        {kind.text && kind.text !== info.text ? <p>{kind.text}</p> : null}
        {info.count > 1 ? <p class="soft">{info.count} of these in the game</p> : null}
      </div>
    </div>
  );
}
