// Draws the plots of a report: fills each placeholder with a plot of the page's JSON data, in the available width. The
// tables of the page contain the same numbers.
import { drawBars } from "./bars";
import { drawCourse } from "./course";
import { drawBoth, drawDifferences, drawDots } from "./dots";
import type { Page } from "./figures";

const page = JSON.parse(document.getElementById("figures")!.textContent!) as Page;
const margin = page.head.comparison?.margin ?? 0;

function plotsFor(place: HTMLElement, width: number): Element[] {
  const table = page.tables[Number(place.dataset.table)];
  if (place.dataset.part === "difference") return [drawDifferences(table, width, margin)];
  if (place.dataset.row !== undefined) return [drawBars(table, table.rows[Number(place.dataset.row)], width)];
  if (table.plot === "course") return drawCourse(table, width);
  return table.rows.some((row) => row.b) ? drawBoth(table, width, margin) : [drawDots(table, width)];
}

function draw(place: HTMLElement): void {
  const width = Math.floor(place.parentElement!.getBoundingClientRect().width);
  if (width < 50 || place.dataset.width === String(width)) return;
  place.dataset.width = String(width);
  place.replaceChildren(...plotsFor(place, width));
}

const places = [...document.querySelectorAll<HTMLElement>(".plot")];
const drawAll = (): void => places.forEach(draw);
drawAll();
window.addEventListener("resize", drawAll);

// Highlights the current section in the table of contents.
const links = new Map([...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((a) => [a.hash.slice(1), a]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) links.forEach((a, id) => a.toggleAttribute("aria-current", id === entry.target.id));
  },
  { rootMargin: "-10% 0px -80% 0px" },
);
document.querySelectorAll("main > section").forEach((section) => seen.observe(section));
