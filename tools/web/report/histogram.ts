// Draws a histogram of games by value; for two games, one as bars and the other as an outline.
import { axisX, axisY, gridY, lineY, plot, rectY, ruleX, ruleY, text } from "@observablehq/plot";
import { unitText, type Row, type Table } from "./figures";

interface Bar {
  from: number;
  to: number;
  share: number;
  title: string;
}

// Bars of single integers are centred: the bar of 5 extends from 4.5 to 5.5.
function barsOf(row: Row, counts: number[], games: number): Bar[] {
  const { from, step } = row.bars!;
  const scale = row.unit === "ms" ? 1000 : 1;
  const shift = row.unit === "ms" ? 0 : 0.5;
  return counts.map((count, i) => {
    const low = from + i * step;
    const share = games ? (100 * count) / games : 0;
    const name =
      step === 1 && scale === 1 ? `${low}` : `${low / scale} to ${(low + step - (scale === 1 ? 1 : 0)) / scale}`;
    return {
      from: (low - shift) / scale,
      to: (low + step - shift) / scale,
      share,
      title: `${name}: ${share.toFixed(2)} % of games`,
    };
  });
}

// Returns the outline of the bars as a step line.
function stepLine(bars: Bar[]): { x: number; y: number }[] {
  const points = bars.flatMap((bar) => [
    { x: bar.from, y: bar.share },
    { x: bar.to, y: bar.share },
  ]);
  return [{ x: bars[0].from, y: 0 }, ...points, { x: bars[bars.length - 1].to, y: 0 }];
}

interface Line {
  x: number;
  label: string;
  colour: string;
  left: boolean; // the label is on the left
}

function lines(row: Row): Line[] {
  const scale = row.unit === "ms" ? 1000 : 1;
  const two = row.b !== undefined;
  const out: Line[] = [];
  for (const [estimate, colour, of] of [
    [row.a, two ? "var(--a)" : "var(--ink)", two ? "A" : ""],
    [row.b, "var(--b)", "B"],
  ] as const) {
    if (!estimate || estimate.value === null || !estimate.games) continue;
    out.push({ x: estimate.value / scale, label: `mean${of ? ` ${of}` : ""}`, colour, left: false });
  }
  if (out.length === 2) out[out[0].x < out[1].x ? 0 : 1].left = true;
  return out;
}

export function drawHistogram(table: Table, row: Row, width: number): Element {
  const bars = row.bars!;
  const a = barsOf(row, bars.a, bars.games);
  const b = bars.b ? barsOf(row, bars.b, bars.games_b ?? 0) : undefined;
  const ticks = Math.max(3, Math.floor(width / 90));
  const means = lines(row);
  const [low, high] = [a[0].from, a[a.length - 1].to];
  const inside = means.filter((mean) => mean.x >= low && mean.x <= high);
  return plot({
    width,
    height: Math.min(280, Math.max(200, width * 0.35)),
    marginLeft: 44,
    marginRight: 14,
    marginTop: 30,
    marginBottom: 42,
    x: { domain: [low, high] },
    y: { domain: [0, Math.max(...a.map((bar) => bar.share), ...(b ?? []).map((bar) => bar.share), 0.001) * 1.02] },
    marks: [
      gridY({ stroke: "var(--rule)", strokeOpacity: 1, ticks: 4 }),
      rectY(a, {
        x1: "from",
        x2: "to",
        y1: 0,
        y2: "share",
        fill: "var(--a)",
        fillOpacity: b ? 0.45 : 1,
        insetLeft: 0.5,
        insetRight: 0.5,
        title: "title",
      }),
      ...(b ? [lineY(stepLine(b), { x: "x", y: "y", stroke: "var(--b)", strokeWidth: 1.8 })] : []),
      ruleX(inside, { x: "x", stroke: "colour", strokeDasharray: "3 3" }),
      ...inside.map((mean) =>
        text([mean], {
          x: "x",
          text: "label",
          fill: mean.colour,
          frameAnchor: "top",
          dx: mean.left ? -4 : 4,
          dy: -14,
          textAnchor: mean.left ? "end" : "start",
        }),
      ),
      ruleY([0], { stroke: "var(--ink)" }),
      axisX({ ticks, label: unitText(table, row), labelAnchor: "center", labelArrow: "none", tickSize: 0 }),
      axisY({ ticks: 4, label: "% of games", labelArrow: "none", tickSize: 0 }),
    ],
  });
}
