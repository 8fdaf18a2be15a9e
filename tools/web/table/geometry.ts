// Computes the positions of cells and edges of boards, in drawing units. Pure functions.
import type { BoardInfo } from "./protocol";

export const kUnit = 40; // the side length of a square

export type Point = [number, number];

export interface Geometry {
  width: number;
  height: number;
  centre: Point[]; // by cell
  outline: Point[][]; // polygon, by cell
}

const kRow = (kUnit * Math.sqrt(3)) / 2; // distance between rows of hexagons

function square(x: number, y: number): Point[] {
  const h = kUnit / 2;
  return [
    [x - h, y - h],
    [x + h, y - h],
    [x + h, y + h],
    [x - h, y + h],
  ];
}

// Returns a hexagon with corners at the top and bottom, as wide as a square.
function hexagon(x: number, y: number): Point[] {
  const w = kUnit / 2,
    r = kUnit / Math.sqrt(3);
  return [
    [x, y - r],
    [x + w, y - r / 2],
    [x + w, y + r / 2],
    [x, y + r],
    [x - w, y + r / 2],
    [x - w, y - r / 2],
  ];
}

// Places the points of a graph board as in its file, scaled so that no two are closer than `kUnit`.
function graph(info: BoardInfo): Geometry {
  const places =
    info.places ??
    info.cells.map((_, i): Point => {
      const angle = (2 * Math.PI * i) / info.cells.length;
      return [5 + 5 * Math.sin(angle), 5 + 5 * Math.cos(angle)];
    });
  let nearest = Infinity;
  const sorted = [...places].sort(([x], [u]) => x - u);
  sorted.forEach(([x, y], i) => {
    for (let k = i + 1; k < sorted.length && sorted[k][0] - x < nearest; ++k)
      nearest = Math.min(nearest, Math.max(Math.hypot(x - sorted[k][0], y - sorted[k][1]), 0.1));
  });
  const scale = (kUnit * 1.25) / (Number.isFinite(nearest) ? nearest : 1);
  const xs = places.map(([x]) => x),
    ys = places.map(([, y]) => y);
  const left = Math.min(...xs),
    top = Math.max(...ys);
  const centre = places.map(([x, y]): Point => [(x - left) * scale + kUnit / 2, (top - y) * scale + kUnit / 2]);
  const round = ([x, y]: Point): Point[] =>
    Array.from({ length: 16 }, (_, i) => [
      x + kUnit * 0.42 * Math.cos((i * Math.PI) / 8),
      y + kUnit * 0.42 * Math.sin((i * Math.PI) / 8),
    ]);
  return {
    width: (Math.max(...xs) - left) * scale + kUnit,
    height: (top - Math.min(...ys)) * scale + kUnit,
    centre,
    outline: centre.map(round),
  };
}

export function geometry(info: BoardInfo): Geometry {
  if (info.shape === "graph") return graph(info);
  const { width, height } = info;
  if (info.shape === "grid") {
    const centre = info.cells.map((_, cell): Point => [
      (cell % width) * kUnit + kUnit / 2,
      (height - 1 - Math.floor(cell / width)) * kUnit + kUnit / 2,
    ]);
    return { width: width * kUnit, height: height * kUnit, centre, outline: centre.map(([x, y]) => square(x, y)) };
  }
  const r = kUnit / Math.sqrt(3);
  const centre = info.cells.map((_, cell): Point => {
    const row = Math.floor(cell / width);
    return [(cell % width) * kUnit + kUnit / 2 + (row * kUnit) / 2, (height - 1 - row) * kRow + r];
  });
  return {
    width: width * kUnit + ((height - 1) * kUnit) / 2,
    height: (height - 1) * kRow + 2 * r,
    centre,
    outline: centre.map(([x, y]) => hexagon(x, y)),
  };
}

// The range of columns and rows that is drawn.
export interface Window {
  left: number;
  right: number;
  low: number;
  high: number;
}

const kMostComplete = 1024; // maximum number of cells of a board that is drawn completely
const kMargin = 2;
const kInitialRadius = 4; // cells around the centre while no cell is used

