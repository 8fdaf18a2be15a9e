// Draws the plots of a report: fills each placeholder with a plot of the page's JSON data, in the available width. The
// tables of the page contain the same numbers.
import { drawHistogram } from "./histogram";
import { drawCourse } from "./course";
import { drawBoth, drawDifferences, drawDots } from "./dots";
import type { Page } from "./figures";

const page = JSON.parse(document.getElementById("figures")!.textContent) as Page;
const margin = page.head.comparison?.margin ?? 0;

function plotsFor(placeholder: HTMLElement, width: number): Element[] {
  const table = page.tables[Number(placeholder.dataset.table)];
  if (placeholder.dataset.part === "difference") return [drawDifferences(table, width, margin)];
  if (placeholder.dataset.row !== undefined)
    return [drawHistogram(table, table.rows[Number(placeholder.dataset.row)], width)];
  if (table.plot === "course") return drawCourse(table, width);
  return table.rows.some((row) => row.b) ? drawBoth(table, width, margin) : [drawDots(table, width)];
}

function draw(placeholder: HTMLElement): void {
  const width = Math.floor(placeholder.parentElement!.getBoundingClientRect().width);
  if (width < 50 || placeholder.dataset.width === String(width)) return;
  placeholder.dataset.width = String(width);
  placeholder.replaceChildren(...plotsFor(placeholder, width));
}

const placeholders = [...document.querySelectorAll<HTMLElement>(".plot")];
const drawAll = (): void => placeholders.forEach(draw);
drawAll();
window.addEventListener("resize", drawAll);

// Highlights the current section in the table of contents.
const links = new Map([...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((a) => [a.hash.slice(1), a]));
const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) links.forEach((a, id) => a.toggleAttribute("aria-current", id === entry.target.id));
  },
  { rootMargin: "-10% 0px -80% 0px" },
);
document.querySelectorAll("main > section").forEach((section) => observer.observe(section));
