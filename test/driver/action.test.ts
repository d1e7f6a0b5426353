import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, laneOf, requestOf } from '../../web/driver/src/core/action.ts';

const WHEN = '2026-11-16T15:00:00Z';
const when = { ocorrido_em: WHEN };
const bytes = new Uint8Array([1]);

const cases: [Action, method: string, path: string, body: unknown][] = [
  [{ kind: 'arrive-pickup', deliveryId: '7' }, 'POST', '/entregas/7/chegar', when],
  [{ kind: 'start', deliveryId: '7' }, 'POST', '/entregas/7/iniciar', when],
  [
    { kind: 'arrive-stop', deliveryId: '7', stopId: '9', visit: 1 },
    'POST',
    '/entregas/7/paradas/9/chegar',
    { tentativa: 1, ...when },
  ],
  [
    { kind: 'proof', deliveryId: '7', stopId: '9', type: 'foto', mediaType: 'image/jpeg', bytes },
    'PUT',
    '/entregas/7/paradas/9/comprovantes/foto?ocorrido_em=2026-11-16T15%3A00%3A00Z',
    undefined,
  ],
  [
    { kind: 'conclude', deliveryId: '7', stopId: '9', body: { codigo_confirmacao: 4821 } },
    'POST',
    '/entregas/7/paradas/9/concluir',
    { codigo_confirmacao: 4821, ...when },
  ],
  [
    { kind: 'fail', deliveryId: '7', stopId: '9', visit: 2, body: { motivo: 'ausente' } },
    'POST',
    '/entregas/7/paradas/9/falhar',
    { motivo: 'ausente', tentativa: 2, ...when },
  ],
  [{ kind: 'finish', deliveryId: '7' }, 'POST', '/entregas/7/finalizar', when],
  [{ kind: 'give-up', deliveryId: '7' }, 'POST', '/entregas/7/desistir', when],
  [{ kind: 'duty', available: true }, 'POST', '/condutores/1/disponibilidade', { disponivel: true }],
  [
    { kind: 'help', about: '7', text: 'Pneu furado' },
    'POST',
    '/condutores/1/ajuda',
    { id_mch: 7, texto: 'Pneu furado' },
  ],
];

for (const [action, method, path, body] of cases)
  test(`${action.kind} is sent as ${method} ${path}`, () => {
    const request = requestOf(action, '1', WHEN);
    assert.deepEqual([request.method, request.path, request.body], [method, path, body]);
    assert.equal(request.image?.bytes, action.kind === 'proof' ? bytes : undefined);
    assert.equal(laneOf(action), 'deliveryId' in action ? 'delivery 7' : action.kind);
  });
