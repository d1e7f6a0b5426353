import { hash, randomBytes } from 'node:crypto';
import { lruCache } from '../platform/kernel/lru.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import { cachePerCentral, REGISTERS_KEPT_MS } from '../platform/postgres/registerCache.ts';
import { digestApiKey } from './apiKeyStore.ts';
import { type IdentifiedCaller, passwordMark, type VerifiedCaller } from './caller.ts';
import { type Central, loginCentralOf } from './central.ts';
import { findCentral, findCentralIdByKey, findLogin, type Login } from './centralStore.ts';
import { knownClients, loginThrottle, type Slot } from './loginThrottle.ts';
import { isPassword as isArgon2Password, nobodysHash, type PasswordCheck, type Queued } from './passwords.ts';
import { readSecret } from './program.ts';
import { findProgramBySecret, type ProvenProgram } from './programStore.ts';
import type { Sandboxes } from './sandboxes.ts';
import { findCentralIdBySandboxKey, isTestKey } from './sandboxKeyStore.ts';

const KEYS_MAX = 10_000;
const LOGINS_MAX = 10_000;
const SECRETS_MAX = 10_000;

/** The networks against which attempts count, narrowest first: an IPv4 address, or the /64 and /48 of an IPv6 one. */
export type Networks = readonly [string, ...string[]];

const PAUSE_MS_MAX = 60_000;
const loginSlot = (user: string, network: string): Slot => ({
  kind: 'login',
  key: `${user} at ${network}`,
  free: 5,
  pauseMsMax: PAUSE_MS_MAX,
  cleared: true,
});
/** Many people may share an address, so more failures are free. */
const networkSlot = (network: string): Slot => ({
  kind: 'network',
  key: network,
  free: 50,
  pauseMsMax: PAUSE_MS_MAX,
  cleared: false,
});
const wideNetworkSlot = (network: string): Slot => ({
  kind: 'wide-network',
  key: network,
  free: 200,
  pauseMsMax: PAUSE_MS_MAX,
  cleared: false,
});
/**
 * Counts guesses from many networks together. It only slows them down: its pause stays short, so that a user on a new
 * network can still log in. Clients that logged in before are not counted here.
 */
const userSlot = (user: string): Slot => ({
  kind: 'user',
  key: user,
  free: 50,
  pauseMsMax: 2_000,
  cleared: false,
});

