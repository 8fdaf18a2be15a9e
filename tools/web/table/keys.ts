// Keyboard control: Tab moves between groups of the page, arrow keys move within a group, Enter picks, and some letters
// are shortcuts.
import type { Target } from "./targets";
import type { Store } from "./store";

const stops_of = (group: Element): (HTMLElement | SVGElement)[] => [
  ...group.querySelectorAll<HTMLElement | SVGElement>("[data-stop]"),
];

// Sets the tab stop of each group: the last focused element, else one that can be picked, else the first.
export function rove(root: HTMLElement): void {
  for (const group of root.querySelectorAll("[data-group]")) {
    const stops = stops_of(group);
    if (!stops.length) continue;
    const inside = stops.find((stop) => stop === document.activeElement);
    const can = stops.find((stop) => stop.classList.contains("can"));
    const now = inside ?? can ?? stops.find((stop) => stop.getAttribute("tabindex") === "0") ?? stops[0];
    for (const stop of stops) {
      const index = stop === now ? "0" : "-1";
      if (stop.getAttribute("tabindex") !== index) stop.setAttribute("tabindex", index);
    }
  }
}

const kWays: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The next element in a direction: close, and not far to the side.
function next_stop(stops: Element[], from: Element, [dx, dy]: [number, number]): Element | null {
  const middle = (one: Element): [number, number] => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best: Element | null = null,
    least = Infinity;
  for (const stop of stops) {
    if (stop === from) continue;
    const [u, v] = middle(stop);
    const along = (u - x) * dx + (v - y) * dy,
      aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along <= 1) continue;
    const far = along + 3 * aside;
    if (far < least) {
      least = far;
      best = stop;
    }
  }
  return best;
}

function move(event: KeyboardEvent): boolean {
  const way = kWays[event.key];
  const here = document.activeElement;
  const group = here?.closest("[data-group]");
  if (!way || !here || !group) return false;
  const next = next_stop(stops_of(group), here, way) as HTMLElement | null;
  if (!next) return true;
  here.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  return true;
}

const print_at = (element: Element | null): number | null => {
  const print = element?.closest<HTMLElement>("[data-print]")?.dataset.print;
  return print === undefined || print === "none" ? null : Number(print);
};

function letter(event: KeyboardEvent, store: Store): boolean {
  const shown = store.shown();
  const here = document.activeElement as HTMLElement | null;
  switch (event.key) {
    case "Escape":
      if (store.doing.large !== null) store.set({ large: null });
      else if (store.doing.asked_back) store.now();
      else if (store.doing.picks.length) store.set({ picks: [], confirm: null });
      else store.set({ panel: null });
      return true;
    case "Enter":
      if (!here?.matches("[data-target][role=button]")) return false;
      store.point(here.dataset.target as Target, true);
      return true;
    case " ": {
      const print = print_at(here);
      if (print === null) return false;
      store.set({ large: store.doing.large === print ? null : print });
      return true;
    }
    case "w": {
      const target = here?.closest<HTMLElement>("[data-target]")?.dataset.target;
      if (target && shown) store.why(target, shown);
      return true;
    }
    case "l":
      store.set({ panel: store.doing.panel === "log" ? null : "log" });
      return true;
    case "t":
      store.set({ as_text: !store.doing.as_text });
      return true;
    case "[":
      store.by_steps(-1);
      return true;
    case "]":
      store.by_steps(1);
      return true;
  }
  const number = Number(event.key);
  if (!(number >= 1 && number <= 9)) return false;
  const buttons = document.querySelectorAll<HTMLElement>(
    ".question .option[data-option], .question .option[data-begin]",
  );
  buttons[number - 1]?.click();
  return true;
}

export function listen(store: Store): void {
  // when focus returns to a group, it goes to an element that can be picked
  document.addEventListener("focusout", () => setTimeout(() => rove(document.body)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = (event.target as Element).closest("input:not([type=checkbox]), select, textarea");
    if (typing && event.key !== "Escape") return;
    if (move(event) || letter(event, store)) event.preventDefault();
  });
}
