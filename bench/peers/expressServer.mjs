import express from 'express';
import pg from 'pg';
import { DELIVERY_COLUMNS, JOINED_COLUMNS, NEW_DELIVERY_COLUMNS, STOP_COLUMNS } from './deliveryColumns.ts';

/** Express and pg as most services use them: plain rows, sequential statements, JSON made in JavaScript. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.PEER_POOL) });

const NEW_STOP_COLUMNS = ['position', 'address', 'district', 'city', 'state', 'lat', 'lng', 'order_number'];

const tables = {
  customer: 'customers',
  company: 'companies',
  driver: 'drivers',
  category: 'categories',
  tariff: 'tariffs',
};
const joined = Object.entries(JOINED_COLUMNS).flatMap(([name, columns]) =>
  columns.map((column) => `${name}.${column} as ${name}_${column}`),
);
const PAGE = `
  select ${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')}, ${joined.join(', ')}
  from peers.deliveries d
  ${Object.entries(tables)
    .map(([name, table]) => `left join peers.${table} ${name} on ${name}.id = d.${name}_id`)
    .join('\n')}
  where d.central_id = $1
  order by d.requested_at desc, d.id desc limit $2 offset $3`;
const STOPS = `
  select delivery_id, ${STOP_COLUMNS.join(', ')} from peers.stops
  where delivery_id = any($1) order by delivery_id, position`;

const numbered = (count, from = 1) =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');
const INSERT_DELIVERY = `
  insert into peers.deliveries (${NEW_DELIVERY_COLUMNS.join(', ')}, requested_at)
  values (${numbered(NEW_DELIVERY_COLUMNS.length)}, now()) returning id, requested_at`;
const insertStops = (count) => `
  insert into peers.stops (delivery_id, ${NEW_STOP_COLUMNS.join(', ')})
  values ${Array.from({ length: count }, (_, stop) => `($1, ${numbered(NEW_STOP_COLUMNS.length, 2 + stop * NEW_STOP_COLUMNS.length)})`).join(', ')}`;

const nested = (row, name) =>
  row[`${name}_id`] === null
    ? null
    : Object.fromEntries(JOINED_COLUMNS[name].map((column) => [column, row[`${name}_${column}`]]));

const app = express();
app.use(express.json());

app.get('/deliveries/:id/status', async (request, response) => {
  const { rows } = await pool.query('select status from peers.deliveries where id = $1', [request.params.id]);
  if (!rows[0]) return response.status(404).json({ error: 'not found' });
  response.json({ status: rows[0].status });
});

app.get('/centrals/:central/deliveries', async (request, response) => {
  const limit = Number(request.query.limit);
  const { rows } = await pool.query(PAGE, [
    request.params.central,
    limit,
    (Number(request.query.page) - 1) * limit,
  ]);
  const stops = await pool.query(STOPS, [rows.map((row) => row.id)]);
  const byDelivery = Map.groupBy(stops.rows, (stop) => stop.delivery_id);
  response.json(
    rows.map((row) => ({
      ...Object.fromEntries(DELIVERY_COLUMNS.map((column) => [column, row[column]])),
      ...Object.fromEntries(Object.keys(tables).map((name) => [name, nested(row, name)])),
      stops: (byDelivery.get(row.id) ?? []).map(({ delivery_id: _deliveryId, ...stop }) => stop),
    })),
  );
});

app.post('/deliveries', async (request, response) => {
  const { stops, ...delivery } = request.body;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      INSERT_DELIVERY,
      NEW_DELIVERY_COLUMNS.map((column) => delivery[column]),
    );
    const { id, requested_at: at } = rows[0];
    await client.query(insertStops(stops.length), [
      id,
      ...stops.flatMap((stop) => NEW_STOP_COLUMNS.map((column) => stop[column])),
    ]);
    await client.query(
      `insert into peers.events (delivery_id, type, payload, occurred_at) values ($1, 'delivery.status', $2, $3)`,
      [id, { status: delivery.status }, at],
    );
    await client.query('commit');
    response.json({ id });
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
