// Defines the types of the JSON object in a report's page, which tools/report/data.cpp writes.

export interface Estimate {
  value: number | null;
  interval: [number | null, number | null] | null;
  deviation: number | null;
  games: number;
  cells?: (number | null)[];
}

// Bar i covers the values from + i · step to from + (i + 1) · step - 1; `a` and `b` count games.
export interface Bars {
  from: number;
  step: number;
  games: number;
  a: number[];
  games_b?: number;
  b?: number[];
}

export type Verdict = "differs" | "same within the margin" | "open" | "";

export interface Row {
  name: string;
  a: Estimate & { median?: [number, number] };
  b?: Estimate & { median?: [number, number] };
  difference?: Estimate;
  verdict?: Verdict;
  unit?: "ms";
  bars?: Bars;
}

export interface Table {
  title: string;
  topic: string;
  unit: string;
  plot: "dots" | "bars" | "course";
  along?: string;
  fair?: number;
  rows: Row[];
}

export interface Page {
  head: { players: number; comparison?: { margin: number } };
  tables: Table[];
}

export const isShare = (table: Table): boolean => table.unit === "%";

// Converts a value to its display unit: shares to %, times to seconds.
export function scaled(table: Table, row: Row, value: number): number {
  return isShare(table) ? 100 * value : row.unit === "ms" ? value / 1000 : value;
}

export function unitText(table: Table, row: Row): string {
  return isShare(table) ? "%" : row.unit === "ms" ? "seconds" : table.unit || row.name;
}

// Returns the ends of the interval, if both are known.
export function ends(estimate: Estimate | undefined): [number, number] | undefined {
  const interval = estimate?.interval;
  if (!interval || interval[0] === null || interval[1] === null) return undefined;
  return [interval[0], interval[1]];
}
