import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from '../../../platform/kernel/editDistance.ts';
import { fullWords, numberWords, streetTypes } from './abbreviations.ts';
import { findMunicipality, municipalityByCode } from './municipalities.ts';
import { findState, fold, parsePostcode, standardiseName, titleCase, wordsOf } from './standardise.ts';
import { variantsOf, wordKey, wordLikeness } from './wordKey.ts';

const words = fc.constantFrom(
  ...streetTypes.keys(),
  ...fullWords.keys(),
  ...numberWords.keys(),
  ...[
    'XV',
    'xxiii',
    'IV',
    '007',
    '15º',
    '1ª',
    'N.',
    'Sra.',
    'e',
    'dos',
    'Getúlio',
    'João',
    "d'Ávila",
    'Müller',
    'ANDRADAS',
  ],
);
const names = fc.oneof(
  fc.array(words, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')),
  fc.string({ maxLength: 40 }),
);

test('standardising a name twice changes nothing more', () => {
  fc.assert(
    fc.property(names, (name) => {
      const standard = standardiseName(name);
      assert.equal(standardiseName(standard), standard);
    }),
    { numRuns: 2000 },
  );
});

test('case and accents make no difference', () => {
  const accents: Record<string, string> = { a: 'ã', e: 'é', i: 'í', o: 'ô', u: 'ü', c: 'ç' };
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
      const plain = fold(parts.join(' '));
      const loud = plain.toUpperCase();
      const accented = plain.replace(/[aeiouc]/g, (letter) => accents[letter]!);
      assert.equal(standardiseName(loud), standardiseName(plain));
      assert.equal(standardiseName(accented), standardiseName(plain));
    }),
    { numRuns: 1000 },
  );
});

for (const [written, standard] of [
  ['R. dos Andradas', 'rua dos andradas'],
  ['AV. PRES. GETÚLIO VARGAS', 'avenida presidente getulio vargas'],
  ['Trav. Cel. Fco. Alves', 'travessa coronel francisco alves'],
  ['Pça. Dr. Maurício Cardoso', 'praca doutor mauricio cardoso'],
  ['Av. N. Sra. Aparecida', 'avenida nossa senhora aparecida'],
  ['Rua XV de Novembro', 'rua 15 de novembro'],
  ['Rua Quinze de Novembro', 'rua 15 de novembro'],
  ['Rua Vinte e Quatro de Maio', 'rua 24 de maio'],
  ['Rua 01', 'rua 1'],
  ['R. Sta. Terezinha', 'rua santa terezinha'],
  ["Rua D'Ávila", 'rua davila'],
  ['Ver. João', 'vereador joao'],
  ['R', 'r'],
] as const)
  test(`"${written}" is standardised as "${standard}"`, () =>
    assert.equal(standardiseName(written), standard));

test('words that decide leave out the small ones, unless nothing else is there', () => {
  assert.deepEqual(wordsOf('rua dos andradas'), ['rua', 'andradas']);
  assert.deepEqual(wordsOf('dos'), ['dos']);
});

test('a state is found by code and by name', () => {
  assert.equal(findState('rs')?.code, 'RS');
  assert.equal(findState('Rio Grande do Sul')?.ibge, 43);
  assert.equal(findState('GOIAS')?.code, 'GO');
  assert.equal(findState('XX'), undefined);
});

test('a postcode has eight digits, however it is written', () => {
  assert.equal(parsePostcode('90.020-007'), '90020007');
  assert.equal(parsePostcode('9002'), null);
  assert.equal(parsePostcode(null), null);
});

test('names are shown as people write them', () => {
  assert.equal(titleCase('RUA  DOS ANDRADAS'), 'Rua dos Andradas');
  assert.equal(titleCase('PRAÇA JOÃO XXIII'), 'Praça João XXIII');
});

for (const [written, other] of [
  ['luiz', 'luis'],
  ['thereza', 'teresa'],
  ['baptista', 'batista'],
  ['philippe', 'filipe'],
  ['jeronymo', 'geronimo'],
  ['hermes', 'ermes'],
] as const)
  test(`"${written}" and "${other}" have one key`, () => assert.equal(wordKey(written), wordKey(other)));

test('one typing error leaves a variant in common', () => {
  const letters = fc.constantFrom(...'abcdefghijlmnopqrstuvx'.split(''));
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 5, maxLength: 12 }),
      fc.nat(),
      letters,
      (word, place, letter) => {
        const key = word.join('');
        const at = place % (key.length - 1);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        const damaged = [
          key.slice(0, at) + key.slice(at + 1),
          key.slice(0, at) + letter + key.slice(at),
          key.slice(0, at) + letter + key.slice(at + 1),
          swapped,
        ];
        for (const each of damaged) {
          const kept = new Set(variantsOf(each));
          assert.ok(
            variantsOf(key).some((variant) => kept.has(variant)),
            `${key} and ${each}`,
          );
          assert.ok(editDistance(key, each, 2) <= 1, `${key} and ${each}`);
        }
      },
    ),
  );
});

test('different numbers are never confused', () => {
  assert.equal(wordLikeness('15', '16'), 0);
  assert.deepEqual(variantsOf('12345'), ['12345']);
  assert.ok(wordLikeness('andradas', 'andradsa') > 0.7);
  assert.equal(wordLikeness('andradas', 'ipiranga'), 0);
});

test('a municipality is found by name, by name and state, and with a typing error', () => {
  assert.equal(municipalityByCode(4314902)?.name, 'Porto Alegre');
  assert.equal(findMunicipality('porto alegre')?.state, 'RS');
  assert.equal(findMunicipality('SAO PAULO', 'sp')?.code, 3550308);
  assert.equal(findMunicipality('Porto Alegr', 'RS')?.code, 4314902);
  assert.equal(findMunicipality('Atlantis'), undefined);
  // Of several with the same name the nearest is chosen.
  const near = { lat: -7.1, lng: -34.9 };
  assert.equal(findMunicipality('Santa Rita', null, near)?.state, 'PB');
});
