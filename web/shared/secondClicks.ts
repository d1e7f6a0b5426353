const pressable = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('button, a, summary, label, input, select') : null;

/** Two taps of a finger within this time and distance are one double tap. */
const DOUBLE_TAP_MS = 500;
const DOUBLE_TAP_PX = 32;

/**
 * The second click of a double click is meant for the target of the first. If the page has put another control under
 * the pointer meanwhile, such as the next step of a delivery or the button of a dialog, the second click is ignored.
 */
export function ignoreStraySecondClicks(): void {
  let first: Element | null = null;
  let isTouch = false;
  let lastTap: MouseEvent | null = null;
  /**
   * For touch, time and place are compared here: not every browser counts taps, and those that do also count quick taps
   * on neighbouring buttons. For a mouse, the browser counts quick clicks at one place; for the keyboard it counts 0.
   */
  const isSecond = (event: MouseEvent): boolean => {
    if (!isTouch || event.detail === 0) return event.detail > 1;
    const before = lastTap;
    lastTap = event;
    return (
      before !== null &&
      event.timeStamp - before.timeStamp < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) <= DOUBLE_TAP_PX
    );
  };
  const hear = (event: MouseEvent) => {
    const on = pressable(event.target);
    if (!isSecond(event)) first = on;
    else if (on && first && on !== first && !isSameControl(on, first)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const notePointer = ({ pointerType }: PointerEvent) => {
    isTouch = pointerType === 'touch';
  };
  document.addEventListener('pointerdown', notePointer, true);
  document.addEventListener('click', hear, true);
}

/** Whether one is the label of the other. */
const isSameControl = (on: Element, other: Element): boolean =>
  (on instanceof HTMLLabelElement && on.control === other) ||
  (other instanceof HTMLLabelElement && other.control === on);
