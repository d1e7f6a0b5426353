import Type from 'typebox';
import { correctStop } from '../../../deliveries/deliveries/correctStop.ts';
import { acceptProposal, rejectProposal } from '../../../deliveries/deliveries/decideProposal.ts';
import { changeActor } from '../../../events/audit/recordChange.ts';
import { removeCorrection, saveCorrection } from '../../../geo/geocoding/correctedGeocoder.ts';
import {
  type CorrectionOrigin,
  type ListedCorrection,
  listCorrections,
} from '../../../geo/geocoding/correctionStore.ts';
import { type ListedProposal, listProposals } from '../../../geo/geocoding/proposalStore.ts';
import type { Position } from '../../../platform/kernel/position.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import {
  answerWith,
  answerWithList,
  dataAnswer,
  messageAnswer,
  pageFields,
  parsePage,
} from '../../json/values.ts';
import { code, id, instant, integer, kind, one, text, view } from '../../json/view.ts';
import { named } from '../wire/commonFields.ts';
import { given } from '../wire/fields.ts';
import { positionFields } from '../wire/knownAddress.ts';
import { addressExample, addressFields, foundAddress, TAG } from './addresses.ts';

const PROPOSALS_SHOWN_MAX = 100;

const shared = { tag: TAG, limit: 'operations' } as const;
const forDesk = { ...shared, permission: 'desk' } as const;
const corrected = {
  ...foundAddress,
  example: { ...foundAddress.example, cep: null, fonte: 'correction' },
};

const correctAddressEndpoint = endpoint({
  ...forDesk,
  method: 'POST',
  path: '/enderecos/correcoes',
  summary: 'Corrigir a posição de um endereço',
  description: 'A central passa a encontrar o endereço neste ponto, antes de qualquer outra fonte.',
  refusals: ['address-without-street'],
  body: Type.Object({ ...addressFields, ...positionFields }),
  bodyExample: { ...addressExample, lat: -30.0306, lng: -51.2301 },
  ...answerWith(corrected),
  async handle({ deps, caller, body }) {
    const parts = {
      line: body.endereco,
      district: given(body.bairro),
      city: given(body.cidade),
      state: given(body.estado),
    };
    const place = { lat: body.lat, lng: body.lng };
    const actor = changeActor(caller, deps.clock.now(), 'operations');
    const author = { origin: 'operator', userId: caller.userId } as const;
    const found = await deps.db.begin((tx) => saveCorrection(tx, parts, place, actor, author));
    return { data: corrected.show(found, undefined) };
  },
});

/** The coordinates of a correction have the bounds of a sent position. */
const placedFields = <Row>(of: (row: Row) => Position) => ({
  lat: kind(() => positionFields.lat, Number)((row: Row) => of(row).lat, -30.0306),
  lng: kind(() => positionFields.lng, Number)((row: Row) => of(row).lng, -51.2301),
});

const originCode = { operator: 'central', driver: 'entregador' } as const satisfies Record<
  CorrectionOrigin,
  string
>;

const correction = view<ListedCorrection>()({
  id: id((each) => each.id, '81273640219'),
  rua: text((each) => each.street, 'Rua dos Andradas'),
  numero: integer.orNull((each) => each.number || null, 1001),
  bairro: text((each) => each.district, 'centro historico'),
  cidade: text((each) => each.city, 'Porto Alegre'),
  estado: text((each) => each.state, 'RS'),
  ...placedFields((each: ListedCorrection) => each),
  origem: code(originCode)((each) => each.origin, originCode.driver),
  autor: text.orNull((each) => each.author, 'condutor1', 'o usuário; nulo para as mais antigas'),
  em: instant((each) => each.at, '2026-11-16T15:00:00Z'),
});

const listCorrectionsEndpoint = endpoint({
  ...forDesk,
  method: 'GET',
  path: '/enderecos/correcoes',
  summary: 'Listar os endereços corrigidos',
  description: 'Do mais novo para o mais antigo.',
  query: Type.Object({
    ...pageFields,
    texto: Type.Optional(
      Type.String({ maxLength: 100, description: 'na rua, no número ou na cidade, sem diferenciar acentos' }),
    ),
  }),
  ...answerWithList(correction),
  async handle({ deps: { db }, caller, query }) {
    const text = query.texto?.trim() || null;
    const corrections = await listCorrections(db, caller.centralId, text, parsePage(query));
    return { data: corrections.map((each) => correction.show(each, undefined)) };
  },
});

