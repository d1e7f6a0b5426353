import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ClaimPurpose, ClaimTarget } from '../../server/src/dispatch/grouping/claimStore.ts';
import type { Answer } from './client.ts';
import { everything, start } from './grouping.ts';
import type { TestMalote } from './malote.ts';
import { runText } from './runText.ts';
import { schedule } from './scheduled.ts';
import type { TestRouters } from './testRouters.ts';

export type Endpoint = '4.2' | '4.6' | '4.7';

/** A grouping that would succeed until conditions that forbid it are arranged. */
interface Scene {
  malote: TestMalote;
  routers: TestRouters;
  endpoint: Endpoint;
  grouper: ClaimTarget;
  listed: ClaimTarget[];
  claimed: Set<ClaimTarget>;
  pathId: number;
  body: Record<string, unknown>;
  apiKey: string | undefined;
  /** The state before the grouping was requested. */
  before: Awaited<ReturnType<typeof everything>>;
}

export interface Condition {
  name: string;
  status: number;
  code: 0 | 2;
  pt: RegExp;
  en: RegExp;
  /** The endpoints on which the condition can occur; all by default. */
  only?: readonly Endpoint[];
  /** Conditions that cannot hold together with this one. */
  never?: readonly string[];
  arrange(scene: Scene): unknown;
}

const update = (scene: Scene, { noun, id }: ClaimTarget, changes: string, values: unknown[] = []) =>
  runText(
    scene.malote.db,
    `update ${noun === 'scheduled' ? 'scheduled' : 'deliveries'} set ${changes} where central_id = 1 and id = $1`,
    [id, ...values],
  );

const all = (scene: Scene): ClaimTarget[] => [scene.grouper, ...scene.listed];
const firstScheduled = (scene: Scene): ClaimTarget => all(scene).find(({ noun }) => noun === 'scheduled')!;

async function claimFor(scene: Scene, purpose: ClaimPurpose, candidates: ClaimTarget[]): Promise<void> {
  const target = candidates.find((candidate) => !scene.claimed.has(candidate))!;
  scene.claimed.add(target);
  await scene.malote.db`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (1, ${target.noun}, ${target.id}, ${purpose}, ${randomUUID()},
      ${scene.malote.clock.now().add({ seconds: 1 })})`;
}

const LISTS: Record<Endpoint, string> = {
  '4.2': 'programadas_agrupadas',
  '4.6': 'programadas_agrupadas',
  '4.7': 'solicitacoes_agrupadas',
};

