import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { readToken, writeToken } from '../../platform/kernel/centralToken.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { renewSecret, type SecretBox } from '../../platform/kernel/secretBox.ts';
import { PROOF_KINDS, type ProofKind } from '../../platform/kernel/states.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import {
  findCentralsWithOldLinkKeys,
  findLinkKey,
  insertLinkKey,
  markLinkKeyRenewed,
  type ProofImage,
  replaceLinkKey,
} from './proofStore.ts';

/**
 * Images are read through links signed with a key of their central. Nothing is stored for a link: its token contains
 * central, stop, kind, expiry and the beginning of the image's digest, with an HMAC of all of these. A link to an image
 * that was replaced or removed is not valid any more.
 */
export interface ProofLink {
  token: string;
  expiresAt: Temporal.Instant;
}

export interface LinkedImage {
  centralId: number;
  stopId: number;
  kind: ProofKind;
  digestStart: Buffer;
}

/** Links created within the same hour are equal, so that answers and browser caches stay the same. */
export type SignLink = (image: Pick<ProofImage, 'stopId' | 'kind' | 'sha256'>) => ProofLink;

export interface ProofLinks {
  /** Reads the central's key, so that links can be signed within a transaction without another connection. */
  signer(centralId: number): Promise<SignLink>;
  /** Undefined for a token with a wrong signature, or an expired one. */
  read(token: string): Promise<LinkedImage | undefined>;
  /** A key of the central for another use, derived from that of its links. */
  keyFor(centralId: number, use: string): Promise<Buffer>;
}

const LINK_HOURS = 7 * 24;
const HOUR_SECONDS = 3_600;
const KEY_BYTES = 32;
const MAC_BYTES = 16;
const DIGEST_BYTES = 4;
const CLAIMS_BYTES = 16;
const KEYS_CACHED_MAX = 10_000;

type LinkDeps = Deps & { secrets: SecretBox };

const ownerOf = (centralId: number): string => `proof links ${centralId}`;

export interface LinkOptions {
  /** Called once for each central whose key cannot be decrypted: existing links answer 404, new ones get a new key. */
  onUnreadableKey?(centralId: number): void;
}

export function proofLinks({ db, clock, secrets }: LinkDeps, options: LinkOptions = {}): ProofLinks {
  const keys = new LRUCache<number, Buffer>({ max: KEYS_CACHED_MAX });
  const unreadable = lruCache<number, true>(KEYS_CACHED_MAX);

  const open = (stored: string | undefined, centralId: number): string | undefined => {
    if (stored === undefined) return undefined;
    const opened = secrets.open(stored, ownerOf(centralId));
    if (opened === undefined && !unreadable.has(centralId)) {
      unreadable.set(centralId, true);
      options.onUnreadableKey?.(centralId);
    }
    return opened;
  };

  const keyOf = async (centralId: number, makesOne: boolean): Promise<Buffer | undefined> => {
    const known = keys.get(centralId);
    if (known) return known;
    const stored = await findLinkKey(db, centralId);
    let opened = open(stored, centralId);
    if (makesOne && opened === undefined) {
      const linkKey = secrets.seal(randomBytes(KEY_BYTES).toString('base64'), ownerOf(centralId));
      if (stored === undefined) await insertLinkKey(db, centralId, linkKey, clock.now());
      else await replaceLinkKey(db, centralId, { unreadable: stored, linkKey }, clock.now());
      opened = open(await findLinkKey(db, centralId), centralId);
    }
    if (opened === undefined) return undefined;
    const key = Buffer.from(opened, 'base64');
    keys.set(centralId, key);
    return key;
  };

  return {
    async signer(centralId) {
      const key = (await keyOf(centralId, true))!;
      const hours = Math.ceil(clock.now().epochMilliseconds / 1000 / HOUR_SECONDS) + LINK_HOURS;
      const seconds = hours * HOUR_SECONDS;
      return ({ stopId, kind, sha256 }) => {
        const claims = Buffer.alloc(CLAIMS_BYTES);
        claims.writeUIntBE(stopId, 0, 6);
        claims.writeUInt8(PROOF_KINDS.indexOf(kind), 6);
        claims.writeUIntBE(seconds, 7, 5);
        sha256.copy(claims, 12, 0, DIGEST_BYTES);
        const secret = Buffer.concat([claims, macOf(key, centralId, claims)]).toString('base64url');
        return {
          token: writeToken({ centralId, secret }),
          expiresAt: Temporal.Instant.fromEpochMilliseconds(seconds * 1000),
        };
      };
    },
    async read(text) {
      const token = readToken(text);
      if (!token) return undefined;
      const bytes = Buffer.from(token.secret, 'base64url');
      if (bytes.length !== CLAIMS_BYTES + MAC_BYTES) return undefined;
      const key = await keyOf(token.centralId, false);
      const claims = bytes.subarray(0, CLAIMS_BYTES);
      if (!key || !timingSafeEqual(macOf(key, token.centralId, claims), bytes.subarray(CLAIMS_BYTES)))
        return undefined;
      const kind = PROOF_KINDS[claims.readUInt8(6)];
      if (!kind || claims.readUIntBE(7, 5) * 1000 <= clock.now().epochMilliseconds) return undefined;
      return {
        centralId: token.centralId,
        stopId: claims.readUIntBE(0, 6),
        kind,
        digestStart: claims.subarray(12, 12 + DIGEST_BYTES),
      };
    },
    keyFor: async (centralId, use) =>
      createHmac('sha256', (await keyOf(centralId, true))!)
        .update(`malote ${use} ${centralId}`)
        .digest(),
  };
}

/** Encrypts keys that are stored plainly or with an older key. Unreadable ones stay unchanged. */
export async function encryptLinkKeys({ db, secrets }: LinkDeps): Promise<number> {
  if (secrets.currentPrefix === '') return 0;
  return countForEach(await findCentralsWithOldLinkKeys(db, secrets.currentPrefix), async (centralId) => {
    const stored = await findLinkKey(db, centralId);
    const renewed = stored && renewSecret(secrets, stored, ownerOf(centralId));
    return renewed && (await markLinkKeyRenewed(db, centralId, { stored, renewed })) ? 1 : 0;
  });
}

const macOf = (key: Buffer, centralId: number, claims: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(`malote proof ${centralId} `)
    .update(claims)
    .digest()
    .subarray(0, MAC_BYTES);
