import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { integrationApi } from '../integration/endpoints.ts';
import { operationApi } from '../operations/endpoints.ts';
import { answerWriter, withNullable } from './answerWriter.ts';

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const { write } = answerWriter(
  Type.Object({
    texto: orNull(Type.String()),
    decimal: orNull(Type.String({ format: 'money' })),
    numero: orNull(Type.Integer()),
    sim: orNull(Type.Boolean()),
    lista: orNull(Type.Array(orNull(Type.String()))),
    objeto: orNull(Type.Object({ dentro: orNull(Type.Number()) })),
    ausente: Type.Optional(orNull(Type.String())),
  }),
);

test('null is written as null, and a value as itself', () => {
  for (const answer of [
    { texto: null, decimal: null, numero: null, sim: null, lista: null, objeto: null, ausente: null },
    { texto: '', decimal: '0.00', numero: 0, sim: false, lista: [], objeto: { dentro: null } },
    { texto: 'a', decimal: '1.50', numero: 7, sim: true, lista: ['b', null], objeto: { dentro: 1.5 } },
  ])
    assert.deepEqual(JSON.parse(write(answer)), answer);
});

/** Rarely read, and what a request contained is an object or a text. */
const VALIDATED = ['GET /requisicoes/:id'];

for (const { title, endpoints } of [integrationApi, operationApi]) {
  test(`no value of an answer has to be validated to be written: ${title}`, () => {
    const faults = endpoints.filter(({ answer }) =>
      /"(anyOf|oneOf|if)"/.test(JSON.stringify(withNullable(answer))),
    );
    assert.deepEqual(
      faults.map(({ method, path }) => `${method} ${path}`),
      VALIDATED,
    );
  });

  test(`the example of every answer is written as it is: ${title}`, () => {
    for (const { method, path, answer, answerExample, isLive } of endpoints)
      if (!isLive)
        assert.deepEqual(
          JSON.parse(answerWriter(answer).write(answerExample)),
          answerExample,
          `${method} ${path}`,
        );
  });
}
