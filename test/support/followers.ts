import assert from 'node:assert/strict';
import type { Client, Json } from './client.ts';
import { assertOk } from './steps.ts';
import { eventually } from './waitUntil.ts';

type Rows = Map<string, Json>;

/** A system that keeps a copy of a list: it knows only what the answers say. */
function follower(ask: (cursor: string) => Promise<Json>, idOf: (row: Json) => string) {
  const copy: Rows = new Map();
  let cursor = 'inicio';
  return {
    copy,
    /** Reads until there is no more for now; returns the ids in the order of the answers. */
    async poll(): Promise<string[]> {
      const ids: string[] = [];
      for (;;) {
        const body = await ask(cursor);
        for (const row of body.data) {
          copy.set(idOf(row), row);
          ids.push(idOf(row));
        }
        cursor = body.proximo_cursor;
        if (!body.ha_mais) return ids;
      }
    },
  };
}

export const SINCE = '2020-01-01T00:00:00Z';
export const followDeliveries = (by: Client, limite = 7) =>
  follower(
    async (cursor) =>
      assertOk(await by.post('/entregas/consultar', { alteradas_desde: SINCE, limite, cursor })).body,
    (row) => row.id,
  );
export const followScheduled = (by: Client, limite = 7) =>
  follower(
    async (cursor) => {
      const query = new URLSearchParams({ alteradas_desde: SINCE, limite: String(limite), cursor });
      return assertOk(await by.get(`/entregas/programadas?${query}`)).body;
    },
    (row) => row.id_mch_programada,
  );

/** All rows, by the list that has no cursor. */
async function allOf(read: (page: number) => Promise<Json>, idOf: (row: Json) => string): Promise<Rows> {
  const rows: Rows = new Map();
  for (let page = 1; ; page += 1) {
    const { data } = await read(page);
    for (const row of data) rows.set(idOf(row), row);
    if (data.length < 100) return rows;
  }
}
export const allDeliveries = (by: Client) =>
  allOf(
    async (pagina) => assertOk(await by.post('/entregas/consultar', { pagina, limite: 100 })).body,
    (row) => row.id,
  );
export const allScheduled = (by: Client) =>
  allOf(
    async (pagina) => assertOk(await by.get(`/entregas/programadas?limite=100&pagina=${pagina}`)).body,
    (row) => row.id_mch_programada,
  );

const byId = (rows: Rows) => [...rows].sort(([a], [b]) => Number(a) - Number(b));

/** A long transaction elsewhere on the server, such as of another test file, delays what a follower is told. */
export const DELAY_MS_MAX = 240_000;

export async function assertCatchesUp(
  { copy, poll }: ReturnType<typeof follower>,
  rowsOf: () => Promise<Rows>,
): Promise<void> {
  await eventually(async () => {
    await poll();
    assert.deepEqual(byId(copy), byId(await rowsOf()));
  }, DELAY_MS_MAX);
}
