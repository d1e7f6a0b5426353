import { driverEntryCode, REVERSAL_CODE } from './codes.ts';
import { driverField, eventText } from './eventFields.ts';
import { cents, code, flag, id, integer } from './view.ts';

const sequence = (example: number) =>
  integer(
    (event: { sequence: number | null }) => event.sequence ?? 0,
    example,
    'cresce a cada evento do mesmo entregador',
  );

export const driverEventTypes = {
  'driver.availability': eventText('driver.availability', {
    name: 'condutor.disponibilidade',
    label: { pt: 'Um entregador entrou em serviço ou saiu', en: 'A driver went on or off duty' },
  })({
    condutor: driverField,
    sequencia: sequence(12),
    disponivel: flag(({ payload }) => payload.available, true),
  }),
  'driver.help': eventText('driver.help', {
    name: 'condutor.ajuda',
    label: { pt: 'Um entregador pediu ajuda à central', en: 'A driver asked the central for help' },
  })({
    condutor: driverField,
    sequencia: sequence(13),
    id_mch: id.orNull(({ payload }) => payload.deliveryId, '1042', 'a entrega de que se trata'),
  }),
  'driver.entry': eventText('driver.entry', {
    name: 'condutor.lancamento',
    label: {
      pt: 'Houve um lançamento na conta de um entregador',
      en: 'An entry was made in a driver’s account',
    },
  })({
    condutor: driverField,
    numero: integer(({ sequence }) => sequence ?? 0, 31, 'o lugar no extrato do entregador: 1, 2, 3 …'),
    registro_id: id(({ payload }) => payload.entryId, '214'),
    tipo: code({ ...driverEntryCode, reversal: REVERSAL_CODE })(
      ({ payload }) => (payload.reversesId === null ? payload.kind : 'reversal'),
      driverEntryCode.share,
    ),
    valor: cents(
      ({ payload }) => payload.amountCents,
      '9.80',
      'decimal; negativo quando diminui o que a central deve ao entregador',
    ),
    saldo: cents(
      ({ payload }) => payload.balanceCents,
      '187.40',
      'decimal, depois do lançamento: o que a central deve ao entregador',
    ),
    dinheiro_a_entregar: cents(({ payload }) => payload.cashCents, '42.90', 'decimal, depois do lançamento'),
    id_mch: id.orNull(({ payload }) => payload.deliveryId, '1042', 'a entrega que o causou'),
  }),
};
