import Fastify from 'fastify';
import { Pool } from 'pg';
import { deliveryDocuments } from '../server/src/api/json/deliveryJson.ts';
import { prepare } from '../server/src/platform/postgres/sql.ts';

/**
 * The baseline for Malote: the same Node, Fastify and pool size, which fetches the same rows and bytes by prepared
 * statements each time, without authentication, limits, validation or log.
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

app.post<{ Params: { central: string }; Body: { pagina: number; limite: number } }>(
  '/:central/entregas/consultar',
  async ({ params, body }, reply) => {
    const ids = await pool.query<{ id: string }>({
      name: 'ids',
      text: 'select id from deliveries where central_id = $1 order by requested_at desc, id desc limit $2 offset $3',
      values: [params.central, body.limite, (body.pagina - 1) * body.limite],
    });
    const page = deliveryDocuments(
      Number(params.central),
      'America/Sao_Paulo',
      ids.rows.map(({ id }) => id),
    );
    const { rows } = await pool.query<{ id: string; document: string }>({
      ...prepare(page.literals, page.values),
      name: 'page',
    });
    const documents = new Map(rows.map(({ id, document }) => [id, document]));
    const list = ids.rows.map(({ id }) => documents.get(id));
    return reply.type('application/json; charset=utf-8').send(`{"success":true,"data":[${list.join(',')}]}`);
  },
);

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
