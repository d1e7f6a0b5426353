import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { parsePhone } from '../../../platform/kernel/documents.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { CompanyAddress, KnownAddress } from '../../../registers/companies/companyAddress.ts';
import { listCompanyAddresses } from '../../../registers/companies/companyAddressStore.ts';
import { findCompany } from '../../../registers/companies/companyStore.ts';
import { findAddressesOfPhone, findRecentAddresses } from '../../../registers/companies/knownAddressStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { answerWith, answerWithList } from '../../json/values.ts';
import { flag, list, text, view } from '../../json/view.ts';
import { optionalId } from '../wire/fields.ts';
import { knownAddress, knownAddressFields } from '../wire/knownAddress.ts';

const TAG = 'Operação: endereços';
const RECENT_MAX = 12;
const OF_PHONE_MAX = 5;

const namedAddress = view<CompanyAddress>()({
  nome: text((known) => known.name, 'Loja do Moinhos'),
  padrao: flag((known) => known.isDefault, true),
  ...knownAddressFields,
});
const known = view<{ kept: CompanyAddress[]; recent: KnownAddress[] }>()({
  partidas: list(namedAddress, ({ kept }) => kept.filter(({ kind }) => kind === 'pickup')),
  favoritos: list(namedAddress, ({ kept }) => kept.filter(({ kind }) => kind === 'favourite'), {
    example: [],
  }),
  recentes: list(knownAddress, ({ recent }) => recent),
});
const companyField = {
  empresa_id: optionalId,
};

/** The company of a manager, or the one that an operator names. */
async function companyOf(tx: Tx, caller: Caller, named: number | null | undefined): Promise<number> {
  const id = named ?? caller.companyId;
  const company = id === null ? undefined : await findCompany(tx, caller, id);
  if (!company) throw new Refusal('company-not-found');
  return company.id;
}

/** A POST, like every query with personal data here, so that the data does not appear in URLs and logs. */
export const listKnownAddressesEndpoint = endpoint({
  method: 'POST',
  path: '/enderecos/conhecidos',
  readOnly: true,
  tag: TAG,
  summary: 'Listar os endereços que uma empresa usa',
  description: `As partidas e os favoritos cadastrados, e os destinos dos pedidos mais recentes (até ${RECENT_MAX}, cada um uma vez). Um gerente pode omitir empresa_id. O que os pedidos de exclusão e o prazo de guarda removem não aparece.`,
  permission: 'address-book',
  limit: 'operations',
  refusals: ['company-not-found'],
  body: Type.Object(companyField),
  bodyExample: { empresa_id: 1 },
  ...answerWith(known),
  async handle({ deps: { db }, caller, body }) {
    const companyId = await companyOf(db, caller, body.empresa_id);
    const [kept, recent] = await Promise.all([
      listCompanyAddresses(db, caller.centralId, companyId),
      findRecentAddresses(db, caller.centralId, companyId, RECENT_MAX),
    ]);
    return { data: known.show({ kept, recent }, undefined) };
  },
});

export const findRecipientsEndpoint = endpoint({
  method: 'POST',
  path: '/destinatarios/buscar',
  readOnly: true,
  tag: TAG,
  summary: 'Encontrar um destinatário pelo telefone',
  description: `Onde a empresa já entregou, ou tem entrega marcada, para este telefone: até ${OF_PHONE_MAX} lugares, o mais recente primeiro.`,
  permission: 'address-book',
  limit: 'operations',
  refusals: ['company-not-found'],
  body: Type.Object({ ...companyField, telefone: formatted('phone') }),
  bodyExample: { empresa_id: 1, telefone: '51991110001' },
  ...answerWithList(knownAddress),
  async handle({ deps: { db }, caller, body }) {
    const companyId = await companyOf(db, caller, body.empresa_id);
    const phone = parsePhone(body.telefone)!;
    const found = await findAddressesOfPhone(db, caller.centralId, companyId, phone, OF_PHONE_MAX);
    return { data: found.map((each) => knownAddress.show(each, undefined)) };
  },
});
