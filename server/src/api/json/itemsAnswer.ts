import type { TSchema } from 'typebox';
import Type from 'typebox';
import { betweenPieces } from '../../platform/kernel/inSlices.ts';
import { isDone, type Outcome } from '../../platform/kernel/outcome.ts';
import { describeItem } from '../http/answerError.ts';
import { JsonText, type Language } from '../http/envelope.ts';

/** Items of one request. */
export const ITEMS_MAX = 500;

const refusedItem = {
  status: Type.Optional(
    Type.Integer({ description: 'de um item recusado: o status HTTP de uma requisição só com ele' }),
  ),
  kind: Type.Optional(
    Type.String({ description: 'de um item recusado: o tipo da recusa, como em X-Error-Kind' }),
  ),
  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() }))),
};
const indice = Type.Integer({ description: 'posição do item na requisição, a partir de 0' });

/** The answer of a bulk request: what became of each item, in the order of the request. */
export const itemsAnswer = <Done extends TSchema>(done: Done, more: Record<string, TSchema> = {}) =>
  Type.Object({
    success: Type.Literal(true),
    recusados: Type.Integer({ description: 'quantos itens foram recusados' }),
    data: Type.Array(
      Type.Object({ indice, ...more, success: Type.Boolean(), data: Type.Optional(done), ...refusedItem }),
    ),
  });

export async function answerItems<Value>(
  outcomes: readonly Outcome<Value>[],
  language: Language,
  show: (value: Value) => object,
  more: (index: number) => object = () => ({}),
): Promise<JsonText> {
  const items: string[] = [];
  let refused = 0;
  for (const [index, outcome] of outcomes.entries()) {
    await betweenPieces();
    if (!isDone(outcome)) refused += 1;
    const result = isDone(outcome)
      ? { success: true, data: show(outcome.value) }
      : { success: false, ...describeItem(outcome.error, language) };
    items.push(JSON.stringify({ indice: index, ...more(index), ...result }));
  }
  return new JsonText(`{"success":true,"recusados":${refused},"data":[${items.join(',')}]}`);
}
