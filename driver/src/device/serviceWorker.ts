/**
 * Registers the service worker. A new version waits until the person says so, or until the app is started anew,
 * when nothing is being typed; the outbox is in the database and survives either way.
 */
export async function keepOnPhone(onUpdate: (apply: () => void) => void): Promise<void> {
  const { serviceWorker } = navigator;
  // Absent on plain http and in some private windows: the app then works, but needs the network to start.
  if (!serviceWorker) return;
  let applying = false;
  serviceWorker.addEventListener('controllerchange', () => {
    if (!applying) return;
    // A worker that is busy keeps the next one waiting, so that this may be long after it was asked for.
    if (isBeingFilledIn()) onUpdate(() => location.reload());
    else location.reload();
  });
  const registration = await serviceWorker.register('/entregador/sw.js', { scope: '/entregador' });
  const apply = (): void => {
    applying = true;
    registration.waiting?.postMessage('take-over');
  };
  // At the first visit there is no older version to replace.
  const offer = (): void => {
    if (registration.waiting && serviceWorker.controller) onUpdate(apply);
  };
  if (registration.waiting && serviceWorker.controller) apply();
  const watch = (): void => registration.installing?.addEventListener('statechange', offer);
  registration.addEventListener('updatefound', watch);
  // The browser may have found it while the app was starting.
  watch();
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK_MS);
}

/** Something is asked of the driver, which a reload would lose. */
const isBeingFilledIn = (): boolean =>
  document.querySelector('dialog[open], main:not(.sign-in) :is(input, textarea)') !== null;

/** A version that waits is used from the next start on, whatever became of this one. */
export async function openAnew(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/entregador');
  registration?.waiting?.postMessage('take-over');
  location.reload();
}

const UPDATE_CHECK_MS = 30 * 60_000;
