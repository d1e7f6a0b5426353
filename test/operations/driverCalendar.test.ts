import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const PATH = '/condutores/1/turnos';
const today = () => clock.now().toZonedDateTimeISO('America/Sao_Paulo').toPlainDate();

const night = { dia: 5, inicio: '18:00', fim: '02:00', pausas: [{ inicio: '00:30', fim: '01:00' }] };

test('a driver has no shifts until they are set, and none again after they are deleted', async () => {
  const none = { mantidos: false, semana: [], dias: [] };
  assert.deepEqual((await operator.get(PATH)).body.data, none);
  const christmas = today().add({ days: 30 }).toString();
  const set = await operator.put(PATH, { semana: [night], dias: [{ data: christmas, turnos: [] }] });
  assert.equal(set.status, 200, set.text);
  const kept = { mantidos: true, semana: [night], dias: [{ data: christmas, turnos: [] }] };
  assert.deepEqual(set.body.data, kept);
  assert.deepEqual((await operator.get(PATH)).body.data, kept);
  assert.deepEqual((await operator.delete(PATH)).body.data, none);
  assert.deepEqual((await operator.get(PATH)).body.data, none);
});

test('dates that have passed are not kept, except yesterday', async () => {
  const days = [-2, -1, 0].map((offset) => today().add({ days: offset }).toString());
  const answer = await operator.put(PATH, {
    semana: [],
    dias: days.map((data) => ({ data, turnos: [{ inicio: '08:00', fim: '12:00' }] })),
  });
  assert.deepEqual(
    answer.body.data.dias.map(({ data }: { data: string }) => data),
    days.slice(1),
  );
});

const shift = (dia: number, inicio: string, fim: string, pausas: object[] = []) => ({
  dia,
  inicio,
  fim,
  pausas,
});
const refused: readonly [what: string, body: object, field: string][] = [
  ['shifts that overlap', { semana: [shift(1, '08:00', '12:00'), shift(1, '11:59', '18:00')] }, 'semana'],
  [
    'a night that runs into the next morning',
    { semana: [shift(7, '20:00', '06:00'), shift(1, '05:00', '09:00')] },
    'semana',
  ],
  [
    'a break outside of its shift',
    { semana: [shift(1, '08:00', '12:00', [{ inicio: '11:50', fim: '12:10' }])] },
    'semana[0].pausas',
  ],
  [
    'a break before its shift',
    { semana: [shift(1, '08:00', '12:00', [{ inicio: '07:00', fim: '07:30' }])] },
    'semana[0].pausas',
  ],
  [
    'breaks that overlap',
    {
      semana: [
        shift(1, '08:00', '18:00', [
          { inicio: '12:00', fim: '13:00' },
          { inicio: '12:30', fim: '13:30' },
        ]),
      ],
    },
    'semana[0].pausas',
  ],
  ['a time that does not exist', { semana: [shift(1, '24:00', '25:00')] }, 'semana[0].inicio'],
  ['a day that does not exist', { semana: [shift(8, '08:00', '12:00')] }, 'semana[0].dia'],
  ['too many shifts', { semana: Array.from({ length: 29 }, () => shift(1, '08:00', '12:00')) }, 'semana'],
  ['a date that does not exist', { semana: [], dias: [{ data: '2026-02-30', turnos: [] }] }, 'dias[0].data'],
  [
    'a date twice',
    {
      semana: [],
      dias: [
        { data: '2027-01-01', turnos: [] },
        { data: '2027-01-01', turnos: [] },
      ],
    },
    'dias[1].data',
  ],
  [
    'overlapping shifts of a date',
    {
      semana: [],
      dias: [
        {
          data: '2027-01-01',
          turnos: [
            { inicio: '08:00', fim: '12:00' },
            { inicio: '09:00', fim: '10:00' },
          ],
        },
      ],
    },
    'dias[0].turnos',
  ],
  ['no week', {}, 'semana'],
];
for (const [what, body, field] of refused)
  test(`refuses ${what}`, async () => {
    const answer = await operator.put(PATH, body);
    assert.equal(answer.status, 400, answer.text);
    assert.ok(
      answer.body.errors.some(({ message }: { message: string }) => message.startsWith(`'${field}'`)),
      answer.text,
    );
  });

test('a driver that does not exist has no shifts, and drivers do not read them', async () => {
  for (const answer of [
    await operator.get('/condutores/999999/turnos'),
    await operator.put('/condutores/999999/turnos', { semana: [] }),
    await operator.delete('/condutores/999999/turnos'),
  ]) {
    assert.equal(answer.status, 404);
    assert.equal(answer.body.errors[0].message, 'entregador não encontrado');
  }
  assert.equal((await malote.driver(1).get(PATH)).status, 403);
});

test('a change of shifts is in the audit log', async () => {
  await operator.put(PATH, { semana: [night] });
  const { body } = await operator.get('/auditoria?limite=5');
  assert.match(JSON.stringify(body.data), /turnos/);
});