/** Contract 7.2, in its order: when several hold, the first one is answered. */
const conditions: readonly Condition[] = [
  {
    name: 'the central is not identified',
    status: 401,
    code: 0,
    pt: /^central \(bandeira\) não identificada/,
    en: /^central \(bandeira\) not identified/,
    arrange: (scene) => {
      scene.apiKey = undefined;
    },
  },
  {
    name: 'the list is missing',
    status: 400,
    code: 2,
    pt: /^'(programadas|solicitacoes)_agrupadas': é obrigatório$/,
    en: /^'(programadas|solicitacoes)_agrupadas': is required$/,
    never: ['the list is empty'],
    arrange: (scene) => {
      delete scene.body[LISTS[scene.endpoint]];
    },
  },
  {
    name: 'the list is empty',
    status: 400,
    code: 2,
    pt: /^'(programadas|solicitacoes)_agrupadas': deve ter ao menos 1 item$/,
    en: /^'(programadas|solicitacoes)_agrupadas': must have at least 1 item$/,
    never: ['the list is missing'],
    arrange: (scene) => {
      scene.body[LISTS[scene.endpoint]] = [];
    },
  },
  {
    name: 'the grouper does not exist',
    status: 404,
    code: 0,
    pt: /^entrega (programada )?não encontrada$/,
    en: /^(scheduled )?delivery not found$/,
    arrange: (scene) => {
      scene.pathId = 9_999_999;
    },
  },
  {
    name: 'a grouping is in progress',
    status: 409,
    code: 0,
    pt: /já existe um agrupamento em andamento/,
    en: /a grouping is already in progress/,
    arrange: (scene) => claimFor(scene, 'grouping', all(scene)),
  },
  {
    name: 'the automatic merge is at work',
    status: 400,
    code: 0,
    pt: /em uso pelo agrupamento automático e será liberada em instantes$/,
    en: /used by the automatic merge and will be released shortly$/,
    only: ['4.2', '4.6'],
    arrange: (scene) =>
      claimFor(
        scene,
        'automatic_merge',
        all(scene).filter(({ noun }) => noun === 'scheduled'),
      ),
  },
  {
    name: 'one was grouped automatically',
    status: 400,
    code: 0,
    pt: /já foi agrupada automaticamente e não pode ser alterada$/,
    en: /already grouped automatically and cannot be changed$/,
    only: ['4.2', '4.6'],
    arrange: (scene) => update(scene, firstScheduled(scene), 'grouped_automatically = true'),
  },
  {
    name: 'one is not in the right state',
    status: 406,
    code: 0,
    pt: /^a entrega (programada \d+ não está aguardando disparo|\d+ não está em andamento)$/,
    en: /^(scheduled delivery \d+ is not awaiting dispatch|delivery \d+ is not in progress)$/,
    arrange: (scene) =>
      update(
        scene,
        scene.grouper,
        scene.grouper.noun === 'scheduled' ? `situation = 'cancelled'` : `status = 'accepted'`,
      ),
  },
  {
    name: 'there are fewer than 2 orders',
    status: 409,
    code: 0,
    pt: /ao menos 2 pedidos/,
    en: /at least 2 orders/,
    // The list of 4.6 has at least one entry, so there are always two requests.
    only: ['4.2', '4.7'],
    never: ['the companies differ', 'the pickups differ'],
    arrange: (scene) => {
      scene.body[LISTS[scene.endpoint]] = [scene.grouper.id, scene.grouper.id];
    },
  },
  {
    name: 'the companies differ',
    status: 422,
    code: 0,
    pt: /empresas diferentes$/,
    en: /different companies$/,
    arrange: (scene) => update(scene, scene.listed.at(-1)!, 'company_id = 2'),
  },
  {
    name: 'the pickups differ',
    status: 422,
    code: 0,
    pt: /endereços de coleta são diferentes$/,
    en: /pickup addresses are different$/,
    arrange: (scene) => update(scene, scene.listed.at(-1)!, 'pickup_lat = pickup_lat + 0.0001'),
  },
  {
    name: 'one has no more than 60 seconds to dispatch',
    status: 422,
    code: 0,
    pt: /^falta menos de 60 segundos para o disparo do pedido \d+$/,
    en: /^order \d+ has less than 60 seconds to dispatch$/,
    only: ['4.2', '4.6'],
    arrange: (scene) =>
      update(scene, firstScheduled(scene), 'dispatch_at = $2', [
        scene.malote.clock.now().add({ seconds: 60 }),
      ]),
  },
  {
    name: 'there would be more than 10 stops',
    status: 400,
    code: 0,
    pt: /no máximo 10 paradas e teria 1[24]$/,
    en: /at most 10 stops and this one would have 1[24]$/,
    arrange: (scene) => addElevenStops(scene),
  },
  {
    name: 'the estimate cannot be computed',
    status: 422,
    code: 0,
    pt: /^não foi possível calcular a estimativa$/,
    en: /^the estimate could not be computed$/,
    arrange: (scene) => scene.routers.fail(),
  },
  {
    name: 'one changes meanwhile',
    status: 400,
    code: 0,
    pt: /^a solicitação agrupada não pôde ser salva/,
    en: /^the grouped request could not be saved/,
    arrange: (scene) =>
      scene.routers.whileAsked(async () => {
        await update(scene, scene.grouper, 'version = version + 1');
        scene.before = { ...(await everything(scene.malote)), claims: scene.before.claims };
      }),
  },
];

/** More stops than a request can be created with, so that the limit is exceeded without a list too. */
async function addElevenStops({ malote, grouper }: Scene): Promise<void> {
  const scheduled = grouper.noun === 'scheduled';
  const carrier = scheduled ? 'scheduled_id' : 'delivery_id';
  const stopIds = await malote.db.newIds(1, 'stop', 11);
  await runText(
    malote.db,
    `insert into ${scheduled ? 'scheduled_stops' : 'stops'} (central_id, id, ${carrier}, ordered_with, position,
       address, district, city, state, lat, lng${scheduled ? '' : ', tracking_token'})
     select 1, ($2::bigint[])[n], $1, $1, n, 'Rua A, 1', 'Centro', 'Porto Alegre', 'RS', -30.05, -51.2
       ${scheduled ? '' : ', gen_random_uuid()::text'}
     from generate_series(1, 11) n`,
    [grouper.id, stopIds],
  );
}

