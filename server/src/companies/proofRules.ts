import type { Settings } from '../centrals/central.ts';
import type { Company } from './company.ts';

/** How much is wanted of one kind of proof. */
export type ProofDemand = Settings['proofPhoto'];

type RuleName = 'proofPhoto' | 'proofSignature' | 'proofName' | 'proofAmount';

/** What is asked for at a stop, beside the recipient's code. */
export type ProofRules = Pick<Settings, RuleName>;

/** What a company has of its own; null where it follows its central. */
export type OwnProofRules = Pick<Company, RuleName>;

export const proofRules = (settings: Settings, own: OwnProofRules | null): ProofRules => ({
  proofPhoto: own?.proofPhoto ?? settings.proofPhoto,
  proofSignature: own?.proofSignature ?? settings.proofSignature,
  proofName: own?.proofName ?? settings.proofName,
  proofAmount: own?.proofAmount ?? settings.proofAmount,
});
