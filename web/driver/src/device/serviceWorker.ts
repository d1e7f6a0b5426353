/**
 * Registers the service worker. A new version waits until the driver agrees or the app is started again, so that no
 * input is lost. The outbox is in the database and survives both.
 */
export async function keepOnPhone(onUpdate: (apply: () => void) => void): Promise<void> {
  const { serviceWorker } = navigator;
  // Absent on plain http and in some private windows: the app then works, but needs the network to start.
  if (!serviceWorker) return;
  let applying = false;
  serviceWorker.addEventListener('controllerchange', () => {
    if (!applying) return;
    // A busy worker keeps the next one waiting, so this may happen long after the driver agreed.
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
      // The download of the files failed. Without a retry, the next start would need the network too.
      if (installing.state === 'redundant' && !registration?.active) retry();
    });
  };
  const register = async (): Promise<void> => {
    try {
      registration = await serviceWorker.register('/entregador/sw.js', { scope: '/entregador' });
    } catch (error) {
      // With any other error, this browser does not allow service workers.
      if (error instanceof TypeError) retry();
      return;
    }
    if (registration.waiting && serviceWorker.controller) apply();
    registration.addEventListener('updatefound', watch);
    // The browser may have found an update while the app was starting.
    watch();
  };
  await register();
  setInterval(() => void registration?.update().catch(() => undefined), UPDATE_CHECK_MS);
}

/** Whether a dialog or form is open whose input a reload would lose. */
const isBeingFilledIn = (): boolean =>
  document.querySelector('dialog[open], main:not(.sign-in) :is(input, textarea)') !== null;

/** Reloads the app with the waiting version, if there is one. */
export async function openAnew(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/entregador');
  registration?.waiting?.postMessage('take-over');
  location.reload();
}

const UPDATE_CHECK_MS = 30 * 60_000;
const RETRY_MS = 30_000;
