import type {
  LeftOut,
  LeftOutReason,
  NotAppliedReason,
  NotUndoneReason,
} from '../../../dispatch/plans/plan.ts';
import type { Equipment } from '../../../platform/kernel/load.ts';
import type { Language } from '../../http/envelope.ts';

type Words = Readonly<Record<Language, string>> & { code: string };

/**
 * The code and the words of each reason. `{until}` becomes until when the delivery should be there, and nothing where
 * that is not known.
 */
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
    pt: 'quem atende a categoria e a empresa não tem o que ela pede, ou já a recusou',
    en: 'those who serve the category and the company lack what it needs, or refused it',
  },
  'no-driver-of-category': {
    code: 'sem_categoria',
    pt: 'nenhum entregador da categoria dela{until}',
    en: 'no driver of its category{until}',
  },
  'no-driver-of-company': {
    code: 'sem_empresa',
    pt: 'nenhum entregador da categoria atende a empresa dela{until}',
    en: 'no driver of the category works for its company{until}',
  },
  'no-driver-with-equipment': {
    code: 'sem_equipamento',
    pt: 'nenhum entregador com {equipment}{until}',
    en: 'no driver with {equipment}{until}',
  },
  'refused-by-all': {
    code: 'recusada_por_todos',
    pt: 'todos os que poderiam levá-la já a recusaram',
    en: 'all who could carry it have refused it',
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
    pt: 'ninguém chegaria na janela pedida{until}, nem estando livre',
    en: 'nobody would arrive within the window asked for{until}, even without other work',
  },
  'no-shift-then': {
    code: 'sem_turno',
    pt: 'nenhum turno tem tempo bastante para ela{until}',
    en: 'no shift has enough time for it{until}',
  },
  'drivers-occupied': {
    code: 'todos_ocupados',
    pt: 'as outras paradas não deixam lugar para ela{until}',
    en: 'the other stops leave no room for it{until}',
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
    pt: 'passou tempo demais: a janela ou o turno não seria mais cumprido',
    en: 'too much time has passed: the window or the shift would not be kept any more',
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

const equipmentWords: Readonly<Record<Equipment, Readonly<Record<Language, string>>>> = {
  thermal_bag: { pt: 'bag térmica', en: 'a thermal bag' },
  box: { pt: 'baú', en: 'a box' },
  thermal_box: { pt: 'baú térmico', en: 'a thermal box' },
};
const joining = { pt: ' e ', en: ' and ' } as const;
const by = { pt: ' até ', en: ' by ' } as const;

/** Why a delivery was left out, in words. */
export function leftOutText(
  { reason, equipment = [], until }: LeftOut,
  { language, timeZone }: { language: Language; timeZone: string },
): string {
  const time =
    until === undefined
      ? ''
      : by[language] +
        Temporal.Instant.fromEpochMilliseconds(until * 1000)
          .toZonedDateTimeISO(timeZone)
          .toPlainTime()
          .toString({ smallestUnit: 'minute' });
  return leftOutWords[reason][language]
    .replace('{equipment}', equipment.map((each) => equipmentWords[each][language]).join(joining[language]))
    .replace('{until}', time);
}

/** The codes of a table of words. */
export const codesOf = <Reason extends string>(
  words: Readonly<Record<Reason, Words>>,
): Readonly<Record<Reason, string>> =>
  Object.fromEntries(Object.entries<Words>(words).map(([reason, { code }]) => [reason, code])) as Record<
    Reason,
    string
  >;
