import Type, { type Static } from 'typebox';
import type { ProofAddress } from '../deliveries/concludeStop.ts';
import type { EventProof } from '../events/event.ts';
import type { Tx } from '../postgres/database.ts';
import type { ProofLinks, SignLink } from '../proof/proofLinks.ts';
import { findProofImages, LAST_VISIT, type ProofImage } from '../proof/proofStore.ts';
import type { AttemptShown } from '../requests/attemptStore.ts';
import { proofKindCode } from './codes.ts';
import { formatUtc } from './values.ts';

export const PROOF_PATH = '/comprovantes';

const proofUrl = (publicUrl: string, token: string): string => `${publicUrl}${PROOF_PATH}/${token}`;

export const proofAddress = (
  { proofLinks }: { proofLinks: ProofLinks },
  publicUrl: string,
): ProofAddress => ({ proofLinks, urlOf: (token) => proofUrl(publicUrl, token) });

const kindField = Type.Enum(Object.values(proofKindCode));
const url = Type.String({ description: 'link assinado da imagem; quem o tem a vê até expira_em' });
const expires = Type.String({ description: 'ISO 8601 em UTC; depois disso, leia os detalhes da entrega' });

/** A link to an image in events. */
export const ProofLinkSchema = Type.Object({ tipo: kindField, url, expira_em: expires });

export const proofLinkExample = {
  tipo: 'foto',
  url: 'https://malote.example/comprovantes/1.AAAAAAgdAABpIVQAa1u9H-Zk3vXoQ1sT9bYw5uE2hRY',
  expira_em: '2026-11-23T16:00:00Z',
} as const;

export const formatEventProof = (proof: EventProof): Static<typeof ProofLinkSchema> => ({
  tipo: proofKindCode[proof.kind],
  url: proof.url,
  expira_em: proof.expiresAt,
});

/** An image with its link, its time and the expiry. */
export const ProofSchema = Type.Object({
  tipo: kindField,
  url,
  expira_em: expires,
  formato: Type.String({ description: 'image/jpeg, image/png ou image/webp' }),
  largura: Type.Integer(),
  altura: Type.Integer(),
  tirada_em: Type.String({ description: 'quando foi feita, segundo o telefone; ISO 8601 em UTC' }),
  recebida_em: Type.String({ description: 'quando chegou à central; ISO 8601 em UTC' }),
});

export const proofExample = {
  ...proofLinkExample,
  formato: 'image/jpeg',
  largura: 1280,
  altura: 960,
  tirada_em: '2026-11-16T15:30:51Z',
  recebida_em: '2026-11-16T15:31:02Z',
};

export function formatProof(
  image: ProofImage,
  sign: SignLink,
  publicUrl: string,
): Static<typeof ProofSchema> {
  const { token, expiresAt } = sign(image);
  return {
    tipo: proofKindCode[image.kind],
    url: proofUrl(publicUrl, token),
    expira_em: formatUtc(expiresAt),
    formato: image.mediaType,
    largura: image.width,
    altura: image.height,
    tirada_em: formatUtc(image.takenAt),
    recebida_em: formatUtc(image.receivedAt),
  };
}

/** The images of a stop. */
export interface StopProofs {
  lastVisit: Static<typeof ProofSchema>[];
  /** By the number of the attempt. */
  attempt(number: number): Static<typeof ProofSchema>[];
}

interface VisitedStop {
  id: number;
  isNotDelivered: boolean;
  attempts: readonly Pick<AttemptShown, 'number'>[];
}

export type ProofsOfStop = (stop: VisitedStop) => StopProofs;

/** All images of some stops, with their links. */
export async function proofsOfStops(
  { db, proofLinks }: { db: Tx; proofLinks: ProofLinks },
  centralId: number,
  stops: readonly VisitedStop[],
  publicUrl: string,
): Promise<ProofsOfStop> {
  const images = await findProofImages(
    db,
    centralId,
    stops.map(({ id }) => id),
  );
  if (images.length === 0) return () => ({ lastVisit: [], attempt: () => [] });
  const sign = await proofLinks.signer(centralId);
  const byStop = Map.groupBy(images, ({ stopId }) => stopId);
  return ({ id, isNotDelivered, attempts }) => {
    const ofVisit = (visit: number) =>
      (byStop.get(id) ?? [])
        .filter(({ attempt }) => attempt === visit)
        .map((image) => formatProof(image, sign, publicUrl));
    const last = isNotDelivered ? attempts.at(-1)?.number : undefined;
    // The attempt that ended the stop was its last visit.
    return {
      lastVisit: ofVisit(LAST_VISIT),
      attempt: (number) => ofVisit(number === last ? LAST_VISIT : number),
    };
  };
}
