import Type from 'typebox';
import { may } from '../../centrals/permissions.ts';
import { findCompany } from '../../companies/companyStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { sumAwaitingCredit } from '../../scheduled/scheduledStore.ts';
import { type Entry, findStatement } from '../../wallet/walletStore.ts';
import { entryKindCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable, pageFields, parsePage } from '../../wire/values.ts';
import { instantShown, recordId } from '../wire/fields.ts';

const EntrySchema = Type.Object({
  id: recordId,
  tipo: Type.Enum(Object.values(entryKindCode)),
  valor: Type.String({ description: 'negativo quando sai da carteira' }),
  saldo_apos: Type.String(),
  entrega_id: nullable(recordId),
  observacao: nullable(Type.String()),
  usuario_id: nullable(recordId),
  data_hora: instantShown,
});

export const readStatementEndpoint = endpoint({
  method: 'GET',
  path: '/empresas/:id/extrato',
  tag: 'Operação: empresas',
  summary: 'Ler o extrato da carteira de uma empresa',
  description:
    'Lançamentos do mais novo para o mais antigo, e o saldo de agora. O saldo após cada um é o do anterior mais o ' +
    'valor. Um gerente lê o da própria empresa.',
  permission: 'wallet-read',
  limit: 'operations',
  refusals: ['company-not-found'],
  query: Type.Object(pageFields),
  answer: dataAnswer(
    Type.Object({
      empresa: Type.Object({ id: recordId, nome: Type.String(), cpf_cnpj: Type.String() }),
      saldo: Type.String(),
      saldo_programadas: Type.String({
        description: 'quanto do saldo as programadas que aguardam disparo ainda vão usar',
      }),
      pode_recarregar: Type.Boolean({ description: 'se quem lê pode recarregar esta carteira' }),
      lancamentos: Type.Array(EntrySchema),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      empresa: { id: 1, nome: 'Padaria Central', cpf_cnpj: '11222333000181' },
      saldo: '487.66',
      saldo_programadas: '36.20',
      pode_recarregar: true,
      lancamentos: [
        {
          id: 8,
          tipo: entryKindCode.reserve,
          valor: '-12.34',
          saldo_apos: '487.66',
          entrega_id: 1042,
          observacao: null,
          usuario_id: null,
          data_hora: '2026-11-16T15:00:00Z',
        },
      ],
    },
  },
  async handle({ deps: { db }, caller, params, query }) {
    const company = await findCompany(db, caller, params.id!);
    if (!company) throw new Refusal('company-not-found');
    const { id, name, document } = company;
    const awaiting = await sumAwaitingCredit(db, caller.centralId, id);
    const statement = await findStatement(db, caller.centralId, id, parsePage(query));
    return {
      data: {
        empresa: { id, nome: name, cpf_cnpj: document },
        saldo: centsToDecimal(statement.balanceCents),
        saldo_programadas: centsToDecimal(awaiting),
        pode_recarregar: may(caller, 'top-up'),
        lancamentos: statement.entries.map(formatEntry),
      },
    };
  },
});

const formatEntry = (entry: Entry) => ({
  id: entry.id,
  tipo: entryKindCode[entry.kind],
  valor: centsToDecimal(entry.amountCents),
  saldo_apos: centsToDecimal(entry.balanceAfterCents),
  entrega_id: entry.deliveryId,
  observacao: entry.note,
  usuario_id: entry.userId,
  data_hora: formatUtc(entry.createdAt),
});