const removeCorrectionEndpoint = endpoint({
  ...forDesk,
  method: 'DELETE',
  path: '/enderecos/correcoes/:id',
  summary: 'Desfazer a correção de um endereço',
  description: 'Os próximos pedidos voltam a localizar o endereço como as outras fontes o conhecem.',
  refusals: ['record-not-found'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'correção desfeita' },
  async handle({ deps, caller, params, language }) {
    const actor = changeActor(caller, deps.clock.now(), 'operations');
    await deps.db.begin((tx) => removeCorrection(tx, actor, params.id!));
    return { message: language === 'en' ? 'correction removed' : 'correção desfeita' };
  },
});

const correctStopEndpoint = endpoint({
  ...shared,
  permission: 'drive',
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/corrigir-posicao',
  summary: 'Corrigir a posição do endereço de uma parada',
  description:
    'Os próximos pedidos para o endereço são localizados neste ponto; a rota e o valor desta entrega não mudam. De um ' +
    'entregador vale na hora só enquanto ele leva a entrega, a até 300 m da parada e da posição que ele informou nos ' +
    'últimos 5 minutos, e para um endereço que ninguém corrigiu antes; senão fica como proposta (`proposta`) até que a ' +
    'central decida.',
  refusals: [
    'delivery-not-found',
    'delivery-handed-over',
    'delivery-grouped',
    'stop-not-found',
    'address-without-street',
  ],
  body: Type.Object(positionFields),
  bodyExample: { lat: -30.0306, lng: -51.2301 },
  answer: dataAnswer(
    Type.Object({
      ...foundAddress.schema.properties,
      proposta: Type.Boolean({ description: 'se só vale depois que a central aceitar' }),
    }),
  ),
  answerExample: { success: true, data: { ...corrected.example, proposta: false } },
  async handle({ deps, caller, params, body }) {
    const { found, isProposal } = await correctStop(deps, caller, params.id!, params.parada_id!, body);
    return { data: { ...corrected.show(found, undefined), proposta: isProposal } };
  },
});

const proposal = view<ListedProposal>()({
  id: id((each) => each.id, '81273640219'),
  id_mch: id((each) => each.deliveryId, '1042'),
  parada_id: id((each) => each.stopId, '2084'),
  endereco: text((each) => each.line, 'Rua dos Andradas, 1001'),
  bairro: text.orNull((each) => each.district, 'Centro Histórico'),
  cidade: text.orNull((each) => each.city, 'Porto Alegre'),
  ...placedFields((each: ListedProposal) => each.position),
  metros: integer((each) => each.metres, 412, 'da posição da parada até a proposta'),
  condutor: one(named, ({ driverId, driverName }) => ({ id: driverId, name: driverName }), {
    example: { id: '1', nome: 'João Silva' },
  }),
  em: instant((each) => each.at, '2026-11-16T15:00:00Z'),
});

const listProposalsEndpoint = endpoint({
  ...forDesk,
  method: 'GET',
  path: '/enderecos/propostas',
  summary: 'Listar as correções que entregadores propõem',
  description: `As mais antigas, até ${PROPOSALS_SHOWN_MAX}. Sem decisão, uma proposta é descartada em 30 dias.`,
  ...answerWithList(proposal),
  async handle({ deps: { db }, caller }) {
    const proposals = await listProposals(db, caller.centralId, PROPOSALS_SHOWN_MAX);
    return { data: proposals.map((each) => proposal.show(each, undefined)) };
  },
});

const acceptProposalEndpoint = endpoint({
  ...forDesk,
  method: 'POST',
  path: '/enderecos/propostas/:id/aceitar',
  summary: 'Aceitar a correção que um entregador propõe',
  description: 'A central passa a encontrar o endereço neste ponto.',
  refusals: ['record-not-found'],
  ...answerWith(corrected),
  async handle({ deps, caller, params }) {
    return { data: corrected.show(await acceptProposal(deps, caller, params.id!), undefined) };
  },
});

const rejectProposalEndpoint = endpoint({
  ...forDesk,
  method: 'DELETE',
  path: '/enderecos/propostas/:id',
  summary: 'Recusar a correção que um entregador propõe',
  refusals: ['record-not-found'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'proposta recusada' },
  async handle({ deps, caller, params, language }) {
    await rejectProposal(deps, caller, params.id!);
    return { message: language === 'en' ? 'proposal rejected' : 'proposta recusada' };
  },
});

export const correctionEndpoints: readonly Endpoint[] = [
  correctAddressEndpoint,
  listCorrectionsEndpoint,
  removeCorrectionEndpoint,
  correctStopEndpoint,
  listProposalsEndpoint,
  acceptProposalEndpoint,
  rejectProposalEndpoint,
];
