import Type from 'typebox';
import { findProofOf, IMAGES_OF_STOP_MAX, keepProof } from '../../../deliveries/deliveries/keepProof.ts';
import {
  cleanImage,
  IMAGE_BYTES_MAX,
  IMAGE_SIDE_MAX,
  IMAGE_TYPES,
  type ImageFault,
} from '../../../deliveries/proof/image.ts';
import type { ProofImage } from '../../../deliveries/proof/proofStore.ts';
import { PROOF_KINDS, type ProofKind } from '../../../platform/kernel/states.ts';
import { endpoint } from '../../http/endpoint.ts';
import { invalid } from '../../http/invalidInput.ts';
import { fixedLimits } from '../../http/rateLimits.ts';
import { proofKindCode } from '../../json/codes.ts';
import { imageFields, proofKind, signedProof } from '../../json/proofJson.ts';
import { dataAnswer } from '../../json/values.ts';
import { id, view } from '../../json/view.ts';
import { occurredField, parseOccurred } from './deliverySteps.ts';

const kindWords: Record<ProofKind, string> = {
  photo: 'a foto da entrega',
  signature: 'a assinatura de quem recebeu',
};

const faultWords: Record<ImageFault, { pt: string; en: string }> = {
  'not-an-image': {
    pt: 'não é uma imagem inteira em JPEG, PNG ou WebP',
    en: 'is not a whole image in JPEG, PNG or WebP',
  },
  'other-type': {
    pt: 'não é do formato que o cabeçalho Content-Type diz',
    en: 'is not of the type that the header Content-Type says',
  },
  'too-large': {
    pt: `deve ter no máximo ${IMAGE_SIDE_MAX} pontos de largura e de altura`,
    en: `must be at most ${IMAGE_SIDE_MAX} pixels wide and high`,
  },
  animated: { pt: 'não pode ser animada', en: 'must not be animated' },
};

const keptImage = view<ProofImage & { deliveryId: number }>()({
  id_mch: id((image) => image.deliveryId, '1042'),
  parada_id: id((image) => image.stopId, '2077'),
  tipo: proofKind,
  ...imageFields,
});

const endpointsOf = (kind: ProofKind) => {
  const shared = {
    path: `/entregas/:id/paradas/:parada_id/comprovantes/${proofKindCode[kind]}`,
    tag: 'Operação: etapas da entrega',
    limit: 'operations',
  } as const;
  const place = (params: Readonly<Record<string, number>>) => ({
    deliveryId: params.id!,
    stopId: params.parada_id!,
    kind,
  });
  const put = endpoint({
    ...shared,
    method: 'PUT',
    summary: `Enviar ${kindWords[kind]}`,
    description: `A imagem é o corpo da requisição: ${IMAGE_TYPES.join(', ')}, até ${IMAGE_BYTES_MAX / 1024} KiB e ${IMAGE_SIDE_MAX} pontos por lado. Metadados (EXIF, local, comentários e a orientação) são retirados. Enquanto a visita dura, outra imagem a substitui; as imagens de uma tentativa que falhou ficam com ela. Depois do fim da parada, só o que falta é aceito, por 72 horas. Um entregador cuja entrega passou para outro, ou foi agrupada, envia, no mesmo prazo, só o que falta das visitas que ele mesmo fez. Uma parada guarda no máximo ${IMAGES_OF_STOP_MAX} imagens, de todas as visitas, e recebe de um acesso no máximo ${fixedLimits.imagesOfStop} em 60 segundos. A mesma imagem de novo recebe a mesma resposta.`,
    permission: 'drive',
    refusals: [
      'delivery-not-found',
      'stop-not-found',
      'delivery-handed-over',
      'delivery-grouped',
      'step-out-of-order',
      'delivery-over',
      'proof-already-kept',
      'proof-too-late',
      'proof-too-many',
      'proof-erased',
    ],
    rawBody: { mediaTypes: IMAGE_TYPES, bytesMax: IMAGE_BYTES_MAX },
    query: Type.Object(occurredField),
    queryExample: { ocorrido_em: '2026-11-16T15:30:51Z' },
    answer: dataAnswer(keptImage.schema),
    answerExample: { success: true, data: { ...keptImage.example, tipo: proofKindCode[kind] } },
    async handle({ deps, caller, params, query, raw, admit }) {
      admit('imagesOfStop', `${caller.userId} ${params.parada_id}`);
      const image = cleanImage(raw!.bytes, raw!.mediaType);
      if (typeof image === 'string') throw invalid('corpo', faultWords[image].pt, faultWords[image].en);
      const occurredAt = parseOccurred(query.ocorrido_em, deps.clock.now());
      const kept = await keepProof(deps, caller, place(params), image, occurredAt, deps.proofLinks);
      return { data: keptImage.show({ ...kept, deliveryId: params.id! }, undefined) };
    },
  });
  const get = endpoint({
    ...shared,
    method: 'GET',
    summary: `Ler ${kindWords[kind]}`,
    description:
      'Da última visita à parada; as de tentativas anteriores estão na ficha da entrega. Responde com um link assinado, que leva à imagem sem outra senha e expira. Um entregador lê as das entregas que leva ou que levou até o fim, por 72 horas depois que a imagem chegou; um gerente, as da própria empresa.',
    permission: 'proof-read',
    refusals: ['delivery-not-found', 'stop-not-found', 'proof-not-found'],
    answer: dataAnswer(signedProof.schema),
    answerExample: { success: true, data: { ...signedProof.example, tipo: proofKindCode[kind] } },
    async handle({ deps, caller, params, publicUrl }) {
      const image = await findProofOf(deps, caller, place(params));
      const sign = await deps.proofLinks.signer(caller.centralId);
      return { data: signedProof.show({ ...image, ...sign(image) }, { publicUrl }) };
    },
  });
  return [put, get];
};

export const proofEndpoints = PROOF_KINDS.flatMap(endpointsOf);
