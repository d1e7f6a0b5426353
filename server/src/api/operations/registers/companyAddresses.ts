import type { Static } from 'typebox';
import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { CompanyAddress, CompanyAddressValues } from '../../../registers/companies/companyAddress.ts';
import { COMPANY_ADDRESSES_MAX } from '../../../registers/companies/companyAddress.ts';
import {
  deleteCompanyAddress,
  insertCompanyAddress,
  listCompanyAddresses,
  lockCompanyAddresses,
  updateCompanyAddress,
} from '../../../registers/companies/companyAddressStore.ts';
import { findCompany } from '../../../registers/companies/companyStore.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { companyAddressKindCode } from '../../json/codes.ts';
import { answerWithList, messageAnswer } from '../../json/values.ts';
import { code, flag, id, text, view } from '../../json/view.ts';
import { nameText } from '../wire/fields.ts';
import { KnownAddressBody, knownAddressFields, parseKnown } from '../wire/knownAddress.ts';

const KIND = 'partida: onde a empresa entrega o que envia; favorito: para onde envia com frequência';

const AddressBody = Type.Object({
  tipo: Type.Enum(Object.values(companyAddressKindCode), { description: KIND }),
  nome: nameText(100),
  ...KnownAddressBody,
  padrao: Type.Optional(
    Type.Boolean({ description: 'a partida com que um novo pedido começa; só uma por empresa' }),
  ),
});

const address = view<CompanyAddress>()({
  id: id((each) => each.id, '1'),
  tipo: code(companyAddressKindCode, KIND)((each) => each.kind, 'partida'),
  nome: text((each) => each.name, 'Loja do Moinhos'),
  ...knownAddressFields,
  nome_destinatario: text.orNull((each) => each.recipientName, null),
  telefone_destinatario: text.orNull((each) => each.recipientPhone, null),
  padrao: flag((each) => each.isDefault, true),
});
const { id: _id, ...bodyExample } = address.example;

const parse = (body: Static<typeof AddressBody>): CompanyAddressValues => ({
  kind: body.tipo === companyAddressKindCode.pickup ? 'pickup' : 'favourite',
  name: plainName(body.nome),
  ...parseKnown(body),
  // Orders begin with a pickup, never with a favourite.
  isDefault: body.tipo === companyAddressKindCode.pickup && (body.padrao ?? false),
});

async function listFormatted(tx: Tx, caller: Caller, companyId: number) {
  const addresses = await listCompanyAddresses(tx, caller.centralId, companyId);
  return { data: addresses.map((each) => address.show(each, undefined)) };
}

const shared = {
  tag: 'Operação: endereços',
  permission: 'address-book',
  limit: 'operations',
} as const;
const list = answerWithList(address);

/** Each write returns the whole list, because a new default changes two entries. */
export const companyAddressEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    ...list,
    method: 'GET',
    path: '/empresas/:id/enderecos',
    summary: 'Listar os endereços de uma empresa',
    description:
      'As partidas e os favoritos, a partida padrão primeiro. Um gerente lê os da própria empresa.',
    refusals: ['company-not-found'],
    async handle({ deps: { db }, caller, params }) {
      const company = await findCompany(db, caller, params.id!);
      if (!company) throw new Refusal('company-not-found');
      return listFormatted(db, caller, company.id);
    },
  }),
  endpoint({
    ...shared,
    ...list,
    method: 'POST',
    path: '/empresas/:id/enderecos',
    summary: 'Cadastrar um endereço de uma empresa',
    description: `Até ${COMPANY_ADDRESSES_MAX} por empresa. A resposta traz todos. Os favoritos são dados pessoais: saem com o pedido de exclusão do telefone e com o prazo de guarda da central.`,
    refusals: ['company-not-found', 'too-many-addresses'],
    body: AddressBody,
    bodyExample,
    handle: ({ deps: { db, clock }, caller, params, body }) =>
      db.begin(async (tx) => {
        await lockCompanyAddresses(tx, caller, params.id!);
        await insertCompanyAddress(tx, caller.centralId, params.id!, parse(body), clock.now());
        return listFormatted(tx, caller, params.id!);
      }),
  }),
  endpoint({
    ...shared,
    ...list,
    method: 'PUT',
    path: '/empresas/:id/enderecos/:endereco_id',
    summary: 'Alterar um endereço de uma empresa',
    description: 'Substitui o registro inteiro. A resposta traz todos.',
    refusals: ['company-not-found', 'company-address-not-found'],
    body: AddressBody,
    bodyExample,
    handle: ({ deps: { db, clock }, caller, params, body }) =>
      db.begin(async (tx) => {
        await lockCompanyAddresses(tx, caller, params.id!);
        const { centralId } = caller;
        await updateCompanyAddress(tx, centralId, params.id!, params.endereco_id!, parse(body), clock.now());
        return listFormatted(tx, caller, params.id!);
      }),
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/empresas/:id/enderecos/:endereco_id',
    summary: 'Excluir um endereço de uma empresa',
    refusals: ['company-not-found', 'company-address-not-found'],
    answer: messageAnswer,
    answerExample: { success: true, message: 'endereço excluído' },
    async handle({ deps: { db }, caller, params, language }) {
      await db.begin(async (tx) => {
        await lockCompanyAddresses(tx, caller, params.id!);
        await deleteCompanyAddress(tx, caller.centralId, params.id!, params.endereco_id!);
      });
      return { message: language === 'en' ? 'address deleted' : 'endereço excluído' };
    },
  }),
];
