import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';

const { operator } = await startMalote();

const driver = { nome: 'Fábio Nunes', telefone: '51999990007', categorias: [1] };
const capacity = { peso_kg: 25.5, volume_litros: 45, pacotes: 6, equipamentos: ['bau_termico'] };
const NONE = { peso_kg: null, volume_litros: null, pacotes: null, equipamentos: null };

for (const [path, values] of [
  ['/condutores', driver],
  ['/categorias', { nome: 'Baú', perfil: 'moto' }],
] as const) {
  test(`${path}: what a vehicle carries is shown where it is known, and stays until it is changed`, async () => {
    const created = await operator.post(path, { ...values, capacidade: capacity });
    assert.equal(created.status, 200, created.text);
    assert.deepEqual(created.body.data.capacidade, capacity);
    const one = `${path}/${created.body.data.id}`;
    assert.deepEqual((await operator.put(one, values)).body.data.capacidade, capacity);
    assert.deepEqual(
      (await operator.put(one, { ...values, capacidade: null })).body.data.capacidade,
      capacity,
    );
    const known = { ...NONE, equipamentos: [] };
    const changed = await operator.put(one, { ...values, capacidade: { equipamentos: [] } });
    assert.deepEqual(changed.body.data.capacidade, known);
    assert.ok(!('capacidade' in (await operator.put(one, { ...values, capacidade: {} })).body.data));
    assert.ok(!('capacidade' in (await operator.get(one)).body.data));
    assert.equal((await operator.delete(one)).status, 200);
  });

  for (const [what, sent, field] of [
    ['a negative weight', { peso_kg: -1 }, 'capacidade.peso_kg'],
    ['a weight of more than three decimals', { peso_kg: 1.0005 }, 'capacidade.peso_kg'],
    ['a volume that is too large', { volume_litros: 1_000_001 }, 'capacidade.volume_litros'],
    ['a part of a package', { pacotes: 1.5 }, 'capacidade.pacotes'],
    ['unknown equipment', { equipamentos: ['drone'] }, 'capacidade.equipamentos[0]'],
    ['equipment twice', { equipamentos: ['bau', 'bau'] }, 'capacidade.equipamentos'],
  ] as const)
    test(`${path}: refuses ${what}`, async () => {
      const answer = await operator.post(path, { ...values, capacidade: sent });
      assert.equal(answer.status, 400, answer.text);
      assert.ok(
        answer.body.errors.some(({ message }: { message: string }) => message.startsWith(`'${field}'`)),
        answer.text,
      );
    });
}
