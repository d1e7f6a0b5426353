import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../api/http/endpoint.ts';
import { countStranger, type RateLimits } from '../../api/http/rateLimits.ts';
import { proofKindCode } from '../../api/json/codes.ts';
import { PROOF_PATH } from '../../api/json/proofJson.ts';
import { findCentral } from '../../centrals/centralStore.ts';
import type { ImageType } from '../../deliveries/proof/image.ts';
import { readProof } from '../../deliveries/proof/readProof.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

const extensions: Record<ImageType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/**
 * The target of a signed link: the image itself. A wrong, changed or expired link is the same 404 as a missing image.
 */
export function installProof(app: FastifyInstance, deps: AppDeps, { limits }: { limits: RateLimits }): void {
  app.get<{ Params: { token: string } }>(`${PROOF_PATH}/:token`, async (request, reply) => {
    const proof = await readProof(deps, request.params.token);
    const central = proof && (await findCentral(deps.db, proof.centralId));
    if (!proof || !central?.active) {
      countStranger(limits, request, reply);
      throw new Refusal('proof-not-found');
    }
    const name = `comprovante-${proofKindCode[proof.kind]}.${extensions[proof.mediaType]}`;
    return (
      reply
        .header('content-disposition', `inline; filename="${name}"`)
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        // Only the reader's browser caches it, for at most the interval in which links are renewed.
        .header('cache-control', 'private, max-age=3600')
        .type(proof.mediaType)
        .send(proof.content)
    );
  });
}
