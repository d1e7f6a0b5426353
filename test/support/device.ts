import assert from 'node:assert/strict';
import { type Client, client, type Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk, newDriver } from './steps.ts';

export interface SignIn {
  status: number;
  body: Json;
  /** The Set-Cookie header with its attributes. */
  setCookie: string;
}

/** Sends what the app sends at sign-in. */
export async function signInDevice(
  malote: TestMalote,
  body: unknown,
  headers: Record<string, string> = { 'x-malote-entregador': '1' },
): Promise<SignIn> {
  const answer = await fetch(`${malote.url}/entregador/sessao`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    body: await answer.json(),
    setCookie: answer.headers.get('set-cookie') ?? '',
  };
}

export const invite = async (malote: TestMalote, driverId: number): Promise<string> =>
  assertOk(await malote.operator.post(`/condutores/${driverId}/convites`)).body.data.codigo;

export interface TestDevice {
  driverId: number;
  username: string;
  cookie: string;
  phone: Client;
}

let serial = 0;

/** A new driver with a login. */
export async function newDriverLogin(
  malote: TestMalote,
): Promise<{ driverId: number; userId: number; username: string }> {
  const driverId = await newDriver(malote);
  const username = `entregador-${++serial}`;
  const user = { usuario: username, senha: 'senha-do-condutor', perfil: 'condutor', condutor_id: driverId };
  const { body } = assertOk(await malote.operator.post('/usuarios', user));
  return { driverId, userId: Number(body.data.id), username };
}

/** A new driver with a signed-in phone. */
export async function newDevice(malote: TestMalote): Promise<TestDevice> {
  const { driverId, username } = await newDriverLogin(malote);
  const code = await invite(malote, driverId);
  const { status, setCookie } = await signInDevice(malote, { codigo: code, aparelho: 'Android, Chrome' });
  assert.equal(status, 200);
  const cookie = setCookie.split(';')[0]!;
  return { driverId, username, cookie, phone: client(`${malote.url}/api/v2/operacao`, { cookie }) };
}
