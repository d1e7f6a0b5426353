import { useRef, useSyncExternalStore } from 'react';

/** So long after its last movement a hand may still be about to press. */
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
  // A browser also tells of a pointer at rest under which the page has moved.
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
  /** Which rows there are, in their order: what leaves them in place is shown at once. */
  layoutOf?: (value: NonNullable<Value>) => readonly unknown[];
  /** What was asked for: another question is answered at once. */
  question?: string;
}

/**
 * What is shown of a live list: the newest, except while a hand aims at a list (whatever is inside `data-steady`). Rows
 * that come, go or change places would put another row's button under the pointer between the aim and the click.
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
