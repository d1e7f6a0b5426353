import Type from 'typebox';
import { driver, driverExample, eventText, formatDriver, idOrNull } from './eventFields.ts';
import { nullable } from './values.ts';

const sequence = Type.Integer({ description: 'cresce a cada evento do mesmo condutor' });

export const driverEventTypes = {
  'driver.availability': eventText('driver.availability', {
    name: 'condutor.disponibilidade',
    label: { pt: 'Um condutor entrou em serviço ou saiu', en: 'A driver went on or off duty' },
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
    label: { pt: 'Um condutor pediu ajuda à central', en: 'A driver asked the central for help' },
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
};
