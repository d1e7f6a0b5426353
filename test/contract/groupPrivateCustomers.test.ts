import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start as startOn } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

// Contract 7.2, scheduled deliveries of different companies: two private customers are not the same company.
const malote = await startMalote();
const { central, operator } = malote;

const RITA = { cliente: { nome: 'Rita', cpf: '52998224725', telefone: '51999990001' } };
const PAULO = { cliente: { nome: 'Paulo', cpf: '11144477735', telefone: '51999990002' } };
const BY_OTHER_NAME = { cliente: { nome: 'Rita de Cássia', cpf: '529.982.247-25', telefone: '51999990003' } };
const CATEGORY = { categoria_id: 1 };

const plan = (who: object) => schedule(central, { ...CATEGORY, ...who });
const start = (who: object) => startOn(malote, { ...CATEGORY, ...who }, { by: central });
const DIFFERENT = /clientes ou de empresas diferentes$/;

test('scheduled into scheduled: different people are 422, and nothing changes', async () => {
  const [rita, paulo] = [await plan(RITA), await plan(PAULO)];
  const answer = await central.post(`/entregas/programadas/${rita}/agrupar`, {
    programadas_agrupadas: [paulo],
  });
  assertRefused(answer, 422, DIFFERENT);
  const english = await central.post(
    `/entregas/programadas/${rita}/agrupar`,
    { programadas_agrupadas: [paulo] },
    { 'accept-language': 'en' },
  );
  assert.match(english.body.errors[0].message, /different customers or different companies$/);
  for (const id of [rita, paulo]) assert.equal((await readScheduled(central, id)).situacao, 'A');
  assertRefused(
    await operator.post(`/programadas/${rita}/simular-agrupamento`, { programadas_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
});

test('scheduled and running into running: different people are 422', async () => {
  const [rita, paulo, waiting] = [await start(RITA), await start(PAULO), await plan(PAULO)];
  assertRefused(
    await central.post(`/entregas/${rita}/agrupar/programadas`, { programadas_agrupadas: [waiting] }),
    422,
    DIFFERENT,
  );
  assertRefused(
    await central.post(`/entregas/${rita}/agrupar`, { solicitacoes_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
  assertRefused(
    await operator.post(`/entregas/${rita}/simular-agrupamento`, { solicitacoes_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
});

test('a person and a company are as different as ever', async () => {
  const [rita, company] = [await start(RITA), await startOn(malote)];
  assertRefused(
    await central.post(`/entregas/${company}/agrupar`, { solicitacoes_agrupadas: [rita] }),
    422,
    DIFFERENT,
  );
});

test('the same person, known by the CPF, can be grouped in all three ways', async () => {
  const [first, second] = [await plan(RITA), await plan(BY_OTHER_NAME)];
  assertOk(await central.post(`/entregas/programadas/${first}/agrupar`, { programadas_agrupadas: [second] }));
  const running = await start(RITA);
  assertOk(
    await central.post(`/entregas/${running}/agrupar`, {
      solicitacoes_agrupadas: [await start(BY_OTHER_NAME)],
    }),
  );
  assertOk(
    await central.post(`/entregas/${running}/agrupar/programadas`, {
      programadas_agrupadas: [await plan(BY_OTHER_NAME)],
    }),
  );
});
