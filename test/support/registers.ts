import type { TestContext } from 'node:test';
import type { Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk } from './steps.ts';

/** Changes a record of a register through the operator's interface. The end of the test restores it. */
export async function changeRecord(
  t: TestContext,
  operator: Client,
  path: string,
  changes: Record<string, unknown>,
): Promise<void> {
  // A driver's availability and simulation cannot be changed with the record.
  const {
    id: _id,
    disponivel: _available,
    simulado: _simulated,
    ...data
  } = assertOk(await operator.get(path)).body.data;
  t.after(async () => assertOk(await operator.put(path, data)));
  assertOk(await operator.put(path, { ...data, ...changes }));
}

/** Changes a record once more within a test that changeRecord restores. */
export async function changeAgain(
  operator: Client,
  path: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const { id: _id, ...data } = assertOk(await operator.get(path)).body.data;
  assertOk(await operator.put(path, { ...data, ...changes }));
}

/** Creates a record of a register through the operator's interface. */
export async function newRecord(
  operator: Client,
  path: string,
  fields: Record<string, unknown>,
): Promise<Json> {
  return assertOk(await operator.post(path, fields)).body.data;
}

/** Sets the time zone of central 1 until the end of the test. */
export async function useTimeZone(t: TestContext, { operator }: TestMalote, zone: string): Promise<void> {
  const { fuso_horario } = assertOk(await operator.get('/configuracoes')).body.data;
  t.after(async () => assertOk(await operator.put('/configuracoes', { fuso_horario })));
  assertOk(await operator.put('/configuracoes', { fuso_horario: zone }));
}
