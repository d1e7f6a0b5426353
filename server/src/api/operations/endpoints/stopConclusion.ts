import Type from 'typebox';
import { concludeStop, type Proof } from '../../../deliveries/deliveries/concludeStop.ts';
import { decimalToCents } from '../../../platform/kernel/money.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid, type Problem } from '../../http/invalidInput.ts';
import { type PaymentCode, paymentByCode, paymentCode, statusCode } from '../../json/codes.ts';
import { dataAnswer, nullable } from '../../json/values.ts';
import { checkEntryAmount, given, optionalText } from '../wire/fields.ts';
import { drivenStepRefusals, occurredExample, occurredField, parseOccurred } from './deliverySteps.ts';

const operatorReason = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }), Type.Null()], {
      description: `somente de um operador: ${description}`,
    }),
  );

export const concludeStopEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/concluir',
  tag: 'Operação: etapas da entrega',
  summary: 'Concluir uma parada',
  description:
    'A última parada de uma entrega sem retorno a finaliza. Quando a central exige código de confirmação, ele é obrigatório. Após cinco códigos incorretos a parada fica bloqueada para todos. Um operador a conclui sem código, ou sem um comprovante obrigatório, quando informa o motivo em sem_codigo_motivo, que fica no histórico com seu autor. O que é obrigatório está em `regras` e em cada corrida do trabalho do entregador; a foto e a assinatura são enviadas antes. Em uma entrega faturada ou paga com créditos, o valor a cobrar conta como recebido em dinheiro, que o entregador tem a entregar, salvo se outro valor ou outra forma for informada. O valor recebido é no máximo o que a parada cobra e, em uma entrega paga em dinheiro, o que falta do preço dela; mais que isso só um operador registra, com o motivo em valor_recebido_motivo.',
  permission: 'drive',
  limit: 'operations',
  refusals: [
    ...drivenStepRefusals,
    'stop-not-found',
    'confirmation-code-required',
    'wrong-confirmation-code',
    'confirmation-code-locked',
    'proof-photo-missing',
    'proof-signature-missing',
    'proof-name-missing',
    'proof-amount-missing',
    'proof-payment-missing',
    'received-above-due',
    'not-allowed',
  ],
  body: Type.Object(
    {
      sem_codigo_motivo: operatorReason('por que a parada é concluída sem código'),
      codigo_confirmacao: Type.Optional(
        Type.Union([formatted('four-digits'), Type.Integer(), Type.Null()], {
          description: 'código informado pelo destinatário: 4 dígitos em texto, ou um número (0123 é 123)',
        }),
      ),
      recebido_por: optionalText(100),
      valor_recebido: Type.Optional(
        nullable(formatted('money', 'decimal; o que o destinatário pagou, também 0.00')),
      ),
      forma_recebimento: Type.Optional(
        nullable(
          Type.Enum(Object.values(paymentCode), {
            description:
              'ausente: a forma de pagamento da entrega, ou dinheiro, se ela é faturada ou paga com créditos',
          }),
        ),
      ),
      valor_recebido_motivo: operatorReason('por que foi recebido mais do que a parada cobra'),
      ...occurredField,
    },
    { check: checkReceived },
  ),
  bodyExample: {
    codigo_confirmacao: 4821,
    recebido_por: 'Maria Souza',
    valor_recebido: '42.90',
    forma_recebimento: 'D',
    ...occurredExample,
  },
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      parada_id: Type.String(),
      paradas_restantes: Type.Integer({ description: 'paradas que ainda faltam concluir' }),
      status: Type.Enum(['E', 'F'], { description: 'F quando era a última e a entrega não tem retorno' }),
    }),
  ),
  answerExample: {
    success: true,
    data: { id_mch: '1042', parada_id: '2077', paradas_restantes: 1, status: 'E' },
  },
  async handle({ deps, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    const { left, status } = await concludeStop(
      deps,
      caller,
      id,
      stopId,
      parseProof(body),
      occurredAt,
      deps.proofLinks,
    );
    return {
      data: {
        id_mch: String(id),
        parada_id: String(stopId),
        paradas_restantes: left,
        status: statusCode[status],
      },
    };
  },
});

/** Without a reason the amount has a lower limit: what the stop collects. */
function checkReceived({
  valor_recebido,
  valor_recebido_motivo,
}: Readonly<Record<string, unknown>>): Problem[] {
  return typeof valor_recebido === 'string' && typeof valor_recebido_motivo === 'string'
    ? checkEntryAmount('valor_recebido', decimalToCents(valor_recebido))
    : [];
}

interface ProofBody {
  codigo_confirmacao?: string | number | null;
  sem_codigo_motivo?: string | null;
  recebido_por?: string | null;
  valor_recebido?: string | null;
  forma_recebimento?: PaymentCode | null;
  valor_recebido_motivo?: string | null;
}

function parseProof(body: ProofBody): Proof {
  const code = body.codigo_confirmacao == null ? null : Number(body.codigo_confirmacao);
  const reason = body.sem_codigo_motivo?.trim() ?? null;
  // Two contradicting values: only the sender knows which is meant.
  if (code !== null && reason !== null)
    throw invalid(
      'sem_codigo_motivo',
      'não pode vir junto com codigo_confirmacao',
      'cannot come together with codigo_confirmacao',
    );
  return {
    code,
    withoutCodeReason: reason,
    received: {
      by: given(body.recebido_por),
      cents: body.valor_recebido ? decimalToCents(body.valor_recebido) : null,
      payment: body.forma_recebimento ? paymentByCode[body.forma_recebimento] : null,
    },
    receivedReason: body.valor_recebido_motivo?.trim() ?? null,
  };
}
