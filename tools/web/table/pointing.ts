// Implements pointer control: hovering over a card enlarges it, and targets can be dragged to their destination.
import type { Target } from "./targets";
import type { Store } from "./store";

const kHoverTime = 600; // hover time before a card is enlarged, in milliseconds
const kPressTime = 450; // time of a long press, in milliseconds
const kDragDistance = 8; // distance in pixels that starts a drag

interface Drag {
  from: HTMLElement;
  target: Target;
  x: number;
  y: number;
  copy: HTMLElement | null;
  touch: boolean;
}

// Returns the innermost element at this point that satisfies the condition.
function elementAt(x: number, y: number, matches: (one: HTMLElement) => boolean): HTMLElement | null {
  for (const top of document.elementsFromPoint(x, y))
    for (let one = top as HTMLElement | null; one; one = one.parentElement) if (one.dataset && matches(one)) return one;
  return null;
}

export class Pointing {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drag: Drag | null = null;
  private ignoreClick = false; // ignores the click that ends a drag or long press

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    root.addEventListener("pointerover", (event) => this.hover(event));
    root.addEventListener("pointerout", () => this.leave());
    root.addEventListener("pointerdown", (event) => this.down(event));
    window.addEventListener("pointermove", (event) => this.move(event));
    window.addEventListener("pointerup", (event) => this.up(event));
    window.addEventListener("pointercancel", () => this.end());
    root.addEventListener("click", (event) => this.click(event), true);
    root.addEventListener("contextmenu", (event) => {
      if ((event.target as Element).closest("[data-print]")) event.preventDefault();
    });
  }

  private enlargeAfter(element: HTMLElement, wait: number, press: boolean): void {
    clearTimeout(this.timer);
    const print = element.dataset.print;
    if (print === undefined || print === "none") return;
    this.timer = setTimeout(() => {
      if (this.drag?.copy) return;
      if (press) {
        this.ignoreClick = true;
        this.drag = null;
      }
      this.store.set({ enlarged: Number(print) });
    }, wait);
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || this.drag) return;
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    if (card) this.enlargeAfter(card, kHoverTime, false);
  }
  private leave(): void {
    if (this.drag) return;
    clearTimeout(this.timer);
    if (this.store.ui.enlarged !== null && !this.ignoreClick) this.store.set({ enlarged: null });
  }

  private down(event: PointerEvent): void {
    this.ignoreClick = false;
    if (event.button !== 0) return;
    clearTimeout(this.timer);
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    const touch = event.pointerType === "touch";
    if (card && touch) this.enlargeAfter(card, kPressTime, true);
    const from = (event.target as Element).closest<HTMLElement>("[data-target]");
    if (!from) return;
    const hand = from.closest("[data-hand]") !== null;
    if (from.classList.contains("can") || (hand && !touch))
      this.drag = { from, target: from.dataset.target!, x: event.clientX, y: event.clientY, copy: null, touch };
  }

  private move(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.copy && distance < kDragDistance) return;
    clearTimeout(this.timer);
    // A horizontal touch movement scrolls the hand.
    if (!drag.copy && drag.touch && Math.abs(event.clientX - drag.x) > Math.abs(event.clientY - drag.y))
      return this.end();
    if (!drag.copy) this.lift(drag);
    drag.copy!.style.left = `${event.clientX}px`;
    drag.copy!.style.top = `${event.clientY}px`;
  }

  private lift(drag: Drag): void {
    const card = drag.from.classList.contains("card");
    const copy = card ? (drag.from.cloneNode(true) as HTMLElement) : document.createElement("div");
    for (const name of ["data-target", "data-zone", "data-print", "data-stop"]) copy.removeAttribute(name);
    copy.classList.add("dragged");
    if (!card) copy.classList.add("dot");
    document.body.append(copy);
    drag.copy = copy;
    drag.from.classList.add("lifted");
    if (drag.from.classList.contains("can")) this.store.pick(drag.target, true);
  }

  private up(event: PointerEvent): void {
    clearTimeout(this.timer);
    const drag = this.drag;
    if (!drag?.copy) return this.end();
    this.ignoreClick = true;
    const hand = drag.from.closest<HTMLElement>("[data-hand]");
    const { next } = this.store.page()?.narrowed ?? { next: new Map() };
    const onto = elementAt(event.clientX, event.clientY, (one) => next.has(one.dataset.target as Target));
    const among = elementAt(event.clientX, event.clientY, (one) => one.dataset.hand !== undefined);
    this.end();
    if (hand && among === hand) this.sort(hand, drag.from, event.clientX);
    else if (onto && onto.dataset.target !== drag.target && this.store.ui.picks.includes(drag.target))
      this.store.pick(onto.dataset.target!, true);
    setTimeout(() => (this.ignoreClick = false));
  }

  // Sorts the person's own hand after a drag within it.
  private sort(hand: HTMLElement, card: HTMLElement, x: number): void {
    const zone = Number(hand.dataset.hand);
    const cards = [...hand.querySelectorAll<HTMLElement>(".card[data-print]")].filter(
      (one) => one.dataset.print !== "none",
    );
    const rest = cards.filter((one) => one !== card);
    const before = rest.findIndex(
      (one) => one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2 > x,
    );
    rest.splice(before < 0 ? rest.length : before, 0, card);
    const order = new Map(this.store.ui.order);
    order.set(
      zone,
      rest.map((one) => Number(one.dataset.print)),
    );
    this.store.set({ order, picks: [], confirm: null });
  }

  private end(): void {
    this.drag?.copy?.remove();
    this.drag?.from.classList.remove("lifted");
    this.drag = null;
  }

  private click(event: MouseEvent): void {
    if (!this.ignoreClick || event.detail === 0) return;
    this.ignoreClick = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
