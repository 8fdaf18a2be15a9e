// Defines the colours of a theme, and computes contrasts. Pure functions.

// The named colours of docs/reference/theme.md.
const kNamed = new Map(
  Object.entries({
    red: "#c22323",
    orange: "#c2570c",
    yellow: "#c9a400",
    green: "#2c7a31",
    teal: "#0a7483",
    blue: "#1c66a8",
    purple: "#7a3fb0",
    pink: "#b0246f",
    brown: "#7b4a21",
    black: "#1b2430",
    grey: "#5a6573",
    white: "#f4f4f4",
  }),
);

// Other names of colours, for constants: names of the table above, and common colours with their usual value.
const kAliases = new Map(
  Object.entries({ violet: "purple", gray: "grey", cyan: "teal", magenta: "pink", gold: "yellow", silver: "grey" }),
);
const kCommon = new Map(
  Object.entries({
    amber: "#ffbf00",
    amethyst: "#9966cc",
    apricot: "#f5a66b",
    aqua: "#00a8a8",
    aquamarine: "#3fbf9f",
    azure: "#1e7fd6",
    beige: "#d9c9a3",
    bronze: "#a97142",
    burgundy: "#800020",
    charcoal: "#36454f",
    cherry: "#b5123b",
    chocolate: "#5c3317",
    cobalt: "#0047ab",
    copper: "#b87333",
    coral: "#f2684a",
    cream: "#efe6c8",
    crimson: "#b80f2e",
    denim: "#2f5d9b",
    ebony: "#2b2623",
    emerald: "#0f9d58",
    fuchsia: "#c2188f",
    garnet: "#733635",
    indigo: "#3f2a9b",
    ivory: "#eeeadd",
    jade: "#00a86b",
    khaki: "#a89f5b",
    lavender: "#9a86d6",
    lemon: "#e3d000",
    lilac: "#a77bca",
    lime: "#6fb000",
    mahogany: "#7a2e1d",
    maroon: "#7b1e2b",
    mauve: "#a7779c",
    mint: "#5fc9a0",
    mustard: "#c99a1c",
    navy: "#1d2f6f",
    ochre: "#c27a1a",
    olive: "#6b7a1e",
    onyx: "#2a2d2f",
    opal: "#8fb8b5",
    peach: "#f0a780",
    pearl: "#dcd8cc",
    plum: "#7d3c78",
    rose: "#d6336c",
    ruby: "#a31134",
    rust: "#a8431b",
    sand: "#cdb380",
    sapphire: "#0f52ba",
    scarlet: "#d4241b",
    sky: "#3b9ad9",
    slate: "#59687a",
    tan: "#b8925f",
    tangerine: "#ef7d12",
    topaz: "#d9961a",
    turquoise: "#1fa7a0",
    ultramarine: "#2a3cb0",
    umber: "#635147",
    vermilion: "#d8432a",
    wine: "#722f45",
  }),
);

// Default hues: constants use them by position in the enum, cards by a hash of the name.
const kHues = ["#b04632", "#2d6fb5", "#3a7d34", "#8448ab", "#9a6200", "#0f7a86", "#b03a78", "#5a6573"];

export const hue = (index: number): string => kHues[index % kHues.length];

export function hueOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % kHues.length;
  return kHues[sum];
}

// Converts "#rgb", "#rrggbb" or a name; null for anything else.
export function hex(colour: string): string | null {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase();
  if (/^#[0-9a-f]{3}$/i.test(colour))
    return `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}`.toLowerCase();
  return kNamed.get(colour) ?? null;
}

// Returns the colour whose name is the name of a constant; null: none.
export function colourNamed(name: string): string | null {
  const word = name.toLowerCase();
  return kNamed.get(kAliases.get(word) ?? word) ?? kCommon.get(word) ?? null;
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// Computes relative luminance and contrast as defined by WCAG 2.1.
function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((channel) => {
    const c = channel / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function mix(colour: string, target: string, share: number): string {
  const to = channels(target);
  return `#${channels(colour)
    .map((channel, i) =>
      Math.round(channel + (to[i] - channel) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const kMinContrast = 4.5;
const kMiddleLuminance = 0.179; // the luminance at which black and white text have the same contrast, 4.58

// Darkens a colour on a light ground, or lightens it on a dark one, until it is readable.
export function readable(colour: string, ground: string): string {
  const towards = luminance(ground) > kMiddleLuminance ? "#000000" : "#ffffff";
  for (let share = 0; share < 1; share += 0.05) {
    const one = mix(colour, towards, share);
    if (contrast(one, ground) >= kMinContrast) return one;
  }
  return towards;
}

const kLightGround = "#ced8cc",
  kDarkGround = "#303d39"; // the backgrounds with the least contrast

// Returns CSS variables for `class="tinted"`: the text colours for light and dark backgrounds.
export function tint(colour: string | null): Record<string, string> {
  const found = colour === null ? null : hex(colour);
  return found === null
    ? {}
    : { "--on-light": readable(found, kLightGround), "--on-dark": readable(found, kDarkGround) };
}
