import { useRef, useSyncExternalStore } from 'react';

/** The time after its last movement in which a pointer may still be about to press. */
const AIM_MS = 700;

const readers = new Set<() => void>();
let isAiming = false;
let isPressed = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last = { x: -1, y: -1 };

function set(next: boolean): void {
  if (isAiming === next) return;
  isAiming = next;
  for (const notify of readers) notify();
}

function aim(): void {
  clearTimeout(timer);
  set(true);
  if (!isPressed) timer = setTimeout(() => set(false), AIM_MS);
}

const isOverSteady = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[data-steady]') !== null;

function move(event: PointerEvent): void {
  // Browsers also send this event for a pointer at rest under which the page has moved.
  const isMoved = event.clientX !== last.x || event.clientY !== last.y;
  last = { x: event.clientX, y: event.clientY };
  if (isMoved && isOverSteady(event)) aim();
}

function press(event: PointerEvent): void {
  if (!isOverSteady(event)) return;
  isPressed = true;
  aim();
}

function release(): void {
  if (!isPressed) return;
  isPressed = false;
  aim();
}

document.addEventListener('pointermove', move, true);
document.addEventListener('pointerdown', press, true);
for (const name of ['pointerup', 'pointercancel', 'dragend']) document.addEventListener(name, release, true);

interface SteadyOptions<Value> {
  /** The rows in their order. A change that leaves them in place is shown at once. */
  layoutOf?: (value: NonNullable<Value>) => readonly unknown[];
  /** Identifies the request. The answer to another request is shown at once. */
  question?: string;
}

/**
 * Returns the newest value of a live list, except while the pointer aims at a list (an element with `data-steady`).
 * Rows that come, go or move would otherwise put another row's button under the pointer just before the click.
 */
export function useSteady<Value>(
  value: Value,
  { layoutOf, question = '' }: SteadyOptions<Value> = {},
): Value {
  const isHeld = useSyncExternalStore(
    (notify) => {
      readers.add(notify);
      return () => readers.delete(notify);
    },
    () => isAiming,
  );
  const layout = value == null ? undefined : layoutOf?.(value).join(' ');
  const shown = useRef({ value, question, layout });
  const before = shown.current;
  const staysInPlace = layout !== undefined && layout === before.layout;
  if (!isHeld || before.value === undefined || before.question !== question || staysInPlace)
    shown.current = { value, question, layout };
  return shown.current.value;
}