export interface Identities {
  /** Refuses with central-not-identified, or with api-key-unknown. */
  central(apiKey: string | undefined): Promise<Central>;
  /**
   * Refuses with bad-credentials, with the same answer and the same work for every cause. If the central does not
   * exist, attempts are counted under `realm`.
   */
  caller(
    central: Central,
    credentials: Credentials | undefined,
    networks: Networks,
    realm?: string,
  ): Promise<VerifiedCaller>;
  /**
   * The program that a bearer token proves. Refuses with token-not-valid, whatever is wrong with it. Guesses are slowed
   * down like logins of unknown clients; a token that was right before is not.
   */
  program(secret: string, networks: Networks): Promise<ProgramCaller>;
  /**
   * An attempt with a secret that names no login, such as an invitation. It is slowed down like logins of unknown
   * clients. `verify` returns undefined for a failure.
   */
  attempt<Found>(networks: Networks, verify: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /**
   * The caller that exactly these headers identified a short time ago. Nearly every request is answered from here. The
   * api-key is empty for a program.
   */
  remembered(apiKey: string, authorization: string): IdentifiedCaller | undefined;
  /** Remembers the headers of a request that began at the given change count, unless registers have changed since. */
  remember(
    apiKey: string,
    authorization: string,
    caller: IdentifiedCaller,
    valid: { begunAt: number; until?: Temporal.Instant | null },
  ): void;
  changeCount(): number;
  forget(centralId: number): void;
  forgetAll(): void;
}

export interface IdentityDeps extends Deps {
  /** Absent: nothing reaches a sandbox. */
  sandboxes?: Sandboxes | undefined;
}

export interface ProgramCaller {
  caller: IdentifiedCaller;
  kind: ProvenProgram['kind'];
  /** When the proof expires. */
  until: Temporal.Instant | null;
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
 * Identifies callers. Every request carries Basic credentials and argon2 is deliberately slow, so verified credentials
 * are remembered for a while under a keyed digest that only this process can compute. Neither passwords nor unkeyed
 * digests of them are kept.
 */
export function identities(
  { db, clock, sandboxes }: IdentityDeps,
  isPassword: PasswordCheck = isArgon2Password,
): Identities {
  const centrals = cachePerCentral((centralId) => findCentral(db, centralId));
  const keys = lruCache<string, Remembered & { centralId: number }>(KEYS_MAX);
  const callers = lruCache<string, Remembered & { caller: IdentifiedCaller }>(LOGINS_MAX);
  const logins = lruCache<string, Remembered & { login: Login }>(LOGINS_MAX);
  const verifying = new Map<string, Promise<Login>>();
  const proven = lruCache<string, true>(SECRETS_MAX);
  const clients = knownClients();
  // Counts the changes of each central's registers. Entries from before the last change are void.
  const changes = new Map<number, number>();
  let changeCount = 0;
  let resets = 0;
  const secret = randomBytes(32).toString('base64');
  const sealOf = (text: string): string => hash('sha256', `${secret}:${text}`, 'base64');
  const throttle = loginThrottle(clock);
  const now = () => clock.milliseconds();
  const stateOf = (centralId: number): string => `${resets}.${changes.get(centralId) ?? 0}`;
  // An entry that would last longer was made before the clock was set back.
  const isFresh = (msLeft: number): boolean => msLeft > 0 && msLeft <= REGISTERS_KEPT_MS;
  const holds = (each: Remembered | undefined, state: string): boolean =>
    each !== undefined && isFresh(each.until - now()) && each.state === state;
  /** Who may reach a sandbox depends on the registers of both centrals. */
  const callerState = ({ id, sandboxOf }: Central): string =>
    sandboxOf === undefined ? stateOf(id) : `${stateOf(sandboxOf)} ${stateOf(id)}`;

  const centralIdOf = async (apiKey: string): Promise<number | undefined> => {
    const known = keys.get(apiKey);
    if (known && holds(known, stateOf(known.centralId))) return known.centralId;
    const before = changeCount;
    const find = isTestKey(apiKey) ? findCentralIdBySandboxKey : findCentralIdByKey;
    const centralId = await find(db, digestApiKey(apiKey));
    if (centralId !== undefined && before === changeCount)
      keys.set(apiKey, { centralId, state: stateOf(centralId), until: now() + REGISTERS_KEPT_MS });
    return centralId;
  };

  const findVerified = async (
    central: Central,
    { username, password }: Credentials,
    queued: Queued,
    verifiedHash: string | undefined,
  ): Promise<Login | undefined> => {
    const login = await findLogin(db, loginCentralOf(central), username);
    // The cached login has expired, but the password stays verified for the same hash.
    if (login && login.passwordHash === verifiedHash) return login;
    const right = await isPassword(login?.passwordHash ?? (await nobodysHash), password, queued);
    return right ? login : undefined;
  };

  const verify = async (
    central: Central,
    credentials: Credentials,
    [network, ...wider]: Networks,
    { realm, seal, verifiedHash }: { realm: string; seal: string; verifiedHash: string | undefined },
  ): Promise<Login> => {
    const user = `${realm} ${credentials.username}`;
    const standing = clients.standing(user, network, seal);
    const isKnown = standing !== 'stranger';
    const queued = { isKnown, network: wider.at(-1) ?? network };
    const attempt = () => findVerified(central, credentials, queued, verifiedHash);
    // Guesses, from this network or others, do not delay a client that knows the password.
    let found = standing === 'proven' ? await attempt() : undefined;
    if (standing === 'proven' && !found) clients.disprove(user, network, seal);
    if (standing !== 'proven') {
      const strangers = [networkSlot(network), ...wider.map(wideNetworkSlot), userSlot(user)];
      found = await throttle.attempt([loginSlot(user, network), ...(isKnown ? [] : strangers)], attempt);
    }
    if (!found) throw new Refusal('bad-credentials');
    clients.letIn(user, network, seal);
    return found;
  };

  /** Drivers of the real central are no drivers of its sandbox, so they cannot log in there. */
  const admitted = async (central: Central, login: Login): Promise<VerifiedCaller> => {
    if (central.sandboxOf !== undefined) {
      if (login.driverId !== null) throw new Refusal('bad-credentials');
      await sandboxes!.admit(central, login.userId);
    }
    return toCaller(central, login);
  };

  const attemptAt: Identities['attempt'] = ([network, ...wider], verify) =>
    throttle.attempt([networkSlot(network), ...wider.map(wideNetworkSlot)], verify);

  return {
    async central(apiKey) {
      if (!apiKey) throw new Refusal('central-not-identified');
      const centralId = await centralIdOf(apiKey);
      const central = centralId === undefined ? undefined : await centrals.of(centralId);
      if (!central?.active || central.sandboxOf !== undefined) throw new Refusal('api-key-unknown');
      if (!isTestKey(apiKey)) return central;
      if (!sandboxes) throw new Refusal('api-key-unknown');
      return sandboxes.of(central.id);
    },

    async caller(central, credentials, networks, realm = String(loginCentralOf(central))) {
      if (!credentials) throw new Refusal('bad-credentials');
      const seal = sealOf(`${realm}:${credentials.username}:${credentials.password}`);
      const known = logins.get(seal);
      // Read before the look-up, so that a change made meanwhile voids the cached result.
      const state = stateOf(loginCentralOf(central));
      if (known && holds(known, state)) return admitted(central, known.login);
      // A burst of requests with the same credentials is verified once.
      const burst = `${state} ${seal} ${networks[0]}`;
      let verification = verifying.get(burst);
      if (!verification) {
        const verifiedHash = known?.login.passwordHash;
        verification = verify(central, credentials, networks, { realm, seal, verifiedHash }).finally(() =>
          verifying.delete(burst),
        );
        verifying.set(burst, verification);
      }
      const login = await verification;
      logins.set(seal, { login, state, until: now() + REGISTERS_KEPT_MS });
      return admitted(central, login);
    },

    async program(secret, networks) {
      const read = readSecret(secret);
      if (!read) throw new Refusal('token-not-valid');
      const seal = sealOf(secret);
      const find = async () => {
        const program = await findProgramBySecret(db, read.centralId, read.digest, clock.now());
        if (!program) return undefined;
        const central = await centrals.of(read.centralId);
        if (!central?.active || program.isTest !== read.isTest) return undefined;
        if (!program.isTest) return { program, central };
        if (!sandboxes) return undefined;
        const sandbox = await sandboxes.of(central.id);
        await sandboxes.admit(sandbox, program.id);
        return { program, central: sandbox };
      };
      const found = proven.has(seal) ? await find() : await attemptAt(networks, find);
      if (!found) {
        proven.delete(seal);
        throw new Refusal('token-not-valid');
      }
      proven.set(seal, true);
      return toProgramCaller(found.central, found.program, read.digest);
    },

    attempt: attemptAt,

    remembered(apiKey, authorization) {
      const known = callers.get(sealOf(`${apiKey}\n${authorization}`));
      return known && holds(known, callerState(known.caller.central)) ? known.caller : undefined;
    },

    remember(apiKey, authorization, caller, { begunAt, until }) {
      if (begunAt !== changeCount) return;
      const state = callerState(caller.central);
      const kept = {
        caller,
        state,
        until: Math.min(now() + REGISTERS_KEPT_MS, until?.epochMilliseconds ?? Infinity),
      };
      callers.set(sealOf(`${apiKey}\n${authorization}`), kept);
    },

    changeCount: () => changeCount,

    forget(centralId) {
      changeCount += 1;
      changes.set(centralId, (changes.get(centralId) ?? 0) + 1);
      centrals.forget(centralId);
      sandboxes?.forget(centralId);
    },

    forgetAll() {
      changeCount += 1;
      resets += 1;
      centrals.forgetAll();
      sandboxes?.forgetAll();
    },
  };
}

const toCaller = (central: Central, login: Login): VerifiedCaller => ({
  central,
  centralId: central.id,
  companyId: login.companyId,
  driverId: login.driverId,
  userId: login.userId,
  role: login.role,
  passwordMark: passwordMark(login.passwordHash),
});

const toProgramCaller = (central: Central, program: ProvenProgram, digest: Buffer): ProgramCaller => ({
  caller: {
    central,
    centralId: central.id,
    companyId: program.companyId,
    driverId: null,
    userId: program.id,
    role: program.role,
    scopes: new Set(program.scopes),
    proof: { kind: 'program', secretDigest: digest.toString('base64') },
  },
  kind: program.kind,
  until: program.expiresAt,
});