// Returns the complete board or, for a large board, its used cells with a margin. Null for graphs, which are always
// drawn completely.
export function windowOf(info: BoardInfo, used: Iterable<number>): Window | null {
  const { width, height } = info;
  if (info.shape === "graph") return null;
  if (width * height <= kMostComplete) return { left: 0, right: width - 1, low: 0, high: height - 1 };
  let [left, right, low, high] = [width, -1, height, -1];
  for (const cell of used) {
    const x = cell % width,
      y = Math.floor(cell / width);
    [left, right, low, high] = [Math.min(left, x), Math.max(right, x), Math.min(low, y), Math.max(high, y)];
  }
  if (right < 0) {
    const [x, y] = [Math.floor(width / 2), Math.floor(height / 2)];
    [left, right, low, high] = [x - kInitialRadius, x + kInitialRadius, y - kInitialRadius, y + kInitialRadius];
  }
  return {
    left: Math.max(0, left - kMargin),
    right: Math.min(width - 1, right + kMargin),
    low: Math.max(0, low - kMargin),
    high: Math.min(height - 1, high + kMargin),
  };
}

export function cellsIn(info: BoardInfo, window: Window | null): number[] {
  const all = info.cells.map((_, cell) => cell);
  if (!window) return all;
  const { left, right, low, high } = window;
  return all.filter((cell) => {
    const x = cell % info.width,
      y = Math.floor(cell / info.width);
    return left <= x && x <= right && low <= y && y <= high;
  });
}

// Returns the left, top, width and height of the drawn area.
export function frameOf(info: BoardInfo, at: Geometry, window: Window | null): [number, number, number, number] {
  if (!window) return [0, 0, at.width, at.height];
  const corner = (x: number, y: number): Point[] => at.outline[y * info.width + x];
  const corners = [
    ...corner(window.left, window.low),
    ...corner(window.right, window.low),
    ...corner(window.left, window.high),
    ...corner(window.right, window.high),
  ];
  const xs = corners.map(([x]) => x),
    ys = corners.map(([, y]) => y);
  const left = Math.min(...xs),
    top = Math.min(...ys);
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

// Returns the attribute `d` of an SVG path with short lines at each corner of a cell, slightly inside the cell.
export function cornerLines(at: Geometry, cell: number): string {
  const [x, y] = at.centre[cell],
    corners = at.outline[cell].map(([u, v]): Point => [x + (u - x) * 0.93, y + (v - y) * 0.93]);
  const along = ([x, y]: Point, [u, v]: Point): string =>
    `${(x + (u - x) * 0.22).toFixed(1)},${(y + (v - y) * 0.22).toFixed(1)}`;
  return corners
    .map((corner, i) => {
      const before = corners[(i + corners.length - 1) % corners.length],
        after = corners[(i + 1) % corners.length];
      return `M${along(corner, before)} L${corner.map((n) => n.toFixed(1)).join()} L${along(corner, after)}`;
    })
    .join(" ");
}

// Angles of direction names, in degrees clockwise from north.
const kAngles: Record<string, number> = { N: 0, NE: 45, E: 90, SE: 135, S: 180, SW: 225, W: 270, NW: 315 };
const kHexAngles: Record<string, number> = { NE: 30, E: 90, SE: 150, SW: 210, W: 270, NW: 330 };

export function degrees(way: string, info: BoardInfo): number | null {
  return (info.shape === "hex" ? kHexAngles : kAngles)[way] ?? null;
}

// Returns the border of a cell on one side, as two corners.
export function edgeLine(info: BoardInfo, at: Geometry, edge: number): [Point, Point] | null {
  const one = info.edges?.[edge];
  if (!one) return null;
  const [x, y] = at.centre[one.cell];
  const angle = ((info.shape === "hex" ? 30 + 60 * one.way : 45 * one.way) * Math.PI) / 180;
  const far = kUnit / 2,
    half = info.shape === "hex" ? kUnit / Math.sqrt(3) / 2 : kUnit / 2;
  const mx = x + far * Math.sin(angle),
    my = y - far * Math.cos(angle);
  const dx = half * Math.cos(angle),
    dy = half * Math.sin(angle);
  return [
    [mx - dx, my - dy],
    [mx + dx, my + dy],
  ];
}
