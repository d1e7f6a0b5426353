import Type from 'typebox';
import {
  type Category,
  type CategoryValues,
  deleteCategory,
  findCategory,
  insertCategory,
  listCategories,
  updateCategory,
} from '../../estimates/tariffStore.ts';
import type { Profile } from '../../routing/router.ts';
import { profileByCode, profileCode } from '../../wire/codes.ts';
import { register } from '../register.ts';
import { activeField, recordId, requiredText } from '../wire/fields.ts';

const profile = Type.Enum(Object.values(profileCode), { description: 'como o veículo usa as ruas' });

const example = {
  nome: 'Van',
  descricao: 'Entregas de van, até 800 kg',
  perfil: profileCode.car,
  ativa: true,
};

export const categoryEndpoints = register({
  path: '/categorias',
  records: 'categories',
  tag: 'Operação: categorias',
  nouns: { one: 'uma categoria', all: 'as categorias' },
  notFound: 'category-not-found',
  body: Type.Object({
    nome: requiredText(100),
    descricao: Type.Optional(Type.String({ maxLength: 500 })),
    perfil: profile,
    ativa: activeField,
  }),
  bodyExample: example,
  shown: Type.Object({
    id: recordId,
    nome: Type.String(),
    descricao: Type.String(),
    perfil: profile,
    ativa: Type.Boolean(),
  }),
  shownExample: { id: 4, ...example },
  parse: (body): CategoryValues => ({
    name: body.nome.trim(),
    description: body.descricao ?? '',
    profile: profileByCode[body.perfil] as Profile,
    active: body.ativa ?? null,
  }),
  format: (category: Category) => ({
    id: category.id,
    nome: category.name,
    descricao: category.description,
    perfil: profileCode[category.profile],
    ativa: category.active,
  }),
  uniqueFields: { name: 'nome' },
  store: {
    list: listCategories,
    find: findCategory,
    insert: insertCategory,
    update: updateCategory,
    remove: deleteCategory,
  },
});
