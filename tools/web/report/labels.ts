// Measures the names beside the rows of a plot, and breaks long ones into lines.

export const fontSize = 13;
export const lineHeight = 16;

let context: CanvasRenderingContext2D | null = null;

export function textWidth(text: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * fontSize * 0.55;
  context.font = `${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}

// Breaks a text into lines at spaces. Truncates a word that is wider than `width`.
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && textWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push(line);
  return lines.map((one) => truncate(one, width));
}

function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`) > width) --end;
  return `${text.slice(0, end)}…`;
}
