import type { Static } from 'typebox';
import Type from 'typebox';
import { changeActor, recording } from '../../../events/audit/recordChange.ts';
import { type CreditMove, topUpWallet, withdrawFromWallet } from '../../../money/wallet/moveCredit.ts';
import { findBalance, lockBalance } from '../../../money/wallet/walletStore.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../../platform/kernel/documents.ts';
import {
  centsToDecimal,
  centsToNumber,
  ENTRY_CENTS_MAX,
  numberToCents,
} from '../../../platform/kernel/money.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { CompanyIdentification } from '../../../registers/companies/company.ts';
import { findCompany, findCompanyBy } from '../../../registers/companies/companyStore.ts';
import { type AppDeps, type EndpointRequest, endpoint, type RequestContext } from '../../http/endpoint.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { checkDecimals, dataAnswer, nullable } from '../../json/values.ts';

interface IdentificationType {
  by: CompanyIdentification['by'];
  /** The stored form of the value, or null if it does not follow the rule of the type. */
  read(text: string): string | null;
  pt: string;
  en: string;
}

const parseText = (text: string): string | null => text.trim() || null;

/** Contract 2.5: the ways to name a company. */
const types: Record<'F' | 'J' | 'T' | 'C' | 'I', IdentificationType> = {
  F: { by: 'document', read: parseCpf, pt: 'deve ser um CPF válido', en: 'must be a valid CPF' },
  J: { by: 'document', read: parseCnpj, pt: 'deve ser um CNPJ válido', en: 'must be a valid CNPJ' },
  T: {
    by: 'phone',
    read: parsePhone,
    pt: 'deve ser um telefone com DDD',
    en: 'must be a phone number with area code',
  },
  C: { by: 'contractNumber', read: parseText, pt: 'não pode ser vazio', en: 'must not be empty' },
  I: { by: 'identifier', read: parseText, pt: 'não pode ser vazio', en: 'must not be empty' },
};
type TypeCode = keyof typeof types;
const TYPE_CODES = Object.keys(types) as TypeCode[];

const identificationFields = {
  tipo_identificacao: Type.Enum(TYPE_CODES, {
    description:
      'F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador',
  }),
  identificacao: Type.String({
    maxLength: 255,
    description: 'valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação',
  }),
};

const checkIdentification: Check = ({ tipo_identificacao: code, identificacao: value }): Problem[] => {
  const type = TYPE_CODES.find((each) => each === code);
  if (!type || typeof value !== 'string' || types[type].read(value) !== null) return [];
  const { pt, en } = types[type];
  return [{ field: 'identificacao', pt, en }];
};

/** Requires a body that `checkIdentification` accepts. */
function parseIdentification(named: {
  tipo_identificacao: TypeCode;
  identificacao: string;
}): CompanyIdentification {
  const { by, read } = types[named.tipo_identificacao];
  const value = read(named.identificacao);
  if (value === null) throw new Error('validated before');
  return { by, value };
}

/** Top-up and withdrawal have the same body. */
const creditMoveBody = Type.Object(
  {
    valor: Type.Number({ exclusiveMinimum: 0, maximum: centsToNumber(ENTRY_CENTS_MAX) }),
    observacao: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    empresa: Type.Object(identificationFields, { check: checkIdentification }),
  },
  { check: checkDecimals('valor') },
);

const creditMoveAnswer = dataAnswer(Type.Object({ registro_id: Type.String() }));

/** Finds the company, and counts the request against the company's own limit. */
async function readCreditMove({
  deps,
  caller,
  body,
  admitCompany,
}: EndpointRequest<Static<typeof creditMoveBody>, unknown>): Promise<CreditMove> {
  const company = await findCompanyBy(deps.db, caller, parseIdentification(body.empresa));
  if (!company) throw new Refusal('company-not-found');
  admitCompany(company.id);
  return { companyId: company.id, cents: numberToCents(body.valor)!, note: body.observacao || null };
}

