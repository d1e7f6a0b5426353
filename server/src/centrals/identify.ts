import { hash, randomBytes } from 'node:crypto';
import { BoundedMap } from '../kernel/boundedMap.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { cachePerCentral } from '../postgres/registerCache.ts';
import { digestApiKey } from './apiKey.ts';
import type { Caller, UserCaller } from './caller.ts';
import type { Central } from './central.ts';
import { findCentral, findCentralIdByKey, findLogin, type Login } from './centralStore.ts';
import { loginThrottle, type Slot } from './loginThrottle.ts';
import { isPassword as isArgon2Password, nobodysHash } from './passwords.ts';

const KEYS_MAX = 10_000;
const LOGINS_MAX = 10_000;
const HOMES_MAX = 50_000;
/** A backstop only: changes are told by NOTIFY and forgotten at once. */
const KEPT_MS = 60_000;
const USER_FAILURES_FREE = 5;
/** Many people may share an address. */
const ADDRESS_FAILURES_FREE = 50;

export interface Identities {
  /** Refuses with central-not-identified. */
  central(apiKey: string | undefined): Promise<Central>;
  /** Refuses with bad-credentials, the same and after the same work for every cause. */
  caller(central: Central, credentials: Credentials | undefined, address: string): Promise<UserCaller>;
  /** Whom these very headers stood for a moment ago: nearly every request's answer, without a detour. */
  remembered(apiKey: string, authorization: string): Caller | undefined;
  /** Remembers the headers of a request that began at the given count of changes, unless there was one since. */
  remember(apiKey: string, authorization: string, caller: Caller, begunAt: number): void;
  changeCount(): number;
  forget(centralId: number): void;
  forgetAll(): void;
}

interface Remembered {
  state: string;
  until: number;
}

export interface Credentials {
  username: string;
  password: string;
}

/**
 * Tells who is asking. Basic credentials come with every request and argon2 is slow on purpose, so what
 * was verified is remembered for a while under a keyed digest that only this process can make; neither passwords
 * nor digests of them are kept.
 */
export function identities({ db, clock }: Needs, isPassword = isArgon2Password): Identities {
  const centrals = cachePerCentral((centralId) => findCentral(db, centralId));
  const keys = new BoundedMap<string, Remembered & { centralId: number }>(KEYS_MAX);
  const callers = new BoundedMap<string, Remembered & { caller: Caller }>(LOGINS_MAX);
  const logins = new BoundedMap<string, Remembered & { login: Login }>(LOGINS_MAX);
  const verifying = new Map<string, Promise<Login>>();
  // Where each user has been let in before.
  const homes = new BoundedMap<string, true>(HOMES_MAX);
  // Counts the changes of each central's registers: what was remembered before the last one is void.
  const changes = new Map<number, number>();
  let changeCount = 0;
  let resets = 0;
  const secret = randomBytes(32).toString('base64');
  const sealOf = (text: string): string => hash('sha256', `${secret}:${text}`, 'base64');
  const throttle = loginThrottle(clock);
  const now = () => clock.now().epochMilliseconds;
  const stateOf = (centralId: number): string => `${resets}.${changes.get(centralId) ?? 0}`;
  const holds = (one: Remembered | undefined, centralId: number): boolean =>
    one !== undefined && one.until > now() && one.state === stateOf(centralId);

  const centralIdOf = async (apiKey: string): Promise<number | undefined> => {
    const known = keys.get(apiKey);
    if (known && holds(known, known.centralId)) return known.centralId;
    const before = changeCount;
    const centralId = await findCentralIdByKey(db, digestApiKey(apiKey));
    if (centralId !== undefined && before === changeCount)
      keys.set(apiKey, { centralId, state: stateOf(centralId), until: now() + KEPT_MS });
    return centralId;
  };

  const verify = async (
    central: Central,
    { username, password }: Credentials,
    address: string,
  ): Promise<Login> => {
    const user = `user ${central.id} ${username}`;
    const home = `${user} at ${address}`;
    // Whoever guesses from elsewhere slows down strangers, not the user at home.
    const slots: Slot[] = homes.get(home)
      ? [{ key: home, free: USER_FAILURES_FREE, cleared: true }]
      : [
          { key: user, free: USER_FAILURES_FREE, cleared: true },
          { key: `address ${address}`, free: ADDRESS_FAILURES_FREE, cleared: false },
        ];
    const found = await throttle.attempt(slots, async () => {
      const login = await findLogin(db, central.id, username);
      const right = await isPassword(login?.passwordHash ?? (await nobodysHash), password);
      return right ? login : undefined;
    });
    if (!found) throw new Refusal('bad-credentials');
    homes.set(home, true);
    return found;
  };

  return {
    async central(apiKey) {
      if (!apiKey) throw new Refusal('central-not-identified');
      const centralId = await centralIdOf(apiKey);
      const central = centralId === undefined ? undefined : await centrals.of(centralId);
      if (!central?.active) throw new Refusal('central-not-identified');
      return central;
    },

    async caller(central, credentials, address) {
      if (!credentials) throw new Refusal('bad-credentials');
      const seal = sealOf(`${central.id}:${credentials.username}:${credentials.password}`);
      const known = logins.get(seal);
      if (known && holds(known, central.id)) return toCaller(central, known.login);
      // Taken before the look-up, so that a change made meanwhile voids what is remembered of it.
      const state = stateOf(central.id);
      // A burst of requests with the same credentials is verified once.
      const burst = `${state} ${seal} ${address}`;
      let verification = verifying.get(burst);
      if (!verification) {
        verification = verify(central, credentials, address).finally(() => verifying.delete(burst));
        verifying.set(burst, verification);
      }
      const login = await verification;
      logins.set(seal, { login, state, until: now() + KEPT_MS });
      return toCaller(central, login);
    },

    remembered(apiKey, authorization) {
      const known = callers.get(sealOf(`${apiKey}\n${authorization}`));
      return known && holds(known, known.caller.centralId) ? known.caller : undefined;
    },

    remember(apiKey, authorization, caller, begunAt) {
      if (begunAt !== changeCount) return;
      const state = stateOf(caller.centralId);
      callers.set(sealOf(`${apiKey}\n${authorization}`), { caller, state, until: now() + KEPT_MS });
    },

    changeCount: () => changeCount,

    forget(centralId) {
      changeCount += 1;
      changes.set(centralId, (changes.get(centralId) ?? 0) + 1);
      centrals.forget(centralId);
    },

    forgetAll() {
      changeCount += 1;
      resets += 1;
      centrals.forgetAll();
    },
  };
}

const toCaller = (central: Central, login: Login): UserCaller => ({
  central,
  centralId: central.id,
  companyId: login.companyId,
  driverId: login.driverId,
  userId: login.userId,
  role: login.role,
});
