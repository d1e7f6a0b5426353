import type { Settings } from '../../centrals/central.ts';
import type { Company } from './company.ts';

/** Whether one kind of proof is off, optional or required. */
export type ProofDemand = Settings['proofPhoto'];

type RuleName = 'proofPhoto' | 'proofSignature' | 'proofName' | 'proofAmount';

/** The proof that a stop asks for, in addition to the recipient's code. */
export type ProofRules = Pick<Settings, RuleName>;

/** A company's own rules; null where it follows its central. */
export type OwnProofRules = Pick<Company, RuleName>;

export const proofRules = (settings: Settings, own: OwnProofRules | null): ProofRules => ({
  proofPhoto: own?.proofPhoto ?? settings.proofPhoto,
  proofSignature: own?.proofSignature ?? settings.proofSignature,
  proofName: own?.proofName ?? settings.proofName,
  proofAmount: own?.proofAmount ?? settings.proofAmount,
});