async function newScene(malote: TestMalote, routers: TestRouters, endpoint: Endpoint): Promise<Scene> {
  const ofCompany = { empresa_id: 1 };
  const scheduled = async (): Promise<ClaimTarget> => ({
    noun: 'scheduled',
    id: await schedule(malote.central, ofCompany),
  });
  const delivery = async (): Promise<ClaimTarget> => ({
    noun: 'delivery',
    id: await start(malote, ofCompany, { by: malote.central }),
  });
  const grouper = endpoint === '4.2' ? await scheduled() : await delivery();
  const listed = {
    '4.2': async () => [await scheduled(), await scheduled()],
    '4.6': async () => [await scheduled(), await delivery()],
    '4.7': async () => [await delivery(), await delivery()],
  };
  const others = await listed[endpoint]();
  const idsOf = (noun: ClaimTarget['noun']) =>
    others.filter((other) => other.noun === noun).map(({ id }) => id);
  const body: Record<string, unknown> = {};
  if (endpoint !== '4.7') body.programadas_agrupadas = idsOf('scheduled');
  if (endpoint !== '4.2') body.solicitacoes_agrupadas = idsOf('delivery');
  return {
    malote,
    routers,
    endpoint,
    grouper,
    listed: others,
    claimed: new Set(),
    pathId: grouper.id,
    body,
    apiKey: 'demo-chave',
    before: { claims: [], marks: {} },
  };
}

const PATHS: Record<Endpoint, (id: number) => string> = {
  '4.2': (id) => `/entregas/programadas/${id}/agrupar`,
  '4.6': (id) => `/entregas/${id}/agrupar/programadas`,
  '4.7': (id) => `/entregas/${id}/agrupar`,
};

interface Asking {
  languages?: readonly ('pt' | 'en')[];
  /** Requests the operator's preview of the grouping instead of the grouping. */
  preview?: boolean;
}

const ask = (
  { malote, endpoint, pathId, body, apiKey }: Scene,
  language: 'pt' | 'en',
  preview: boolean,
): Promise<Answer> => {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': apiKey, 'accept-language': language },
    body: JSON.stringify(body),
  } as const;
  return preview
    ? malote.operator.send(
        `/${endpoint === '4.2' ? 'programadas' : 'entregas'}/${pathId}/simular-agrupamento`,
        request,
      )
    : malote.central.send(PATHS[endpoint](pathId), request);
};

/**
 * Requests a grouping that all these conditions forbid. The first condition must be answered, and no row may change.
 */
export async function assertFirstIsAnswered(
  malote: TestMalote,
  routers: TestRouters,
  endpoint: Endpoint,
  holding: readonly [Condition, ...Condition[]],
  { languages = ['pt'], preview = false }: Asking = {},
): Promise<void> {
  const scene = await newScene(malote, routers, endpoint);
  // Arranged in reverse, so that an earlier condition overrides what a later one sends.
  for (const condition of holding.toReversed()) await condition.arrange(scene);
  scene.before = await everything(malote);
  try {
    for (const language of languages) {
      const [{ status, code, [language]: words }] = holding;
      const answer = await ask(scene, language, preview);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.success, false);
      assert.equal(answer.body.errors.length, 1);
      assert.equal(answer.body.errors[0].code, code);
      assert.match(answer.body.errors[0].message, words);
      assert.deepEqual(await everything(malote), scene.before);
    }
  } finally {
    routers.restore();
  }
}

export const conditionsOf = (endpoint: Endpoint): Condition[] =>
  conditions.filter(({ only }) => !only || only.includes(endpoint));

const canHoldTogether = (first: Condition, second: Condition): boolean => !first.never?.includes(second.name);

/**
 * Each condition with those that follow it at once. The order is one of checks in a row, so that these pairs prove it:
 * whichever check is moved, two of them change places.
 */
export function pairsOf(endpoint: Endpoint): [Condition, Condition][] {
  const some = conditionsOf(endpoint);
  return some.flatMap((first, index) => {
    const later = some.slice(index + 1).filter((second) => canHoldTogether(first, second));
    return later
      .filter((second, place) => !later.slice(0, place).some((between) => canHoldTogether(between, second)))
      .map((second): [Condition, Condition] => [first, second]);
  });
}
