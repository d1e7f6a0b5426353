import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits; shown once, kept only as a digest. */
export const newApiKey = (): string => `mal_${randomBytes(32).toString('base64url')}`;

export const digestApiKey = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();
