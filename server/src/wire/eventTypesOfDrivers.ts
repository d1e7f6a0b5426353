import Type from 'typebox';
import { centsToDecimal } from '../kernel/money.ts';
import { driverEntryCode, REVERSAL_CODE } from './codes.ts';
import { driver, driverExample, eventText, formatDriver, idOrNull, oneOf, text } from './eventFields.ts';
import { nullable } from './values.ts';

const sequence = Type.Integer({ description: 'cresce a cada evento do mesmo entregador' });

export const driverEventTypes = {
  'driver.availability': eventText('driver.availability', {
    name: 'condutor.disponibilidade',
    label: { pt: 'Um entregador entrou em serviço ou saiu', en: 'A driver went on or off duty' },
    data: Type.Object({ condutor: driver, sequencia: sequence, disponivel: Type.Boolean() }),
    example: { condutor: driverExample, sequencia: 12, disponivel: true },
    format: ({ payload, sequence }) => ({
      condutor: formatDriver(payload),
      sequencia: sequence ?? 0,
      disponivel: payload.available,
    }),
  }),
  'driver.help': eventText('driver.help', {
    name: 'condutor.ajuda',
    label: { pt: 'Um entregador pediu ajuda à central', en: 'A driver asked the central for help' },
    data: Type.Object({
      condutor: driver,
      sequencia: sequence,
      id_mch: nullable(Type.String({ description: 'a entrega de que se trata' })),
    }),
    example: { condutor: driverExample, sequencia: 13, id_mch: '1042' },
    format: ({ payload, sequence }) => ({
      condutor: formatDriver(payload),
      sequencia: sequence ?? 0,
      id_mch: idOrNull(payload.deliveryId),
    }),
  }),
  'driver.entry': eventText('driver.entry', {
    name: 'condutor.lancamento',
    label: {
      pt: 'Houve um lançamento na conta de um entregador',
      en: 'An entry was made in a driver’s account',
    },
    data: Type.Object({
      condutor: driver,
      numero: Type.Integer({ description: 'o lugar no extrato do entregador: 1, 2, 3 …' }),
      registro_id: text(),
      tipo: oneOf({ ...driverEntryCode, reversal: REVERSAL_CODE }),
      valor: text('decimal; negativo quando diminui o que a central deve ao entregador'),
      saldo: text('decimal, depois do lançamento: o que a central deve ao entregador'),
      dinheiro_a_entregar: text('decimal, depois do lançamento'),
      id_mch: nullable(Type.String({ description: 'a entrega que o causou' })),
    }),
    example: {
      condutor: driverExample,
      numero: 31,
      registro_id: '214',
      tipo: driverEntryCode.share,
      valor: '9.80',
      saldo: '187.40',
      dinheiro_a_entregar: '42.90',
      id_mch: '1042',
    },
    format: ({ payload, sequence }) => ({
      condutor: formatDriver(payload),
      numero: sequence ?? 0,
      registro_id: String(payload.entryId),
      tipo: payload.reversesId === null ? driverEntryCode[payload.kind] : REVERSAL_CODE,
      valor: centsToDecimal(payload.amountCents),
      saldo: centsToDecimal(payload.balanceCents),
      dinheiro_a_entregar: centsToDecimal(payload.cashCents),
      id_mch: idOrNull(payload.deliveryId),
    }),
  }),
};
