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
  let registration: ServiceWorkerRegistration | undefined;
  const apply = (): void => {
    applying = true;
    registration?.waiting?.postMessage('take-over');
  };
  // At the first visit there is no older version to replace.
  const offer = (): void => {
    if (registration?.waiting && serviceWorker.controller) onUpdate(apply);
  };
  const retry = (): void => void setTimeout(() => void register(), RETRY_MS);
  const watch = (): void => {
    const installing = registration?.installing;
    installing?.addEventListener('statechange', () => {
      offer();
      // A network that was cut while the files came: without another attempt the next start would need a network too.
      if (installing.state === 'redundant' && !registration?.active) retry();
    });
  };
  const register = async (): Promise<void> => {
    try {
      registration = await serviceWorker.register('/entregador/sw.js', { scope: '/entregador' });
    } catch (error) {
      // Otherwise this browser does not allow it, now or later.
      if (error instanceof TypeError) retry();
      return;
    }
    if (registration.waiting && serviceWorker.controller) apply();
    registration.addEventListener('updatefound', watch);
    // The browser may have found it while the app was starting.
    watch();
  };
  await register();
  setInterval(() => void registration?.update().catch(() => undefined), UPDATE_CHECK_MS);
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
const RETRY_MS = 30_000;
