// A card as a button, with its face or its back.
import { hue_of, tint } from "../colours";
import { constant_of, enum_of, type Look } from "../look";
import type { Target } from "../targets";
import type { Description, PrintInfo } from "../protocol";
import { useTable } from "../store";

interface Corner {
  text: string;
  name: string | null; // name of the attribute, for a number without a sign
  value: string; // value as text, which the card's name may contain; "" if it has a sign
  means: string;
  colour: string | null;
}

const words = (text: string): string => text.replaceAll("_", " ");

// The corner entries of a card: symbols or words of constants, and numbers. `all` includes redundant values and zeros.
function corners(print: PrintInfo, description: Description, look: Look, all = false): Corner[] {
  const out: Corner[] = [];
  for (const attribute of new Set(description.attributes.map((one) => one.name))) {
    const value = print.attributes[attribute];
    const { hidden, symbol, mostly_zero } = look.attribute(attribute);
    if (value === undefined || value === null || value === false || hidden) continue;
    if (!all && (look.says_again(attribute) || (value === 0 && mostly_zero))) continue;
    const name = words(attribute);
    const of = typeof value === "string" ? enum_of(attribute, value, description) : null;
    if (of && typeof value === "string") {
      const constant = look.constant(of, constant_of(of, value));
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

const word_list = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

// The entries at the foot of a card that its name does not contain.
function feet(corner: readonly Corner[], name: string): Corner[] {
  const said = word_list(name);
  return corner.filter(({ value }) => !value || !word_list(value).every((word) => said.includes(word)));
}

const kNames = 2, // maximum number of named values on a card with text
  kMoreNames = 3, // and without text
  kName = 8; // maximum length of a name

// True if there is space for the names of numbers.
const has_names = (foot: readonly Corner[], text: string): boolean =>
  foot.filter(({ name }) => name !== null).length <= (text ? kNames : kMoreNames) &&
  foot.every(({ name }) => name === null || name.length <= kName);

// Removes the parenthesized part of a name such as "Splash (Bubble)", because the corner shows it.
function title(print: PrintInfo, corner: readonly Corner[]): string {
  const bracket = print.name.lastIndexOf(" (");
  return bracket > 0 && corner.length ? print.name.slice(0, bracket) : print.name;
}

// The longest word determines the font size: see .title.
const longest = (text: string): number => Math.max(...text.split(/[\s-]/).map((word) => word.length));

export function Face({ print, small = false }: { print: number; small?: boolean }) {
  const {
    store,
    shown: { description, look },
  } = useTable();
  const info = description.prints[print];
  const french = look.french(info);
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
  const corner = corners(info, description, look);
  const said = look.card(info);
  const name = title(info, corner);
  const foot = small && name === info.name ? [] : feet(corner, name);
  const named = has_names(foot, info.text);
  const brief = /^\d{1,3}$/.test(name); // the card has only a number
  return (
    <>
      <span class={`title${brief ? " brief" : ""}`} style={{ "--letters": String(longest(name)) }}>
        {name}
      </span>
      {said.image ? <img class="art" src={store.transport.image(said.image)} alt="" draggable={false} /> : null}
      {said.symbol ? (
        <span class="art symbol tinted" style={tint(edge_of(info, description, look))}>
          {said.symbol}
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

export function edge_of(print: PrintInfo, description: Description, look: Look): string {
  const said = look.card(print).colour;
  if (said) return said;
  const coloured = corners(print, description, look).find((corner) => corner.colour !== null);
  return coloured?.colour ?? hue_of(title(print, coloured ? [coloured] : []));
}

export function card_class(print: number | null, description: Description, look: Look): string {
  if (print === null) return "card back";
  const french = look.french(description.prints[print]);
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
  down?: boolean; // lies face down, although it is known
}

export function Card({ print, zone, target, n = 1, nth = 0, ghost = false, tilt, small = false, down }: CardProps) {
  const { store, shown } = useTable();
  const { description, look, narrowed, doing } = shown;
  const can = target !== null && narrowed.next.has(target);
  const times = (picks: readonly Target[]): number => picks.filter((one) => one === target).length;
  const picked = target !== null && times(doing.picks) > nth;
  const marked = target !== null && !picked && times(doing.marked) > nth;
  const known = print === null ? "a card" : description.prints[print].name;
  const name = print === null || down ? `${known} face down` : known;
  const face = down ? null : print;
  const state = `${can ? " can" : ""}${picked ? " picked" : ""}${marked ? " marked" : ""}${ghost ? " ghost" : ""}${small ? " small" : ""}`;
  const style: Record<string, string> = {};
  if (face !== null) style["--edge"] = edge_of(description.prints[face], description, look);
  if (tilt !== undefined) style["--tilt"] = `${tilt}deg`;
  return (
    <button
      type="button"
      class={card_class(face, description, look) + state}
      data-zone={zone}
      data-print={print ?? "none"}
      data-target={target ?? undefined}
      data-stop
      style={style}
      aria-label={`${n > 1 ? `${n} times ` : ""}${name}${picked || marked ? ", picked" : ""}${can ? ", can be picked" : ""}`}
      aria-pressed={picked || marked ? true : undefined}
      aria-hidden={ghost || undefined}
      tabIndex={-1}
      onClick={() => target !== null && store.point(target)}
    >
      {face === null ? null : <Face print={face} small={small} />}
      {n > 1 ? <span class="times">×{n}</span> : null}
    </button>
  );
}

// The enlarged card.
export function LargeCard() {
  const {
    store,
    shown: { doing, description, look },
  } = useTable();
  if (doing.large === null) return null;
  const info = description.prints[doing.large];
  if (!info) return null;
  const kind = description.kinds[info.kind];
  const rows = corners(info, description, look, true);
  return (
    <div class="large" role="dialog" aria-label={info.name} onClick={() => store.set({ large: null })}>
      <div class={card_class(doing.large, description, look)} style={{ "--edge": edge_of(info, description, look) }}>
        <Face print={doing.large} />
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
