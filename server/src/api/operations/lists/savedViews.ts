import Type, { type Static } from 'typebox';
import type { Caller, UserCaller } from '../../../centrals/caller.ts';
import {
  deleteView,
  findOwnView,
  insertView,
  listSavedViews,
  SAVED_VIEWS_MAX,
  type SavedView,
  updateView,
} from '../../../centrals/savedViewStore.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { answerWith, answerWithList, messageAnswer } from '../../json/values.ts';
import { flag, id, kind, text, view } from '../../json/view.ts';

import { nameText } from '../wire/fields.ts';

/** The lists that have views. */
const LISTS = [
  'entregas',
  'programadas',
  'entregadores',
  'empresas',
  'carteiras',
  'contas-entregadores',
  'contas-empresas',
] as const;
const list = Type.Enum([...LISTS]);
const QUERY_LENGTH_MAX = 1_000;

const body = Type.Object({
  lista: list,
  nome: nameText(80),
  filtros: Type.String({ maxLength: QUERY_LENGTH_MAX }),
  compartilhada: Type.Optional(Type.Boolean()),
});
const bodyExample = { lista: 'entregas', nome: 'Atrasos de hoje', filtros: 'status=A,E&periodo=hoje' };
const savedView = view<SavedView>()({
  id: id((each) => each.id, '3'),
  lista: kind(
    () => list,
    (name: string) => name as (typeof LISTS)[number],
  )((each) => each.list, 'entregas'),
  nome: text((each) => each.name, bodyExample.nome),
  filtros: text(
    (each) => each.query,
    bodyExample.filtros,
    'como no endereço da lista, sem o ponto de interrogação',
  ),
  compartilhada: flag((each) => each.isShared, false),
  propria: flag((each) => each.isOwn, true, 'somente quem a salvou a altera ou exclui'),
  usuario: text((each) => each.ownerName, 'central', 'quem a salvou'),
});
const formatView = (saved: SavedView) => savedView.show(saved, undefined);

const parseView = ({ lista, nome, filtros, compartilhada = false }: Static<typeof body>) => ({
  list: lista,
  name: plainName(nome),
  query: filtros,
  isShared: compartilhada,
});

/** Views belong to a user, so callers without a login are refused. */
function userOf(caller: Caller): UserCaller {
  if (caller.userId === null) throw new Refusal('not-allowed');
  return { ...caller, userId: caller.userId };
}

const shared = { tag: 'Operação: listas', permission: 'watch', limit: 'operations' } as const;

export const savedViewEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    path: '/visoes',
    summary: 'Listar as visões salvas de uma lista',
    description:
      'As próprias e as que outros compartilham: um operador ou integrador vê as de quem vê a central inteira; um gerente, as dos gerentes da própria empresa.',
    query: Type.Object({ lista: list }),
    queryExample: { lista: 'entregas' },
    ...answerWithList(savedView),
    async handle({ deps: { db }, caller, query }) {
      return { data: (await listSavedViews(db, userOf(caller), query.lista)).map(formatView) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/visoes',
    summary: 'Salvar uma visão',
    description: `Os filtros e a ordem de uma lista, com um nome. Cada usuário tem até ${SAVED_VIEWS_MAX}.`,
    refusals: ['view-name-taken', 'too-many-views'],
    body,
    bodyExample,
    ...answerWith(savedView),
    async handle({ deps: { db, clock }, caller, body }) {
      const user = userOf(caller);
      return db.begin(async (tx) => {
        const id = await insertView(tx, user, parseView(body), clock.now());
        return { data: formatView(await findOwnView(tx, user, id)) };
      });
    },
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    path: '/visoes/:id',
    summary: 'Alterar uma visão salva',
    description: 'Nome, filtros e se é compartilhada; a lista fica. Somente de quem a salvou.',
    refusals: ['record-not-found', 'view-name-taken'],
    body,
    bodyExample,
    ...answerWith(savedView),
    async handle({ deps: { db, clock }, caller, params, body }) {
      const user = userOf(caller);
      return db.begin(async (tx) => {
        await updateView(tx, user, params.id!, parseView(body), clock.now());
        return { data: formatView(await findOwnView(tx, user, params.id!)) };
      });
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/visoes/:id',
    summary: 'Excluir uma visão salva',
    refusals: ['record-not-found'],
    answer: messageAnswer,
    answerExample: { success: true, message: 'visão excluída' },
    async handle({ deps: { db }, caller, params, language }) {
      await db.begin((tx) => deleteView(tx, userOf(caller), params.id!));
      return { message: language === 'en' ? 'view deleted' : 'visão excluída' };
    },
  }),
];
