import { createHash, randomBytes } from 'node:crypto';
import { createCentral } from '../server/src/centrals/createCentral.ts';
import { writeToken } from '../server/src/platform/kernel/centralToken.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import type { LoadRequest } from './load.ts';

export const CENTRALS = 100;
export const PHONES = 500;

/** Creates drivers with a signed-in phone, evenly spread over new centrals. Returns their cookies. */
export async function hirePhones(db: Database): Promise<string[]> {
  const cookies: string[] = [];
  for (let count = 0; count < CENTRALS; count += 1) {
    const central = await createCentral({ db }, { name: `Central de telefones ${count}`, timeZone: 'UTC' });
    for (let phone = 0; phone < PHONES / CENTRALS; phone += 1) cookies.push(await signIn(db, central));
  }
  return cookies;
}

async function signIn(db: Database, centralId: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const digest = createHash('sha256').update(secret).digest();
  const now = systemClock.now();
  const [[driverId], [userId]] = [
    await db.newIds(centralId, 'driver', 1),
    await db.newIds(centralId, 'user', 1),
  ];
  await db`
    with driver as (
      insert into drivers (central_id, id, name, phone)
      values (${centralId}, ${driverId}, 'Condutor', '51999990000') returning id),
    login as (
      insert into users (central_id, id, username, password_hash, role, driver_id)
      select ${centralId}, ${userId}::bigint, 'condutor-' || id, '-', 'driver', id from driver
      returning id),
    session as (
      insert into sessions (central_id, sha256, user_id, created_at, expires_at)
      select ${centralId}, ${digest}, id, ${now}, ${now.add({ hours: 24 })} from login)
    insert into devices (central_id, id, sha256, label, seen_at)
    select ${centralId}, id, ${digest}, 'Android', ${now} from login`;
  return `malote_aparelho=${writeToken({ centralId, secret })}`;
}

/** `size` positions, `everySeconds` apart, and the phone's battery level. */
export function batchOf(cookie: string, index: number, size: number, everySeconds: number): LoadRequest {
  const now = systemClock.now();
  return {
    method: 'POST',
    path: '/api/v2/operacao/condutores/posicoes',
    headers: { cookie, 'x-malote-entregador': '1', 'content-type': 'application/json' },
    body: JSON.stringify({
      posicoes: Array.from({ length: size }, (_, place) => ({
        lat: -30.03 - index / 1e5,
        lng: -51.2 - place / 1e5,
        em: now.subtract({ seconds: (size - 1 - place) * everySeconds }).toString(),
        precisao: 8,
      })),
      bateria: index % 101,
      versao: '1.0.0',
    }),
  };
}
