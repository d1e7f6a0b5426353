import Type from 'typebox';
import { boundingBox } from '../../areas/area.ts';
import { listActiveReasons } from '../../centrals/reasonStore.ts';
import { listActiveCompanies } from '../../companies/companyStore.ts';
import { countOpen } from '../../deliveries/openDeliveriesStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { countAwaiting, countFailed } from '../../scheduled/scheduledStore.ts';
import { countTroubledWebhooks } from '../../webhooks/webhookStore.ts';
import { dataAnswer, nullable } from '../../wire/answers.ts';
import { fullStatusCode } from '../../wire/codes.ts';
import { formatUtc } from '../../wire/values.ts';
import { watchers } from '../roles.ts';
import { instantShown, recordId } from '../wire/fields.ts';

const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const;
const count = Type.Integer({ minimum: 0 });

export const getSummaryEndpoint = endpoint({
  method: 'GET',
  path: '/resumo',
  tag: 'Operação: ao vivo',
  summary: 'Ver o dia em números',
  description:
    'Quantas entregas estão em cada status vivo, quantas passaram da previsão da etapa em que estão, quantas programadas aguardam, o disparo de quantas falhou sem que fossem canceladas e quantos webhooks não recebem. O histórico não é contado. Um gerente vê a própria empresa.',
  roles: watchers,
  limit: 'operations',
  answer: dataAnswer(
    Type.Object({
      agora: instantShown,
      entregas: Type.Object(Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, count]))),
      atrasadas: count,
      programadas_aguardando: count,
      programadas_com_falha: count,
      webhooks_com_problema: count,
    }),
  ),
  answerExample: {
    success: true,
    data: {
      agora: '2026-11-16T15:00:00Z',
      entregas: { L: 0, D: 2, G: 1, P: 0, A: 3, S: 1, E: 5 },
      atrasadas: 1,
      programadas_aguardando: 8,
      programadas_com_falha: 0,
      webhooks_com_problema: 0,
    },
  },
  async handle({ deps: { db, clock }, caller }) {
    const now = clock.now();
    const [open, awaiting, failed, troubled] = await Promise.all([
      countOpen(db, caller, now),
      countAwaiting(db, caller),
      countFailed(db, caller),
      countTroubledWebhooks(db, caller),
    ]);
    const counts = Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, 0]));
    for (const one of open) counts[fullStatusCode[one.status]] = one.count;
    return {
      data: {
        agora: formatUtc(now),
        entregas: counts,
        atrasadas: open.reduce((sum, { late }) => sum + late, 0),
        programadas_aguardando: awaiting,
        programadas_com_falha: failed,
        webhooks_com_problema: troubled,
      },
    };
  },
});

const COMPANIES_MAX = 1_000;
const named = { id: recordId, nome: Type.String() };

export const listOptionsEndpoint = endpoint({
  method: 'GET',
  path: '/opcoes',
  tag: 'Operação: ao vivo',
  summary: 'Saber o que se pode escolher',
  description: `O que preenche as escolhas de quem abre, acompanha ou cancela entregas: categorias ativas, empresas ativas (um gerente vê a própria; até ${COMPANIES_MAX}), motivos de cancelamento e os limites da área padrão.`,
  roles: watchers,
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
  async handle({ deps: { db, priceBooks }, caller, language }) {
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