/** Records the balance before and after. The note is stored in the wallet only, where erasure and retention find it. */
function recordingMove({ deps, caller }: RequestContext, { companyId }: CreditMove): AppDeps {
  const balanceOf = async (tx: Tx) => ({
    saldo: centsToDecimal(await lockBalance(tx, caller.centralId, companyId)),
  });
  const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'integration'), {
    readBefore: balanceOf,
    describe: async (tx, before, entryId: number) => ({
      subject: 'wallet',
      id: companyId,
      name: (await findCompany(tx, caller, companyId))?.name ?? null,
      before,
      after: { ...(await balanceOf(tx)), lancamento_id: String(entryId) },
    }),
  });
  return { ...deps, db };
}

/** Contract 4.5. */
export const topUpCreditsEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/empresas/creditos/recargas',
  operation: 'recarregarCreditos',
  section: '4.5',
  tag: 'Empresas',
  summary: 'Recarregar créditos de uma empresa',
  description:
    'Soma um valor à carteira de créditos da empresa identificada. Para usuários da central; o gerente de uma ' +
    'empresa recarrega a própria somente se a central o permite (`permite_gerente_recarregar`).',
  permission: 'top-up',
  limit: 'estimates',
  companyLimit: 'topUps',
  refusals: ['not-allowed', 'company-not-found', 'company-ambiguous', 'rate-limited'],
  body: creditMoveBody,
  bodyExample: {
    valor: 150.5,
    observacao: 'Recarga de novembro',
    empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
  },
  answer: creditMoveAnswer,
  answerExample: { success: true, data: { registro_id: '87' } },
  async handle(request) {
    const { caller } = request;
    const move = await readCreditMove(request);
    const entryId = await topUpWallet(recordingMove(request, move), caller, move);
    return { data: { registro_id: String(entryId) } };
  },
});

/** Contract 4.26: credit leaves a wallet. */
export const withdrawCreditsEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/empresas/creditos/saques',
  operation: 'sacarCreditos',
  tag: 'Empresas',
  summary: 'Sacar créditos de uma empresa',
  description:
    'Retira um valor da carteira de créditos da empresa identificada, até zerar o saldo. O que está reservado para ' +
    'entregas em aberto não faz parte do saldo. O que programadas ainda vão usar faz: sacado, o disparo delas falha ' +
    'se não houver recarga. Somente usuários da central.',
  permission: 'withdraw',
  limit: 'estimates',
  companyLimit: 'withdrawals',
  refusals: ['not-allowed', 'company-not-found', 'company-ambiguous', 'insufficient-balance', 'rate-limited'],
  body: creditMoveBody,
  bodyExample: {
    valor: 80,
    observacao: 'Devolução ao cliente',
    empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
  },
  answer: creditMoveAnswer,
  answerExample: { success: true, data: { registro_id: '88' } },
  async handle(request) {
    const { caller } = request;
    const move = await readCreditMove(request);
    const entryId = await withdrawFromWallet(recordingMove(request, move), caller, move);
    return { data: { registro_id: String(entryId) } };
  },
});

/** Contract 4.14. */
export const getBalanceEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/empresas/creditos/saldo',
  operation: 'obterSaldo',
  section: '4.14',
  tag: 'Empresas',
  summary: 'Consultar o saldo de créditos de uma empresa',
  description: 'O que está reservado para entregas em aberto já não faz parte do saldo.',
  permission: 'balance',
  limit: 'estimates',
  companyLimit: 'balances',
  refusals: ['company-not-found', 'company-ambiguous', 'rate-limited'],
  queryExample: { tipo_identificacao: 'J', identificacao: '11222333000181' },
  query: Type.Object(identificationFields, { check: checkIdentification }),
  answer: dataAnswer(Type.Object({ saldo: Type.Number() })),
  answerExample: { success: true, data: { saldo: 500 } },
  async handle({ deps, caller, query, admitCompany }) {
    const company = await findCompanyBy(deps.db, caller, parseIdentification(query));
    if (!company) throw new Refusal('company-not-found');
    admitCompany(company.id);
    const cents = await findBalance(deps.db, caller.centralId, company.id);
    return { data: { saldo: centsToNumber(cents) } };
  },
});
