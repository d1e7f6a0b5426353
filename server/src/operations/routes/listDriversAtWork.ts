import Type from 'typebox';
import { dataAnswer, nullable } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { type DriverAtWork, listDriversAtWork } from '../../deliveries/driversAtWorkStore.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { instantShown, recordId } from '../wire/fields.ts';

const SEEN_HOURS = 12;
/** More than a map can show; each is still found in the register. */
const LISTED_MAX = 2_000;

export const listDriversAtWorkRoute = route({
  method: 'GET',
  path: '/condutores/posicoes',
  tag: 'Operação: ao vivo',
  summary: 'Ver onde estão os condutores',
  description: `Os condutores disponíveis, os que levam entregas e os vistos nas últimas ${SEEN_HOURS} horas, com a última posição e o que levam, até ${LISTED_MAX}. Um gerente vê apenas quem leva entregas da própria empresa.`,
  who: watchers,
  limit: 'operations',
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        condutor_id: Type.String(),
        nome: Type.String(),
        veiculo: Type.String(),
        placa: Type.String(),
        disponivel: Type.Boolean(),
        simulado: Type.Boolean(),
        categorias: Type.Array(recordId),
        posicao: nullable(Type.Object({ lat: Type.Number(), lng: Type.Number(), em: instantShown })),
        entregas: Type.Array(Type.String(), { description: 'a atual primeiro' }),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        condutor_id: '1',
        nome: 'João Silva',
        veiculo: 'Honda CG 160',
        placa: 'IXA1B23',
        disponivel: true,
        simulado: false,
        categorias: [1],
        posicao: { lat: -30.0305, lng: -51.2303, em: '2026-11-16T15:00:00Z' },
        entregas: ['1042'],
      },
    ],
  },
  async handle({ needs: { db, clock }, caller }) {
    const drivers = await listDriversAtWork(
      db,
      caller,
      clock.now().subtract({ hours: SEEN_HOURS }),
      LISTED_MAX,
    );
    return { data: drivers.map(formatDriver) };
  },
});

const formatDriver = ({ lat, lng, seenAt, ...driver }: DriverAtWork) => ({
  condutor_id: String(driver.id),
  nome: driver.name,
  veiculo: driver.vehicle,
  placa: driver.plate,
  disponivel: driver.available,
  simulado: driver.simulated,
  categorias: [...driver.categoryIds],
  posicao: lat === null || lng === null || seenAt === null ? null : { lat, lng, em: formatUtc(seenAt) },
  entregas: driver.deliveryIds.map(String),
});
