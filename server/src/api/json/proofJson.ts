import type { Static } from 'typebox';
import type { AttemptShown } from '../../deliveries/orders/visitStore.ts';
import type { ProofLinks, SignLink } from '../../deliveries/proof/proofLinks.ts';
import { findProofImages, LAST_VISIT, type ProofImage } from '../../deliveries/proof/proofStore.ts';
import type { EventProof } from '../../events/record/event.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { proofKindCode } from './codes.ts';
import { code, instant, integer, text, type View, view } from './view.ts';

export const PROOF_PATH = '/comprovantes';

export const proofKind = code(proofKindCode)((proof: Pick<EventProof, 'kind'>) => proof.kind, 'foto');

const linkFields = {
  tipo: proofKind,
  url: text(
    ({ token, url = '' }: Pick<EventProof, 'token' | 'url'>, { publicUrl }: { publicUrl: string }) =>
      `${publicUrl}${PROOF_PATH}/${token ?? url.slice(url.lastIndexOf('/') + 1)}`,
    'https://malote.example/comprovantes/1.AAAAAAgdAABpIVQAa1u9H-Zk3vXoQ1sT9bYw5uE2hRY',
    'link assinado da imagem; quem o tem a vê até expira_em. Em um webhook é só o caminho enquanto o serviço não tem endereço público configurado',
  ),
};
const EXPIRES = [
  '2026-11-23T16:00:00Z',
  'ISO 8601 em UTC; depois disso, leia os detalhes da entrega',
] as const;

/** A link to an image in events. */
export const proofLink = view<EventProof, { publicUrl: string }>()({
  ...linkFields,
  expira_em: text((proof) => proof.expiresAt, ...EXPIRES),
});

export const imageFields = {
  formato: text((image: ProofImage) => image.mediaType, 'image/jpeg', 'image/jpeg, image/png ou image/webp'),
  largura: integer((image: ProofImage) => image.width, 1280),
  altura: integer((image: ProofImage) => image.height, 960),
  tirada_em: instant(
    (image: ProofImage) => image.takenAt,
    '2026-11-16T15:30:51Z',
    'quando foi feita, segundo o telefone; ISO 8601 em UTC',
  ),
  recebida_em: instant(
    (image: ProofImage) => image.receivedAt,
    '2026-11-16T15:31:02Z',
    'quando chegou à central; ISO 8601 em UTC',
  ),
};

/** An image with its link, its time and the expiry. */
export const signedProof = view<ProofImage & ReturnType<SignLink>, { publicUrl: string }>()({
  ...linkFields,
  expira_em: instant((image) => image.expiresAt, ...EXPIRES),
  ...imageFields,
});

export type ProofShown = Static<typeof signedProof.schema>;

/** For answers whose images were shown by `proofsOfStops`. */
export const proofShown: View<ProofShown, unknown, typeof signedProof.schema> = {
  ...signedProof,
  show: (image) => image,
};

/** The images of a stop. */
export interface StopProofs {
  lastVisit: ProofShown[];
  /** By the number of the attempt. */
  attempt(number: number): ProofShown[];
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
        .map((image) => signedProof.show({ ...image, ...sign(image) }, { publicUrl }));
    const last = isNotDelivered ? attempts.at(-1)?.number : undefined;
    // The attempt that ended the stop was its last visit.
    return {
      lastVisit: ofVisit(LAST_VISIT),
      attempt: (number) => ofVisit(number === last ? LAST_VISIT : number),
    };
  };
}
