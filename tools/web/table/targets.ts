// A thing on the table that an option can name: "c:3:17" is print 17 in zone 3. The functions in `target` create these
// strings.
export type Target = string;

export const target = {
  card: (zone: number, print: number): Target => `c:${zone}:${print}`,
  zone: (zone: number): Target => `z:${zone}`,
  seat: (seat: number): Target => `s:${seat}`,
  cell: (board: number, cell: number): Target => `k:${board}:${cell}`,
  edge: (board: number, edge: number): Target => `e:${board}:${edge}`,
  piece: (placed: number, index: number): Target => `p:${placed}:${index}`,
  key: (variable: number, index: number): Target => `n:${variable}:${index}`, // a line of a sheet
  // A place in a row of a seat or of the table.
  part: (variable: number, seat: number | null, index: number): Target => `v:${variable}:${seat ?? ""}:${index}`,
  action: (action: number): Target => `a:${action}`, // an action, chosen before its targets
};
