import { newKey } from '../../../shared/insecure.ts';
import { API, request } from './network.ts';

export type PushState = 'unsupported' | 'askable' | 'denied' | 'on';

export function pushState(): PushState {
  if (!('PushManager' in window) || !('Notification' in window) || !navigator.serviceWorker)
    return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' ? 'on' : 'askable';
}

/** Asks for permission, which browsers allow only after a touch, and registers this phone with the service. */
export async function allowPush(driverId: string): Promise<PushState> {
  if ((await Notification.requestPermission()) === 'granted') await subscribe(driverId);
  return pushState();
}

/** Reports permission changes in the browser's settings, until the returned function is called. */
export function watchPush(driverId: string, onChange: (push: PushState) => void): () => void {
  const ended = new AbortController();
  const read = (): void => {
    onChange(pushState());
    void subscribe(driverId);
  };
  void navigator.permissions?.query({ name: 'notifications' }).then(
    (permission) => permission.addEventListener('change', read, { signal: ended.signal }),
    () => undefined,
  );
  return () => ended.abort();
}

/** Called at each start, because a browser may change its subscription at any time. */
export async function subscribe(driverId: string): Promise<void> {
  if (pushState() !== 'on') return;
  const key = await request<{ chave_publica: string }>('/entregador/push');
  if (key.kind !== 'ok') return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await subscribeWith(registration.pushManager, key.data.chave_publica).catch(
    () => null,
  );
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  await request(`${API}/condutores/${driverId}/aparelhos/push`, {
    method: 'POST',
    body: { endpoint, keys },
    key: newKey(),
  });
}

/**
 * A browser refuses a key other than that of its current subscription. That happens after the service has replaced its
 * key, or the phone has moved to another central. The old subscription is useless then, so it is removed.
 */
async function subscribeWith(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const previous = await manager.getSubscription();
    if ((error as Error).name !== 'InvalidStateError' || !previous) throw error;
    await previous.unsubscribe();
    return manager.subscribe(options);
  }
}
