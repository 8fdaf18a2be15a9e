// Implements pointer control: hovering over a card enlarges it, and targets can be dragged to their destination. A drag
// only has an effect where it ends: on a target, on the table for a card that needs no target, or in the hand, which it
// sorts.
import type { Target } from "./targets";
import type { Store } from "./store";

const kHoverTime = 600; // hover time before a card is enlarged, in milliseconds
const kPressTime = 450; // time of a long press, in milliseconds
const kDragDistance = 12; // distance in pixels that starts a drag
const kHoverDistance = 30; // distance in pixels from the last click after which cards are enlarged again

interface Drag {
  from: HTMLElement;
  target: Target;
  x: number;
  y: number;
  copy: HTMLElement | null;
  touch: boolean;
  complete: boolean; // the target needs no further pick: it can be dropped on the table
}

// Returns the innermost element at this point that satisfies the condition.
function elementAt(x: number, y: number, matches: (one: HTMLElement) => boolean): HTMLElement | null {
  for (const top of document.elementsFromPoint(x, y))
    for (let one = top as HTMLElement | null; one; one = one.parentElement) if (one.dataset && matches(one)) return one;
  return null;
}

// Returns the selector of the area that accepts a dragged card without a target: the middle of the table for cards of
// the player, and the player's own box for all others.
const dropArea = (from: Element): string => (from.closest(".seat.mine") ? ".middle" : ".seat.mine");

export class Pointing {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drag: Drag | null = null;
  private ignoreClick = false; // ignores the click that ends a drag or long press
  private hovered: Element | null = null;
  private pressedAt: [number, number] | null = null; // the last press, until the pointer moves away from it

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    root.addEventListener("pointermove", (event) => this.hover(event));
    root.addEventListener("pointerout", () => this.leave());
    root.addEventListener("pointerdown", (event) => this.down(event));
    window.addEventListener("pointermove", (event) => this.move(event));
    window.addEventListener("pointerup", (event) => this.up(event));
    window.addEventListener("pointercancel", () => this.cancel());
    window.addEventListener("keydown", (event) => event.key === "Escape" && this.cancel());
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

  // Enlarges a card to which the pointer moves. A card that slides below a resting pointer, for example after a click,
  // is not enlarged.
  private hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || this.drag) return;
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    if (this.pressedAt) {
      const [x, y] = this.pressedAt;
      if (Math.hypot(event.clientX - x, event.clientY - y) < kHoverDistance) return;
      this.pressedAt = null;
    }
    if (card === this.hovered) return;
    this.hovered = card;
    clearTimeout(this.timer);
    if (card && !document.querySelector(".end, .ballot")) this.enlargeAfter(card, kHoverTime, false);
  }
  private leave(): void {
    this.hovered = null;
    if (this.drag) return;
    clearTimeout(this.timer);
    if (this.store.ui.enlarged !== null && !this.ignoreClick) this.store.set({ enlarged: null });
  }

  private down(event: PointerEvent): void {
    this.ignoreClick = false;
    if (event.button !== 0) return;
    clearTimeout(this.timer);
    this.pressedAt = [event.clientX, event.clientY];
    const card = (event.target as Element).closest<HTMLElement>(".card[data-print]");
    const touch = event.pointerType === "touch";
    if (card && touch) this.enlargeAfter(card, kPressTime, true);
    const from = (event.target as Element).closest<HTMLElement>("[data-target]");
    if (!from) return;
    const hand = from.closest("[data-hand]") !== null;
    if (from.classList.contains("can") || (hand && !touch))
      this.drag = {
        from,
        target: from.dataset.target!,
        x: event.clientX,
        y: event.clientY,
        copy: null,
        touch,
        complete: false,
      };
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
    drag.complete = drag.from.classList.contains("can") && this.store.lift(drag.target) && card;
    if (drag.complete) document.querySelector(dropArea(drag.from))?.classList.add("drop-area");
    drag.from.classList.add("lifted");
  }

  private up(event: PointerEvent): void {
    clearTimeout(this.timer);
    const drag = this.drag;
    if (!drag?.copy) return this.end();
    this.ignoreClick = true;
    setTimeout(() => (this.ignoreClick = false));
    const { clientX: x, clientY: y } = event;
    const hand = drag.from.closest<HTMLElement>("[data-hand]");
    const { next } = this.store.page()?.narrowed ?? { next: new Map() };
    const onto = elementAt(x, y, (one) => next.has(one.dataset.target as Target));
    const among = elementAt(x, y, (one) => one.dataset.hand !== undefined);
    const onTable = elementAt(x, y, (one) => one.matches(dropArea(drag.from))) !== null;
    this.end();
    const isTarget = onto !== null && onto.dataset.target !== drag.target;
    const sorts = hand !== null && among === hand;
    this.store.drop(isTarget && !sorts);
    if (sorts) this.sort(hand, drag.from, x);
    else if (isTarget && this.store.ui.picks.includes(drag.target)) this.store.pick(onto.dataset.target!);
    else if (drag.complete && onTable) this.store.pick(drag.target);
  }

  // Sorts the person's own hand after a drag within it.
  private sort(hand: HTMLElement, card: HTMLElement, x: number): void {
    const cards = [...hand.querySelectorAll<HTMLElement>(".card[data-print]")].filter(
      (one) => one.dataset.print !== "none",
    );
    const rest = cards.filter((one) => one !== card);
    const before = rest.findIndex(
      (one) => one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2 > x,
    );
    rest.splice(before < 0 ? rest.length : before, 0, card);
    this.store.sortHand(
      Number(hand.dataset.hand),
      rest.map((one) => Number(one.dataset.print)),
    );
  }

  private cancel(): void {
    clearTimeout(this.timer);
    const drag = this.drag;
    this.end();
    if (drag?.copy) this.store.drop(false);
  }

  private end(): void {
    this.drag?.copy?.remove();
    this.drag?.from.classList.remove("lifted");
    document.querySelector(".drop-area")?.classList.remove("drop-area");
    this.drag = null;
  }

  private click(event: MouseEvent): void {
    if (!this.ignoreClick || event.detail === 0) return;
    this.ignoreClick = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
