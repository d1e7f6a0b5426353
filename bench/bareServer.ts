import Fastify from 'fastify';
import { Pool } from 'pg';
import { deliveryPageStatement } from '../server/src/contract/deliveryJsonStore.ts';

/**
 * What Malote is measured beside: the same Node, Fastify and pool size, the same row and the same bytes
 * fetched by one prepared statement; no authentication, no limits, no validation, no log.
 */
const { BENCH_PG, BENCH_POOL } = process.env;
const pool = new Pool({
  ...JSON.parse(BENCH_PG ?? '{}'),
  max: Number(BENCH_POOL),
  options: '-c TimeZone=UTC',
});
const app = Fastify();

app.get<{ Params: { central: string; id: string } }>(
  '/:central/entregas/:id/status',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            success: { type: 'boolean' },
            data: { type: 'object', properties: { status: { type: 'string' } } },
          },
        },
      },
    },
  },
  async ({ params }) => {
    const { rows } = await pool.query({
      name: 'status',
      text: 'select status from deliveries where central_id = $1 and id = $2',
      values: [params.central, params.id],
    });
    return { success: true, data: { status: rows[0].status } };
  },
);

const page = deliveryPageStatement({ companyId: null }, {});
app.post<{ Params: { central: string }; Body: { pagina: number; limite: number } }>(
  '/:central/entregas/consultar',
  async ({ params, body }, reply) => {
    const { rows } = await pool.query({
      name: 'page',
      text: page.text,
      values: [params.central, 'America/Sao_Paulo', body.limite, (body.pagina - 1) * body.limite],
    });
    return reply.type('application/json; charset=utf-8').send(`{"success":true,"data":${rows[0].documents}}`);
  },
);

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
