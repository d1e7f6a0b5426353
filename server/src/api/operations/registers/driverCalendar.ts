import Type, { type Static } from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { hasDriver } from '../../../centrals/deviceStore.ts';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import {
  type DriverCalendar,
  findOverlapInWeek,
  MINUTES_OF_DAY,
  overlapInDay,
  type Shift,
  type Span,
} from '../../../registers/drivers/calendar.ts';
import { deleteCalendar, findCalendar, saveCalendar } from '../../../registers/drivers/calendarStore.ts';
import { lockDriver } from '../../../registers/drivers/driverStore.ts';
import { type AppDeps, type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import { dataAnswer } from '../../json/values.ts';

const SHIFTS_OF_DAY_MAX = 4;
const SHIFTS_OF_WEEK_MAX = 7 * SHIFTS_OF_DAY_MAX;
const BREAKS_MAX = 4;
const DAYS_MAX = 60;

const time = formatted('hour-minute', 'HH:MM no fuso da central');
const spanFields = { inicio: time, fim: time };
const shiftFields = {
  ...spanFields,
  pausas: Type.Optional(
    Type.Array(Type.Object(spanFields), { maxItems: BREAKS_MAX, description: 'dentro do turno' }),
  ),
};

const Body = Type.Object({
  semana: Type.Array(
    Type.Object({
      dia: Type.Integer({ minimum: 1, maximum: 7, description: '1 segunda-feira a 7 domingo' }),
      ...shiftFields,
    }),
    { maxItems: SHIFTS_OF_WEEK_MAX, description: 'os turnos de todas as semanas' },
  ),
  dias: Type.Optional(
    Type.Array(
      Type.Object({
        data: formatted('iso-date', 'AAAA-MM-DD'),
        turnos: Type.Array(Type.Object(shiftFields), {
          maxItems: SHIFTS_OF_DAY_MAX,
          description: 'no lugar dos turnos da semana; lista vazia: folga',
        }),
      }),
      { maxItems: DAYS_MAX, description: 'datas com outros turnos; as que já passaram não são guardadas' },
    ),
  ),
});

const shiftShown = { inicio: Type.String(), fim: Type.String() };
const shiftAnswer = { ...shiftShown, pausas: Type.Array(Type.Object(shiftShown)) };
const Answer = Type.Object({
  mantidos: Type.Boolean({
    description: 'false: a central não mantém turnos dele, e ele recebe ofertas sempre que está disponível',
  }),
  semana: Type.Array(Type.Object({ dia: Type.Integer(), ...shiftAnswer })),
  dias: Type.Array(Type.Object({ data: Type.String(), turnos: Type.Array(Type.Object(shiftAnswer)) })),
});

const bodyExample: Static<typeof Body> = {
  semana: [
    { dia: 5, inicio: '18:00', fim: '02:00', pausas: [{ inicio: '21:00', fim: '21:30' }] },
    { dia: 6, inicio: '18:00', fim: '02:00', pausas: [] },
  ],
  dias: [{ data: '2027-12-24', turnos: [] }],
};
const answerExample = {
  success: true as const,
  data: {
    mantidos: true,
    semana: bodyExample.semana.map((shift) => ({ ...shift, pausas: shift.pausas ?? [] })),
    dias: [{ data: '2027-12-24', turnos: [] }],
  },
};

const minuteOf = (text: string): number => 60 * Number(text.slice(0, 2)) + Number(text.slice(3));

/** What ends at or before its begin ends on the next day. What begins before `earliest` begins on the next day. */
function parseSpan({ inicio, fim }: { inicio: string; fim: string }, earliest = 0): Span {
  const begin = minuteOf(inicio);
  const from = begin < earliest ? begin + MINUTES_OF_DAY : begin;
  const end = minuteOf(fim);
  return { from, until: end + MINUTES_OF_DAY * Math.max(0, Math.floor((from - end) / MINUTES_OF_DAY) + 1) };
}

function parseShift(sent: SentShift, field: string): Shift {
  const shift = parseSpan(sent);
  const breaks = (sent.pausas ?? [])
    .map((each) => parseSpan(each, shift.from))
    .toSorted((a, b) => a.from - b.from);
  const isOutside = breaks.some(({ until }) => until > shift.until);
  if (isOutside || overlapInDay(breaks))
    throw invalid(
      `${field}.pausas`,
      'as pausas ficam dentro do turno, sem se sobrepor',
      'breaks are within the shift and do not overlap',
    );
  return { ...shift, breaks };
}

type SentShift = NonNullable<Static<typeof Body>['dias']>[number]['turnos'][number];

function parseCalendar(
  { semana, dias = [] }: Static<typeof Body>,
  today: Temporal.PlainDate,
): DriverCalendar {
  const overlapping = (field: string) => invalid(field, 'há turnos que se sobrepõem', 'some shifts overlap');
  const week = semana.map((each, index) => ({
    weekday: each.dia,
    ...parseShift(each, `semana[${index}]`),
  }));
  if (findOverlapInWeek(week)) throw overlapping('semana');
  const days = dias.map(({ data, turnos }, index) => {
    const shifts = turnos.map((each, nth) => parseShift(each, `dias[${index}].turnos[${nth}]`));
    if (overlapInDay(shifts)) throw overlapping(`dias[${index}].turnos`);
    return { day: data, shifts };
  });
  const repeated = days.findIndex(({ day }, index) => days.findIndex((other) => other.day === day) < index);
  if (repeated !== -1)
    throw invalid(
      `dias[${repeated}].data`,
      'a data aparece mais de uma vez',
      'the date appears more than once',
    );
  // A shift that began yesterday may still run.
  const first = today.subtract({ days: 1 }).toString();
  return {
    week: week.toSorted((a, b) => a.weekday - b.weekday || a.from - b.from),
    days: days.filter(({ day }) => day >= first).toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

const two = (number: number): string => String(number).padStart(2, '0');
const timeOf = (minute: number): string => `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
const formatSpan = ({ from, until }: Span) => ({ inicio: timeOf(from), fim: timeOf(until) });
const formatShift = (shift: Shift) => ({ ...formatSpan(shift), pausas: shift.breaks.map(formatSpan) });

const formatCalendar = (calendar: DriverCalendar | null): Static<typeof Answer> => ({
  mantidos: calendar !== null,
  semana: (calendar?.week ?? []).map((shift) => ({ dia: shift.weekday, ...formatShift(shift) })),
  dias: (calendar?.days ?? []).map(({ day, shifts }) => ({ data: day, turnos: shifts.map(formatShift) })),
});

/** Under the driver's lock, so that the former calendar in the audit log is right. */
const change = (
  { db, clock }: AppDeps,
  caller: Caller,
  driverId: number,
  save: (tx: Tx) => Promise<DriverCalendar | null>,
) =>
  db.begin(async (tx) => {
    const { centralId } = caller;
    const { name } = await lockDriver(tx, centralId, driverId);
    const before = await findCalendar(tx, centralId, driverId);
    const after = await save(tx);
    await recordChange(tx, changeActor(caller, clock.now(), 'operations'), {
      subject: 'driver',
      id: driverId,
      name,
      before: { turnos: formatCalendar(before) },
      after: { turnos: formatCalendar(after) },
    });
    return { data: formatCalendar(after) };
  });

const shared = {
  path: '/condutores/:id/turnos',
  tag: 'Operação: entregadores',
  limit: 'operations',
  refusals: ['driver-not-found'],
  answer: dataAnswer(Answer),
  answerExample,
} as const;

export const driverCalendarEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    permission: 'registers-read',
    summary: 'Ler os turnos de um entregador',
    description: 'Os turnos de cada dia da semana, com pausas, e as datas que têm outros.',
    async handle({ deps: { db }, caller: { centralId }, params }) {
      if (!(await hasDriver(db, centralId, params.id!))) throw new Refusal('driver-not-found');
      return { data: formatCalendar(await findCalendar(db, centralId, params.id!)) };
    },
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    permission: 'drivers',
    summary: 'Definir os turnos de um entregador',
    description:
      'Substitui todos. Fora do turno e nas pausas ele não recebe ofertas automáticas, mesmo disponível; um operador ' +
      'ainda pode passar uma entrega a ele. Um turno que termina antes de começar passa da meia-noite. Os horários ' +
      'são os do relógio da central.',
    body: Body,
    bodyExample,
    handle: ({ deps, caller, params, body }) => {
      const today = deps.clock.now().toZonedDateTimeISO(caller.central.timeZone).toPlainDate();
      const calendar = parseCalendar(body, today);
      return change(deps, caller, params.id!, async (tx) => {
        await saveCalendar(tx, caller.centralId, params.id!, calendar);
        return calendar;
      });
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    permission: 'drivers',
    summary: 'Deixar de manter turnos de um entregador',
    description: 'Ele volta a receber ofertas sempre que está disponível.',
    handle: ({ deps, caller, params }) =>
      change(deps, caller, params.id!, async (tx) => {
        await deleteCalendar(tx, caller.centralId, params.id!);
        return null;
      }),
  }),
];
