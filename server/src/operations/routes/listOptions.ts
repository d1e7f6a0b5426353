import Type from 'typebox';
import { boundingBox } from '../../areas/areaIndex.ts';
import { listActiveReasons } from '../../centrals/reasonStore.ts';
import { listActiveCompanies } from '../../companies/companyStore.ts';
import { dataAnswer, nullable } from '../../contract/wire/answers.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { recordId } from '../wire/fields.ts';

const COMPANIES_MAX = 1_000;
const named = { id: recordId, nome: Type.String() };

export const listOptionsRoute = route({
  method: 'GET',
  path: '/opcoes',
  tag: 'Operação: ao vivo',
  summary: 'Saber o que se pode escolher',
  description: `O que preenche as escolhas de quem abre, acompanha ou cancela entregas: categorias ativas, empresas ativas (um gerente vê a própria; até ${COMPANIES_MAX}), motivos de cancelamento e os limites da área padrão.`,
  who: watchers,
  limit: 'operations',
  answer: dataAnswer(
    Type.Object({
      categorias: Type.Array(Type.Object(named)),
      empresas: Type.Array(Type.Object({ ...named, categoria_padrao_id: nullable(recordId) })),
      motivos_cancelamento: Type.Array(Type.Object(named)),
      codigo_confirmacao: Type.Boolean({ description: 'se a central pede código para concluir paradas' }),
      limites: nullable(
        Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'oeste, sul, leste, norte' }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      categorias: [{ id: 1, nome: 'Moto' }],
      empresas: [{ id: 1, nome: 'Padaria Central', categoria_padrao_id: 1 }],
      motivos_cancelamento: [{ id: 2, nome: 'Mudança de planos' }],
      codigo_confirmacao: false,
      limites: [-51.3, -30.2, -51.05, -29.95],
    },
  },
  async handle({ needs: { db, priceBooks }, caller, language }) {
    const [book, companies, reasons] = await Promise.all([
      priceBooks.of(caller.centralId),
      listActiveCompanies(db, caller, COMPANIES_MAX),
      listActiveReasons(db, caller.centralId),
    ]);
    const area = book.areas.areas.find(({ isDefault }) => isDefault);
    return {
      data: {
        categorias: book.categories
          .filter(({ active }) => active)
          .map(({ id, name }) => ({ id, nome: name })),
        empresas: companies.map(({ id, name, defaultCategoryId }) => ({
          id,
          nome: name,
          categoria_padrao_id: defaultCategoryId,
        })),
        motivos_cancelamento: reasons.map(({ id, name, nameEn }) => ({
          id,
          nome: language === 'en' ? nameEn : name,
        })),
        codigo_confirmacao: caller.central.settings.confirmationCode,
        limites: area ? boundingBox(area.shape) : null,
      },
    };
  },
});
