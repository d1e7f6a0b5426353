import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from './parseAddress.ts';

for (const [text, type, words, number, rest] of [
  ['Rua dos Andradas, 1001', 'rua', 'andradas', 1001, []],
  ['andradas 1001', null, 'andradas', 1001, []],
  ['andradas 1001 centro porto alegre', null, 'andradas', 1001, ['centro porto alegre']],
  ['R. dos Andradas nº 1001 apto 302 - Centro', 'rua', 'andradas', 1001, ['centro']],
  [
    'Rua dos Andradas, 1001 apto 302, Centro Histórico, Porto Alegre - RS',
    'rua',
    'andradas',
    1001,
    ['centro historico', 'porto alegre'],
  ],
  ['Rua 24 de Maio 100', 'rua', '24 maio', 100, []],
  ['Rua 7', 'rua', '7', null, []],
  ['Rua 7, 25', 'rua', '7', 25, []],
  ['Rua 15 de Novembro', 'rua', '15 novembro', null, []],
  ['BR 116', null, 'br 116', null, []],
  ['Rodovia RS 118, 300', 'rodovia', 'rs 118', 300, []],
  ['Rua Projetada 3 45', 'rua', 'projetada 3', 45, []],
  ['Av. Ipiranga, s/n, Azenha', 'avenida', 'ipiranga', null, ['azenha']],
  ['Avenida Ipiranga S/Nº', 'avenida', 'ipiranga', null, []],
  ['Av Ipiranga 1200A', 'avenida', 'ipiranga', 1200, []],
  ['Rua A, 0', 'rua', 'a', null, []],
] as const)
  test(`"${text}" is parsed`, () => {
    const parsed = parseAddress(text);
    assert.deepEqual(
      [parsed.type, parsed.words.join(' '), parsed.number, parsed.places],
      [type, words, number, rest],
    );
  });

test('the postcode and the state are found wherever they stand', () => {
  const whole = parseAddress('Rua dos Andradas, 1001 - Centro, Porto Alegre/RS, CEP 90020-007');
  assert.equal(whole.postcode, '90020007');
  assert.equal(whole.state?.code, 'RS');
  assert.deepEqual(whole.places, ['centro', 'porto alegre']);
  assert.equal(parseAddress('90020007').postcode, '90020007');
  assert.deepEqual(parseAddress('90020007').words, []);
  assert.equal(parseAddress('Rua A, 5, Porto Alegre rs').state?.code, 'RS');
  assert.equal(parseAddress('Rua A, 5, Campinas, São Paulo').state?.code, 'SP');
});

test('any text is taken apart without an error', (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => void parseAddress(text)),
    { numRuns: 2000 },
  );
  for (const text of [' - '.repeat(30_000), '1 '.repeat(30_000), 's/n'.repeat(30_000), 'a'.repeat(100_000)]) {
    const before = process.cpuUsage();
    parseAddress(text);
    // Time that grows with the square of the length would be minutes.
    t.diagnostic(`${text.length} characters: ${process.cpuUsage(before).user} µs of processor time`);
  }
});
