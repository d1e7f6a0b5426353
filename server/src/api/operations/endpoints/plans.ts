import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { type AppliedPlan, applyPlan } from '../../../dispatch/plans/applyPlan.ts';
import { findDriverNames, findPlanNames, type PlanNames } from '../../../dispatch/plans/namesStore.ts';
import { findPlan, findProgress, listPlans } from '../../../dispatch/plans/planStore.ts';
import { DRIVERS_MAX, ORDERS_MAX } from '../../../dispatch/plans/situation.ts';
import { startPlan } from '../../../dispatch/plans/startPlan.ts';
import { type UndonePlan, undoPlan } from '../../../dispatch/plans/undoPlan.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { LiveAnswer, sseMessage } from '../../http/eventStreams.ts';
import { fullStatusCode, planByByCode, planByCode } from '../../json/codes.ts';
import { answerWith, answerWithList, dataAnswer } from '../../json/values.ts';
import { code, id, instant, list, one, text, view } from '../../json/view.ts';
import { namedDriver, oneId } from '../wire/commonFields.ts';
import { sentId } from '../wire/fields.ts';
import { planHead, planRead, planStateCode } from '../wire/planView.ts';
import { codesOf, notAppliedWords, notUndoneWords } from '../wire/planWords.ts';

const shared = { tag: 'Operação: planos', permission: 'dispatch', limit: 'operations' } as const;

const LISTED = 20;
const SECONDS_MAX = 30;
const SECONDS = 3;
/** How often a stream looks whether a plan has come further. */
const PROGRESS_MS = 300;

const begun = Type.Object({ id: Type.String(), estado: Type.Enum(Object.values(planStateCode)) });

const startPlanEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/planos',
  summary: 'Planejar as entregas abertas',
  description: [
    'Calcula quem leva o quê e em que ordem: primeiro sem atrasos, depois com menos tempo e menos quilômetros dos entregadores, repartidos entre eles. Responde logo com o id; o plano é calculado por até `segundos` e esquecido depois de um dia. Nada muda até que seja aplicado.',
    `Sem \`entregas\`, todas as abertas sem entregador, até ${ORDERS_MAX}. Citadas podem ser também as que um entregador aceitou e não começou: podem mudar de entregador. O que já começou fica com quem está, e suas paradas vêm primeiro. Sem \`entregadores\`, os que estão em serviço com posição recente, até ${DRIVERS_MAX}. Uma entrega em \`travadas\` só vai para aquele entregador.`,
    'Com `iteracoes` o cálculo termina depois de tantas tentativas em uma só linha de execução, e, se `segundos` bastam, a mesma `semente` dá o mesmo plano para a mesma situação.',
  ].join('\n\n'),
  refusals: ['delivery-not-found', 'driver-not-found', 'too-many-plans'],
  body: Type.Object({
    entregas: Type.Optional(Type.Array(sentId(), { minItems: 1, maxItems: ORDERS_MAX })),
    entregadores: Type.Optional(Type.Array(sentId(), { minItems: 1, maxItems: DRIVERS_MAX })),
    segundos: Type.Optional(Type.Integer({ minimum: 1, maximum: SECONDS_MAX, default: SECONDS })),
    semente: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 })),
    iteracoes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    travadas: Type.Optional(
      Type.Array(Type.Object({ entrega: sentId(), entregador: sentId() }), { maxItems: ORDERS_MAX }),
    ),
  }),
  bodyExample: { segundos: 3 },
  answer: dataAnswer(begun),
  answerExample: { success: true, data: { id: '17', estado: 'calculando' } },
  async handle({ deps, caller, body }) {
    const planId = await startPlan(deps, caller, {
      deliveryIds: body.entregas ?? null,
      driverIds: body.entregadores ?? null,
      seconds: body.segundos ?? SECONDS,
      seed: body.semente ?? 1,
      iterations: body.iteracoes ?? null,
      locks: (body.travadas ?? []).map(({ entrega, entregador }) => ({
        deliveryId: entrega,
        driverId: entregador,
      })),
    });
    return { data: { id: String(planId), estado: planStateCode.running } };
  },
});

const listPlansEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/planos',
  summary: 'Listar os últimos planos',
  description: `Os ${LISTED} mais recentes, do mais novo para o mais antigo, sem as rotas.`,
  ...answerWithList(planHead),
  async handle({ deps: { db, clock }, caller }) {
    const plans = await listPlans(db, caller.centralId, clock.now(), LISTED);
    return { data: plans.map((plan) => planHead.show(plan, undefined)) };
  },
});

const NO_NAMES: PlanNames = { drivers: new Map(), pickups: new Map(), stops: new Map() };

const getPlanEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/planos/:id',
  summary: 'Ler um plano',
  description:
    'Enquanto é calculado, `fase` e `progresso`; pronto, as rotas com os horários de cada parada, a carga, os atrasos e o custo, o que ficou de fora e por quê, e a comparação com agora.',
  refusals: ['plan-not-found'],
  ...answerWith(planRead),
  async handle({ deps: { db, clock }, caller: { centralId, central }, params, language }) {
    const record = await findPlan(db, centralId, params.id!, clock.now());
    const names = record.plan ? await findPlanNames(db, centralId, record.plan) : NO_NAMES;
    const standing = record.applied.filter(({ isUndone }) => !isUndone);
    const applied = new Set(standing.map(({ deliveryId }) => deliveryId));
    return { data: planRead.show(record, { names, language, timeZone: central.timeZone, applied }) };
  },
});

const watchPlanEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/planos/:id/eventos',
  summary: 'Acompanhar o cálculo de um plano',
  description:
    'Server-sent events: uma mensagem `plano` a cada progresso. A conexão é encerrada depois da mensagem em que o plano está pronto ou falhou; leia então o plano.',
  refusals: ['plan-not-found', 'too-many-listeners'],
  isLive: true,
  answer: planHead.schema,
  answerExample: {
    ...planHead.example,
    estado: 'calculando',
    fase: 'procurando',
    progresso: 40,
    pronto_em: null,
  },
  async handle({ deps: { db, clock }, caller: { centralId }, params }) {
    const read = () => findProgress(db, centralId, params.id!, clock.now());
    const first = await read();
    return new LiveAnswer(async (stream) => {
      let [isOpen, sent] = [true, ''];
      const follow = async (): Promise<void> => {
        for (let plan = first; isOpen; plan = await read()) {
          const message = sseMessage(planHead.show(plan, undefined), { event: 'plano' });
          if (message !== sent) stream.send(message);
          sent = message;
          if (plan.state !== 'running') return stream.close();
          await sleep(PROGRESS_MS, undefined, { ref: false });
        }
      };
      // The client reconnects and receives the state it missed.
      void follow().catch(() => stream.close());
      return () => {
        isOpen = false;
      };
    });
  },
});

interface Reader {
  drivers: ReadonlyMap<number, string>;
  language: Language;
}

const driverOf = one(namedDriver, ({ driverId }: { driverId: number }, { drivers }: Reader) => ({
  id: driverId,
  name: drivers.get(driverId) ?? '',
}));

const appliedShown = view<AppliedPlan['applied'][number], Reader>()({
  entrega: id((each) => each.deliveryId, '1042'),
  condutor: driverOf,
  status: code(fullStatusCode)((each) => each.status, 'G'),
});

const refusedShown = view<AppliedPlan['refused'][number], Reader>()({
  entrega: id((each) => each.deliveryId, '1043'),
  condutor: driverOf,
  motivo: code(codesOf(notAppliedWords))((each) => each.reason, 'com_outro'),
  texto: text((each, { language }) => notAppliedWords[each.reason][language], notAppliedWords.taken.pt),
});

const applicationShown = view<AppliedPlan & { id: number }, Reader>()({
  id: id((plan) => plan.id, '17'),
  desfazer_ate: instant((plan) => plan.undoUntil, '2026-11-16T15:02:00Z'),
  aplicadas: list(appliedShown, (plan) => plan.applied),
  recusadas: list(refusedShown, (plan) => plan.refused, { description: 'o que não cabe mais, e por quê' }),
});

const applyPlanEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/planos/:id/aplicar',
  summary: 'Aplicar um plano',
  description: [
    'De uma vez, todas as rotas ou só as de `entregadores`. O que mudou desde o cálculo de um jeito que o plano não permite fica como está e vem em `recusadas` com o motivo. Repetir não faz nada duas vezes: o que já foi aplicado é respondido de novo.',
    'Como `oferta`, cada entregador recebe as suas entregas como uma corrida: ao aceitar uma, aceita todas, na ordem do plano. Como `atribuicao`, elas são dele sem perguntar. O que outro entregador tinha aceitado é passado adiante nos dois casos. Sem `modo`, vale a configuração `plano_chega_como`.',
  ].join('\n\n'),
  refusals: ['plan-not-found', 'plan-not-ready'],
  body: Type.Object({
    entregadores: Type.Optional(Type.Array(sentId(), { minItems: 1, maxItems: DRIVERS_MAX })),
    modo: Type.Optional(Type.Enum(Object.values(planByCode))),
  }),
  bodyExample: { modo: 'oferta' },
  ...answerWith(applicationShown),
  async handle({ deps, caller, params, body, language }) {
    const planId = params.id!;
    const applied = await applyPlan(deps, caller, planId, {
      driverIds: body.entregadores ?? null,
      way: body.modo && planByByCode[body.modo],
      reason: `Plano ${planId}`,
    });
    const driverIds = [...applied.applied, ...applied.refused].map(({ driverId }) => driverId);
    const drivers = await findDriverNames(deps.db, caller.centralId, driverIds);
    return { data: applicationShown.show({ ...applied, id: planId }, { drivers, language }) };
  },
});

const keptShown = view<UndonePlan['kept'][number], { language: Language }>()({
  entrega: id((each) => each.deliveryId, '1043'),
  motivo: code(codesOf(notUndoneWords))((each) => each.reason, 'aceita'),
  texto: text((each, { language }) => notUndoneWords[each.reason][language], notUndoneWords.accepted.pt),
});

const undoneShown = view<UndonePlan & { id: number }, { language: Language }>()({
  id: id((plan) => plan.id, '17'),
  desfeitas: list(oneId, (plan) => plan.undone),
  mantidas: list(keptShown, (plan) => plan.kept),
});

const undoPlanEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/planos/:id/desfazer',
  summary: 'Desfazer um plano aplicado',
  description:
    'Até um minuto depois de aplicar. Ofertas abertas são retiradas, o que foi atribuído volta à busca e o que foi passado adiante volta a quem o tinha. O que um entregador aceitou ou começou fica como está, em `mantidas`.',
  refusals: ['plan-not-found', 'plan-not-applied', 'plan-undo-over'],
  ...answerWith(undoneShown),
  async handle({ deps, caller, params, language }) {
    const planId = params.id!;
    const undone = await undoPlan(deps, caller, planId, `Plano ${planId} desfeito`);
    return { data: undoneShown.show({ ...undone, id: planId }, { language }) };
  },
});

export const planEndpoints = [
  startPlanEndpoint,
  listPlansEndpoint,
  getPlanEndpoint,
  watchPlanEndpoint,
  applyPlanEndpoint,
  undoPlanEndpoint,
];
