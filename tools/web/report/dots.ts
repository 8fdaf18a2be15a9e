// Draws rows as dots with interval lines, for one game, for two games in two colours, and for differences.
import { axisX, dot, gridX, link, plot, rectX, ruleX, ruleY, text } from "@observablehq/plot";
import { ends, isShare, scaled, unitText, type Row, type Table } from "./figures";
import { wrapText, fontSize, lineHeight, textWidth } from "./labels";

interface Layout {
  width: number;
  left: number; // width of names; 0: names are above their rows
  heights: number[];
  tops: number[];
  bottom: number;
  lines: string[][];
  above: boolean;
  names: boolean; // draws names; false for a second plot with the same rows
}

const narrow = 560;
const rowGap = 12;

// Computes the position of each row, with enough height for its name.
function layOut(rows: Row[], width: number): Layout {
  const widest = Math.max(...rows.map((row) => textWidth(row.name)));
  const above = width < narrow && widest > 0.25 * width;
  const room = above ? width - 12 : Math.min(widest, 0.36 * width);
  const lines = rows.map((row) => wrapText(row.name, room));
  const heights = lines.map((one) =>
    above ? one.length * lineHeight + 24 : Math.max(one.length * lineHeight, 18) + rowGap,
  );
  const tops: number[] = [];
  let top = 6;
  for (const height of heights) {
    tops.push(top);
    top += height;
  }
  return { width, left: above ? 0 : Math.ceil(room) + 16, heights, tops, bottom: top, lines, above, names: true };
}

// Returns the y position of a row's dots: in its middle, or below its name.
function middle(layout: Layout, i: number): number {
  return !layout.above
    ? layout.tops[i] + layout.heights[i] / 2
    : layout.tops[i] + layout.lines[i].length * lineHeight + 9;
}

interface Mark {
  x: number;
  y: number;
  low?: number;
  high?: number;
  colour: string;
  open?: boolean;
  title: string;
}

