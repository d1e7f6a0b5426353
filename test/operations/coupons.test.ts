import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

const { operator } = await startMalote();

test('a coupon keeps its limits and its companies, and a PUT without them takes them away', async () => {
  const limits = { limite_usos: 5, limite_usos_por_empresa: 2, empresas: [1, 2] };
  const created = assertOk(
    await operator.post('/cupons', { codigo: 'LIMITADO', percentual: '5.00', ...limits }),
  );
  const { id, ...shown } = created.body.data;
  assert.deepEqual(shown, {
    codigo: 'LIMITADO',
    percentual: '5.00',
    gerador_cupom_id: '',
    valido_ate: null,
    ...limits,
    empresas: ['1', '2'],
    usos: 0,
    ativo: true,
  });
  const changed = { codigo: 'LIMITADO', percentual: '5.00', limite_usos: 6, empresas: [2] };
  assert.deepEqual(assertOk(await operator.put(`/cupons/${id}`, changed)).body.data.empresas, ['2']);
  const open = assertOk(await operator.put(`/cupons/${id}`, { codigo: 'LIMITADO', percentual: '5.00' }));
  const { limite_usos, limite_usos_por_empresa, empresas } = open.body.data;
  assert.deepEqual(
    { limite_usos, limite_usos_por_empresa, empresas },
    { limite_usos: null, limite_usos_por_empresa: null, empresas: [] },
  );
  assertOk(await operator.delete(`/cupons/${id}`));
});

test('limits below one and companies that are not there are refused', async () => {
  const coupon = { codigo: 'ERRADO', percentual: '5.00' };
  for (const wrong of [{ limite_usos: 0 }, { limite_usos: 1.5 }, { limite_usos_por_empresa: -1 }])
    assertFailure(await operator.post('/cupons', { ...coupon, ...wrong }), 400, 2);
  assertFailure(await operator.post('/cupons', { ...coupon, empresas: [999] }), 404, 0);
  assertFailure(await operator.post('/cupons', { ...coupon, empresas: [10_000_001] }), 404, 0);
});
