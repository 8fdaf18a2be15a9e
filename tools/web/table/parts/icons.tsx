// Draws icons for narrow headers, in the text colour.
const kPaths = {
  undo: "M9 5 L4 10 L9 15 M4 10 H14 A5 5 0 0 1 14 20 H9",
  log: "M9 6 H20 M9 12 H20 M9 18 H20 M4 6 H5 M4 12 H5 M4 18 H5",
  people: "M8.5 11 a3.5 3.5 0 1 0 -0.1 0 M2 20 a6.5 6.5 0 0 1 13 0 M16 10.5 a3 3 0 0 0 0 -6 M18 14 a6 6 0 0 1 4 6",
  rules: "M12 6 C9 4 6 4 3 5 V19 C6 18 9 18 12 20 C15 18 18 18 21 19 V5 C18 4 15 4 12 6 V20",
  settings: "M4 7 H13 M19 7 H20 M16 4.5 V9.5 M4 17 H6 M12 17 H20 M9 14.5 V19.5",
  design: "M4 20 L5 15 L16 4 L20 8 L9 19 Z M13 7 L17 11",
};

export type IconName = keyof typeof kPaths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={kPaths[name]} />
  </svg>
);