function number(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function tooltip(row: Row, of: string, x: number, unit: string, interval?: [number, number]): string {
  const range = interval ? ` (${number(interval[0])} to ${number(interval[1])})` : "";
  return `${row.name}${of}: ${number(x)} ${unit}${range}`;
}

function dotsOf(table: Table, layout: Layout): Mark[] {
  const marks: Mark[] = [];
  table.rows.forEach((row, i) => {
    const shift = row.b ? 4 : 0;
    for (const [estimate, colour, by, of] of [
      [row.a, "var(--a)", -shift, row.b ? ", A" : ""],
      [row.b, "var(--b)", shift, ", B"],
    ] as const) {
      if (!estimate || estimate.value === null || estimate.games === 0) continue;
      const interval = ends(estimate)?.map((end) => scaled(table, row, end)) as [number, number] | undefined;
      const x = scaled(table, row, estimate.value);
      const title = tooltip(row, of, x, unitText(table, row), interval);
      marks.push({ x, y: middle(layout, i) + by, low: interval?.[0], high: interval?.[1], colour, title });
    }
  });
  return marks;
}

function intervals(marks: Mark[]) {
  const known = marks.filter((mark) => mark.low !== undefined);
  return link(known, {
    x1: "low",
    x2: "high",
    y1: "y",
    y2: "y",
    stroke: "colour",
    strokeWidth: 2.5,
    strokeOpacity: 0.55,
  });
}

function dots(marks: Mark[]) {
  return dot(marks, { x: "x", y: "y", r: 4, fill: "colour", stroke: "var(--paper)", strokeWidth: 1, title: "title" });
}

function names(layout: Layout) {
  if (!layout.names) return [];
  const all = layout.lines.flatMap((lines, i) => {
    const first = !layout.above ? middle(layout, i) - ((lines.length - 1) * lineHeight) / 2 : layout.tops[i] + 9;
    return lines.map((line, n) => ({ line, y: first + n * lineHeight }));
  });
  return [
    text(all, {
      text: "line",
      y: "y",
      frameAnchor: "left",
      dx: layout.left ? -layout.left : 0,
      textAnchor: "start",
      fontSize,
      fill: "var(--ink)",
    }),
  ];
}

function stripes(layout: Layout) {
  const ends = layout.tops.slice(1);
  return ruleY(ends, { stroke: "var(--rule)", insetLeft: -layout.left });
}

// Includes 0 for shares if it is not far away, so that lengths are proportional. An axis of shares ends at 100 %.
function domainOf(values: number[], zero: boolean, most = Infinity): [number, number] {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (zero || (low > 0 && low < 0.6 * high)) low = Math.min(0, low);
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  high = high <= most ? Math.min(most, high + room) : high + room;
  if (low !== 0) low -= room;
  return [low, high];
}

const tickCount = (width: number): number => Math.max(3, Math.floor(width / 90));

function frame(layout: Layout, domain: [number, number], label: string, marks: unknown[]) {
  return plot({
    width: layout.width,
    height: layout.bottom + 42,
    marginLeft: layout.left || 6,
    marginRight: 14,
    marginTop: 0,
    marginBottom: 42,
    x: { domain },
    y: { type: "linear", domain: [0, layout.bottom], range: [0, layout.bottom], axis: null },
    marks: [
      gridX({ stroke: "var(--rule)", strokeOpacity: 1, ticks: tickCount(layout.width - layout.left) }),
      stripes(layout),
      ...(marks as []),
      axisX({
        ticks: tickCount(layout.width - layout.left),
        label,
        labelAnchor: "center",
        labelArrow: "none",
        tickSize: 0,
      }),
    ],
  });
}

function reference(value: number) {
  return ruleX([value], { stroke: "var(--ink)", strokeDasharray: "3 3", strokeOpacity: 0.6 });
}

function valueLabel(table: Table, fair?: number): string {
  if (fair !== undefined) return "% of games won; dashed: average player";
  if (!isShare(table)) return table.unit || "value";
  // Only these shares are shares of games; others are shares of turns, offers or samples.
  return table.topic === "winning" || table.title === "endings" ? "% of games" : "%";
}

export function drawDots(table: Table, width: number, layout = layOut(table.rows, width)): Element {
  const marks = dotsOf(table, layout);
  const fair = table.fair === undefined ? undefined : 100 * table.fair;
  const values = marks.flatMap((mark) => [mark.x, mark.low ?? mark.x, mark.high ?? mark.x]);
  if (fair !== undefined) values.push(fair);
  const signed = values.some((value) => value < 0);
  return frame(layout, domainOf(values, signed, isShare(table) ? 100 : Infinity), valueLabel(table, fair), [
    ...(fair === undefined ? [] : [reference(fair)]),
    ...(signed ? [ruleX([0], { stroke: "var(--ink)" })] : []),
    intervals(marks),
    dots(marks),
    ...names(layout),
  ]);
}

const colours: Record<string, string> = {
  differs: "var(--differs)",
  "same within the margin": "var(--same)",
  open: "var(--open)",
};

// Scales differences of amounts to a percentage of game A's value, so that different units are comparable.
function differenceOf(table: Table, row: Row, value: number): number {
  return isShare(table) ? 100 * value : (100 * value) / Math.abs(row.a.value || 1);
}

// Draws B − A with its interval; the margin is shaded, and a line marks no difference.
export function drawDifferences(
  table: Table,
  width: number,
  margin: number,
  layout = layOut(table.rows, width),
): Element {
  const marks: Mark[] = [];
  table.rows.forEach((row, i) => {
    if (!row.difference || row.difference.value === null || row.difference.games === 0) return;
    const interval = ends(row.difference)?.map((end) => differenceOf(table, row, end)) as [number, number] | undefined;
    const x = differenceOf(table, row, row.difference.value);
    const unit = isShare(table) ? "points" : "% of A";
    const title = `${tooltip(row, "", x, unit, interval)}, ${row.verdict}`;
    const colour = colours[row.verdict ?? ""] ?? "var(--open)";
    marks.push({ x, y: middle(layout, i), low: interval?.[0], high: interval?.[1], colour, title });
  });
  const within = 100 * margin * (isShare(table) ? 1 : 2);
  const values = marks.flatMap((mark) => [mark.x, mark.low ?? mark.x, mark.high ?? mark.x]).concat(-within, within);
  const label = isShare(table) ? "B − A, in points" : "B − A, in % of A";
  return frame(layout, domainOf(values, false), `${label}; shaded: the margin`, [
    rectX([0], { x1: -within, x2: within, y1: 0, y2: layout.bottom, fill: "var(--ink)", fillOpacity: 0.07 }),
    ruleX([0], { stroke: "var(--ink)" }),
    intervals(marks),
    dots(marks),
    ...names(layout),
  ]);
}

// Draws both games on the left and the difference on the right, or below each other on narrow screens.
export function drawBoth(table: Table, width: number, margin: number): Element[] {
  if (width < narrow) return [drawDots(table, width), drawDifferences(table, width, margin)];
  const layout = layOut(table.rows, width);
  const right = Math.floor((width - layout.left) * 0.45);
  return [
    drawDots(table, width, { ...layout, width: width - right - 8 }),
    drawDifferences(table, width, margin, { ...layout, width: right, left: 0, names: false }),
  ];
}
