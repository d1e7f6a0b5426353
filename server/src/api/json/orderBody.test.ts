import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScript } from './orderBody.ts';

for (const [note, script] of [
  [null, 'success'],
  ['', 'success'],
  ['Deixar na portaria', 'success'],
  ['[simular: sucesso]', 'success'],
  ['[simular: recusa]', 'refusal'],
  ['Deixar na portaria. [simular: sem-condutor] Obrigado', 'no_driver'],
  ['[ SIMULAR :  Sem  Condutor ]', 'no_driver'],
  ['[simular: desistencia]', 'giving_up'],
  ['[simular: Desistência]', 'giving_up'],
  ['[simular: pane]', 'breakdown'],
  ['[simular:ausente]', 'absent'],
  ['[simular: outra coisa]', 'success'],
  ['simular: recusa', 'success'],
  ['[simular: recusa', 'success'],
] as const)
  test(`a note reads ${JSON.stringify(note)}: ${script}`, () => assert.equal(parseScript(note), script));
