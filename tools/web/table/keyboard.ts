// Implements keyboard control: Tab moves between groups of the page, arrow keys move within a group, Enter picks, and
// some letters are shortcuts.
import type { Target } from "./targets";
import type { Store } from "./store";

const tabStops = (group: Element): (HTMLElement | SVGElement)[] => [
  ...group.querySelectorAll<HTMLElement | SVGElement>("[data-stop]"),
];

// Sets the tab stop of each group: the last focused element, else one that can be picked, else the first.
export function updateTabStops(root: HTMLElement): void {
  for (const group of root.querySelectorAll("[data-group]")) {
    const stops = tabStops(group);
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

// The group of the last focused element, from which a change of the table can remove it.
let lastGroup: Element | null = null;
let lastZone: string | undefined; // the zone of that element

// Restores the focus after a change of the table removed the focused element: it moves to the tab stop of the same
// group or, if the group is gone, to the question.
export function restoreFocus(root: HTMLElement): void {
  if (!lastGroup || document.activeElement !== document.body) return;
  const again = lastGroup.isConnected ? lastGroup : root.querySelector(`[data-hand="${lastZone ?? ""}"]`);
  const stop = again?.querySelector<HTMLElement>("[data-stop][tabindex='0']");
  (stop ?? root.querySelector<HTMLElement>(".question [data-stop]"))?.focus({ preventScroll: true });
}

const kDirections: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// Returns the nearest element in a direction. Distance to the side counts three times as much as distance ahead.
function nextStop(stops: Element[], from: Element, [dx, dy]: [number, number]): Element | null {
  const middle = (one: Element): [number, number] => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best: Element | null = null,
    bestDistance = Infinity;
  for (const stop of stops) {
    if (stop === from) continue;
    const [u, v] = middle(stop);
    const along = (u - x) * dx + (v - y) * dy,
      sideways = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along <= 1) continue;
    const distance = along + 3 * sideways;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = stop;
    }
  }
  return best;
}

function moveFocus(event: KeyboardEvent): boolean {
  const direction = kDirections[event.key];
  const focused = document.activeElement;
  const group = focused?.closest("[data-group]");
  if (!direction || !focused || !group) return false;
  const next = nextStop(tabStops(group), focused, direction) as HTMLElement | null;
  if (!next) return true;
  focused.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  return true;
}

const printAt = (element: Element | null): number | null => {
  const print = element?.closest<HTMLElement>("[data-print]")?.dataset.print;
  return print === undefined || print === "none" ? null : Number(print);
};

function handleKey(event: KeyboardEvent, store: Store): boolean {
  const shown = store.page();
  const focused = document.activeElement as HTMLElement | null;
  switch (event.key) {
    case "Escape":
      if (store.ui.enlarged !== null) store.set({ enlarged: null });
      else if (store.ui.showsPast) store.showNow();
      else if (store.ui.picks.length) store.set({ picks: [], confirm: null });
      else store.set({ panel: null });
      return true;
    case "Enter":
      if (!focused?.matches("[data-target][role=button]")) return false;
      store.pick(focused.dataset.target as Target, true);
      return true;
    case " ": {
      const print = printAt(focused);
      if (print === null) return false;
      store.set({ enlarged: store.ui.enlarged === print ? null : print });
      return true;
    }
    case "w": {
      const target = focused?.closest<HTMLElement>("[data-target]")?.dataset.target;
      if (target && shown) store.why(target, shown);
      return true;
    }
    case "l":
      store.set({ panel: store.ui.panel === "log" ? null : "log" });
      return true;
    case "t":
      store.set({ asText: !store.ui.asText });
      return true;
    case "[":
      store.moveBySteps(-1);
      return true;
    case "]":
      store.moveBySteps(1);
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

export function listenForKeys(store: Store): void {
  // When focus returns to a group, it moves to an element that can be picked.
  document.addEventListener("focusout", () => setTimeout(() => updateTabStops(document.body)));
  document.addEventListener("focusin", ({ target }) => {
    const element = target as HTMLElement;
    lastGroup = element.matches("[data-stop]:focus-visible") ? element.closest("[data-group]") : null;
    lastZone = element.dataset.zone;
  });
  document.addEventListener("pointerdown", () => (lastGroup = null));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inTextField = (event.target as Element).closest("input:not([type=checkbox]), select, textarea");
    if (inTextField && event.key !== "Escape") return;
    if (moveFocus(event) || handleKey(event, store)) event.preventDefault();
  });
}
