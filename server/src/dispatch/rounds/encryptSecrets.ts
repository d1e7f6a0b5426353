import { encryptLinkKeys } from '../../deliveries/proof/proofLinks.ts';
import { encryptPushKeys } from '../../events/push/pushKeys.ts';
import { encryptStoredSecrets } from '../../events/webhooks/webhookSecrets.ts';
import { forEachIsolated } from '../../platform/kernel/rounds.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Deps } from '../../platform/postgres/deps.ts';

export interface EncryptedSecrets {
  webhooks: number;
  pushKeys: number;
  proofLinkKeys: number;
}

/**
 * Encrypts all stored secrets with the current key; afterwards no value needs an older key. A failure of one kind does
 * not prevent the others, and is thrown after them.
 */
export async function encryptSecrets(deps: Deps & { secrets: SecretBox }): Promise<EncryptedSecrets> {
  const encrypted: EncryptedSecrets = { webhooks: 0, pushKeys: 0, proofLinkKeys: 0 };
  const steps: (() => Promise<Partial<EncryptedSecrets>>)[] = [
    async () => ({ webhooks: await encryptStoredSecrets(deps) }),
    async () => ({ pushKeys: await encryptPushKeys(deps) }),
    async () => ({ proofLinkKeys: await encryptLinkKeys(deps) }),
  ];
  await forEachIsolated(steps, async (step) => Object.assign(encrypted, await step()));
  return encrypted;
}
