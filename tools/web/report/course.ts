// Draws figures along a game as lines with interval bands; for two games, also their difference.
import { areaY, axisX, axisY, gridY, lineY, dot, plot, ruleY } from "@observablehq/plot";
import { ends, isShare, scaled, type Estimate, type Row, type Table } from "./figures";

interface Point {
  x: number;
  y: number;
  low?: number;
  high?: number;
  title: string;
}

// Returns the x position of a row: for a section such as "65-128", its start.
const place = (row: Row, i: number): number => {
  const number = parseFloat(row.name);
  return Number.isFinite(number) ? number : i + 1;
};

function points(table: Table, of: (row: Row) => Estimate | undefined): Point[] {
  return table.rows.flatMap((row, i) => {
    const estimate = of(row);
    if (!estimate || estimate.value === null || !estimate.games) return [];
    const interval = ends(estimate);
    const y = scaled(table, row, estimate.value);
    const low = interval && scaled(table, row, interval[0]);
    const high = interval && scaled(table, row, interval[1]);
    return [{ x: place(row, i), y, low, high, title: `${table.along} ${row.name}: ${y.toPrecision(4)}` }];
  });
}

function line(all: Point[], colour: string) {
  const known = all.filter((point) => point.low !== undefined);
  return [
    areaY(known, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.2 }),
    lineY(all, { x: "x", y: "y", stroke: colour, strokeWidth: 2 }),
    dot(all, { x: "x", y: "y", fill: colour, r: 2, title: "title" }),
  ];
}

function frame(table: Table, width: number, label: string, zero: boolean, marks: unknown[]): Element {
  return plot({
    width,
    height: zero ? 170 : Math.min(280, Math.max(200, width * 0.35)),
    marginLeft: 52,
    marginRight: 14,
    marginTop: 26,
    marginBottom: 42,
    y: { zero: !zero, nice: true },
    marks: [
      gridY({ stroke: "var(--rule)", strokeOpacity: 1, ticks: 4 }),
      ...(marks as []),
      ruleY([0], { stroke: "var(--ink)" }),
      axisX({
        ticks: Math.max(3, Math.floor(width / 90)),
        label: table.along ?? "",
        labelAnchor: "center",
        labelArrow: "none",
        tickSize: 0,
      }),
      axisY({ ticks: 4, label, labelArrow: "none", tickSize: 0 }),
    ],
  });
}

export function drawCourse(table: Table, width: number): Element[] {
  const unit = isShare(table) ? "%" : table.unit || "value";
  const two = table.rows.some((row) => row.b);
  if (!two)
    return [
      frame(
        table,
        width,
        unit,
        false,
        line(
          points(table, (row) => row.a),
          "var(--a)",
        ),
      ),
    ];
  const both = [
    ...line(
      points(table, (row) => row.a),
      "var(--a)",
    ),
    ...line(
      points(table, (row) => row.b),
      "var(--b)",
    ),
  ];
  const difference = line(
    points(table, (row) => row.difference),
    "var(--differs)",
  );
  return [
    frame(table, width, unit, false, both),
    frame(table, width, isShare(table) ? "B − A, points" : "B − A", true, difference),
  ];
}
