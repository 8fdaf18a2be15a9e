// Pointer control: hovering over a card enlarges it, and targets can be dragged to their destination.
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
  flyer: HTMLElement | null;
  touch: boolean;
}

// The innermost element at this point that satisfies the condition.
function over(x: number, y: number, is: (one: HTMLElement) => boolean): HTMLElement | null {
  for (const top of document.elementsFromPoint(x, y))
    for (let one = top as HTMLElement | null; one; one = one.parentElement) if (one.dataset && is(one)) return one;
  return null;
}

export class Pointing {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drag: Drag | null = null;
  private swallow = false; // ignores the click that ends a drag or long press

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

  private large(element: HTMLElement, wait: number, press: boolean): void {
    clearTimeout(this.timer);
    const print = element.dataset.print;
    if (print === undefined || print === "none") return;
    this.timer = setTimeout(() => {
      if (this.drag?.flyer) return;
      if (press) {
        this.swallow = true;
        this.drag = null;
      }
      this.store.set({ large: Number(print) });
    }, wait);
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || this.drag) return;
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    if (card) this.large(card, kHoverTime, false);
  }
  private leave(): void {
    if (this.drag) return;
    clearTimeout(this.timer);
    if (this.store.doing.large !== null && !this.swallow) this.store.set({ large: null });
  }

  private down(event: PointerEvent): void {
    this.swallow = false;
    if (event.button !== 0) return;
    clearTimeout(this.timer);
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    const touch = event.pointerType === "touch";
    if (card && touch) this.large(card, kPressTime, true);
    const from = (event.target as Element).closest<HTMLElement>("[data-target]");
    if (!from) return;
    const hand = from.closest("[data-hand]") !== null;
    if (from.classList.contains("can") || (hand && !touch))
      this.drag = { from, target: from.dataset.target!, x: event.clientX, y: event.clientY, flyer: null, touch };
  }

  private move(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.flyer && far < kDragDistance) return;
    clearTimeout(this.timer);
    // a horizontal touch movement scrolls the hand
    if (!drag.flyer && drag.touch && Math.abs(event.clientX - drag.x) > Math.abs(event.clientY - drag.y))
      return this.end();
    if (!drag.flyer) this.lift(drag);
    drag.flyer!.style.left = `${event.clientX}px`;
    drag.flyer!.style.top = `${event.clientY}px`;
  }

  private lift(drag: Drag): void {
    const card = drag.from.classList.contains("card");
    const flyer = card ? (drag.from.cloneNode(true) as HTMLElement) : document.createElement("div");
    for (const name of ["data-target", "data-zone", "data-print", "data-stop"]) flyer.removeAttribute(name);
    flyer.classList.add("dragged");
    if (!card) flyer.classList.add("dot");
    document.body.append(flyer);
    drag.flyer = flyer;
    drag.from.classList.add("lifted");
    if (drag.from.classList.contains("can")) this.store.point(drag.target, true);
  }

  private up(event: PointerEvent): void {
    clearTimeout(this.timer);
    const drag = this.drag;
    if (!drag?.flyer) return this.end();
    this.swallow = true;
    const hand = drag.from.closest<HTMLElement>("[data-hand]");
    const { next } = this.store.shown()?.narrowed ?? { next: new Map() };
    const onto = over(event.clientX, event.clientY, (one) => next.has(one.dataset.target as Target));
    const among = over(event.clientX, event.clientY, (one) => one.dataset.hand !== undefined);
    this.end();
    if (hand && among === hand) this.sort(hand, drag.from, event.clientX);
    else if (onto && onto.dataset.target !== drag.target && this.store.doing.picks.includes(drag.target))
      this.store.point(onto.dataset.target!, true);
    setTimeout(() => (this.swallow = false));
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
    const order = new Map(this.store.doing.order);
    order.set(
      zone,
      rest.map((one) => Number(one.dataset.print)),
    );
    this.store.set({ order, picks: [], confirm: null });
  }

  private end(): void {
    this.drag?.flyer?.remove();
    this.drag?.from.classList.remove("lifted");
    this.drag = null;
  }

  private click(event: MouseEvent): void {
    if (!this.swallow || event.detail === 0) return;
    this.swallow = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
