import Type from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import { listCompanyAddresses } from '../../companies/companyAddressStore.ts';
import { findCompany } from '../../companies/companyStore.ts';
import { findAddressesOfPhone, findRecentAddresses } from '../../companies/knownAddressStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { parsePhone } from '../../kernel/documents.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../postgres/database.ts';
import { dataAnswer } from '../../wire/values.ts';
import { optionalId } from '../wire/fields.ts';
import { formatKnown, KnownAddressSchema, knownAddressExample } from '../wire/knownAddress.ts';

const TAG = 'Operação: endereços';
const RECENT_MAX = 12;
const OF_PHONE_MAX = 5;

const KnownSchema = Type.Object(KnownAddressSchema);
const NamedSchema = Type.Object({
  nome: Type.String(),
  padrao: Type.Boolean(),
  ...KnownAddressSchema,
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
  answer: dataAnswer(
    Type.Object({
      partidas: Type.Array(NamedSchema),
      favoritos: Type.Array(NamedSchema),
      recentes: Type.Array(KnownSchema),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      partidas: [{ nome: 'Loja do Moinhos', padrao: true, ...knownAddressExample }],
      favoritos: [],
      recentes: [knownAddressExample],
    },
  },
  async handle({ deps: { db }, caller, body }) {
    const companyId = await companyOf(db, caller, body.empresa_id);
    const [kept, recent] = await Promise.all([
      listCompanyAddresses(db, caller.centralId, companyId),
      findRecentAddresses(db, caller.centralId, companyId, RECENT_MAX),
    ]);
    const named = (kind: 'pickup' | 'favourite') =>
      kept
        .filter((each) => each.kind === kind)
        .map((each) => ({ nome: each.name, padrao: each.isDefault, ...formatKnown(each) }));
    return {
      data: {
        partidas: named('pickup'),
        favoritos: named('favourite'),
        recentes: recent.map(formatKnown),
      },
    };
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
  answer: dataAnswer(Type.Array(KnownSchema)),
  answerExample: { success: true, data: [knownAddressExample] },
  async handle({ deps: { db }, caller, body }) {
    const companyId = await companyOf(db, caller, body.empresa_id);
    const phone = parsePhone(body.telefone)!;
    const found = await findAddressesOfPhone(db, caller.centralId, companyId, phone, OF_PHONE_MAX);
    return { data: found.map(formatKnown) };
  },
});
