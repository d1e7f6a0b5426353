import type { LeftOutReason, NotAppliedReason, NotUndoneReason } from '../../../dispatch/plans/plan.ts';
import type { Language } from '../../http/envelope.ts';

type Words = Readonly<Record<Language, string>> & { code: string };

/** The code and the words of each reason. */
export const leftOutWords = {
  'no-drivers': {
    code: 'sem_entregadores',
    pt: 'nenhum entregador em serviço com posição recente',
    en: 'no driver on duty with a recent position',
  },
  'locked-driver-absent': {
    code: 'travada_sem_entregador',
    pt: 'está travada com um entregador que não participa do plano',
    en: 'it is locked to a driver who takes no part in the plan',
  },
  'no-driver-with-skills': {
    code: 'ninguem_atende',
    pt: 'nenhum entregador atende a categoria e a empresa, ou todos já a recusaram',
    en: 'no driver serves the category and the company, or all of them refused it',
  },
  'no-driver-with-capacity': {
    code: 'nao_cabe',
    pt: 'não cabe no que nenhum entregador pode levar',
    en: 'it exceeds what any driver can carry',
  },
  unreachable: {
    code: 'sem_caminho',
    pt: 'não há caminho até a coleta ou entre as paradas',
    en: 'there is no way to the pickup or between the stops',
  },
  'window-impossible': {
    code: 'janela_impossivel',
    pt: 'ninguém chegaria dentro da janela pedida, nem estando livre',
    en: 'nobody would arrive within the window asked for, even without other work',
  },
  'no-shift-then': {
    code: 'sem_turno',
    pt: 'nenhum turno tem tempo bastante para ela',
    en: 'no shift has enough time for it',
  },
  'drivers-occupied': {
    code: 'todos_ocupados',
    pt: 'as outras paradas não deixam lugar para ela',
    en: 'the other stops leave no room for it',
  },
  'out-of-time': {
    code: 'tempo_esgotado',
    pt: 'o tempo do cálculo acabou antes da vez dela; dê mais segundos ao plano',
    en: 'the time of the computation ended before its turn; give the plan more seconds',
  },
  'not-open': { code: 'encerrada', pt: 'já terminou', en: 'it is over' },
  'in-progress': {
    code: 'em_andamento',
    pt: 'um entregador já está com os pedidos',
    en: 'a driver already has the goods',
  },
  arrived: {
    code: 'na_coleta',
    pt: 'o entregador já está na coleta',
    en: 'the driver is already at the pickup',
  },
  'awaiting-release': {
    code: 'aguarda_liberacao',
    pt: 'aguarda a liberação da central',
    en: 'it awaits the release by the central',
  },
  grouped: { code: 'agrupada', pt: 'segue com outra entrega', en: 'it goes with another delivery' },
} as const satisfies Record<LeftOutReason, Words>;

export const notAppliedWords = {
  over: { code: 'encerrada', pt: 'já terminou ou foi cancelada', en: 'it is over or was cancelled' },
  taken: {
    code: 'com_outro',
    pt: 'está com outro entregador agora',
    en: 'another driver has it now',
  },
  'awaiting-release': leftOutWords['awaiting-release'],
  grouped: leftOutWords.grouped,
  begun: {
    code: 'iniciada',
    pt: 'um entregador já está na coleta ou a caminho das paradas',
    en: 'a driver is already at the pickup or on the way to the stops',
  },
  edited: {
    code: 'alterada',
    pt: 'foi alterada depois do plano',
    en: 'it was changed after the plan was made',
  },
  'window-passed': {
    code: 'janela_perdida',
    pt: 'passou tempo demais: a janela não seria mais cumprida',
    en: 'too much time has passed: the window would not be kept any more',
  },
  'driver-off-duty': {
    code: 'entregador_fora_de_servico',
    pt: 'o entregador saiu de serviço',
    en: 'the driver went off duty',
  },
  'driver-inactive': {
    code: 'entregador_inativo',
    pt: 'o entregador está inativo',
    en: 'the driver is inactive',
  },
  'driver-changed': {
    code: 'entregador_nao_atende',
    pt: 'o entregador não atende mais a categoria ou a empresa',
    en: 'the driver does not serve the category or the company any more',
  },
  'driver-has-more': {
    code: 'entregador_com_outra',
    pt: 'o entregador recebeu outra entrega depois do plano',
    en: 'the driver got another delivery after the plan was made',
  },
} as const satisfies Record<NotAppliedReason, Words>;

export const notUndoneWords = {
  begun: notAppliedWords.begun,
  accepted: {
    code: 'aceita',
    pt: 'o entregador já a aceitou',
    en: 'the driver has accepted it',
  },
  elsewhere: {
    code: 'mudou',
    pt: 'mudou depois de aplicada, e ficou como está',
    en: 'it changed after it was applied, and stays as it is',
  },
} as const satisfies Record<NotUndoneReason, Words>;

/** The codes of a table of words. */
export const codesOf = <Reason extends string>(
  words: Readonly<Record<Reason, Words>>,
): Readonly<Record<Reason, string>> =>
  Object.fromEntries(Object.entries<Words>(words).map(([reason, { code }]) => [reason, code])) as Record<
    Reason,
    string
  >;
