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
    if (applying) location.reload();
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
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK_MS);
}

const UPDATE_CHECK_MS = 30 * 60_000;
