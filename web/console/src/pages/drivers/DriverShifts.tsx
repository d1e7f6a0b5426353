import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import type { Driver } from '../../data/registers.ts';
import { fieldErrors, useAction, useEntryDraft } from '../../form.ts';
import { DateField, TimeField } from '../../ui/BrazilianFields.tsx';
import { ConfirmButton, Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox, Loaded } from '../../ui/Loaded.tsx';

type Calendar = Answer<'operacao', 'GET /condutores/{id}/turnos'>;
type Shift = Calendar['dias'][number]['turnos'][number];
type CalendarDraft = Pick<Calendar, 'semana' | 'dias'>;
type Named = Pick<Driver, 'id' | 'nome'>;

const NEW_SHIFT: Shift = { inicio: '', fim: '', pausas: [] };

/** When a driver works: the shifts of each weekday, and dates with others. */
export function DriverShifts({ driver, onClose }: { driver: Named; onClose: () => void }) {
  const t = useWords();
  const calendar = useQuery({
    queryKey: ['drivers', driver.id, 'shifts'],
    queryFn: () => call('operacao', 'GET /condutores/{id}/turnos', { id: driver.id }),
  });
  return (
    <Dialog title={t(`Turnos de ${driver.nome}`, `Shifts of ${driver.nome}`)} onClose={onClose} wide>
      <Loaded query={calendar}>
        {(found) => <ShiftsForm driver={driver} calendar={found} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function ShiftsForm({
  driver,
  calendar,
  onClose,
}: {
  driver: Named;
  calendar: Calendar;
  onClose: () => void;
}) {
  const t = useWords();
  const [draft, setDraft, clear, assertCurrent] = useEntryDraft<CalendarDraft>(
    `turnos.${driver.id}`,
    { semana: calendar.semana, dias: calendar.dias },
    ['drivers'],
  );
  const save = useAction(
    async () => {
      await assertCurrent();
      return call('operacao', 'PUT /condutores/{id}/turnos', { id: driver.id, body: draft });
    },
    {
      done: t(`Turnos de ${driver.nome} salvos.`, `Shifts of ${driver.nome} saved.`),
      refresh: ['drivers'],
      onDone: clear,
      leave: onClose,
    },
  );
  const errors = fieldErrors(save.error);
  const days = [
    t('Segunda', 'Monday'),
    t('Terça', 'Tuesday'),
    t('Quarta', 'Wednesday'),
    t('Quinta', 'Thursday'),
    t('Sexta', 'Friday'),
    t('Sábado', 'Saturday'),
    t('Domingo', 'Sunday'),
  ];
  const setWeek = (semana: CalendarDraft['semana']) => setDraft((before) => ({ ...before, semana }));
  const setDays = (dias: CalendarDraft['dias']) => setDraft((before) => ({ ...before, dias }));
  const changeDay = (index: number, changes: Partial<CalendarDraft['dias'][number]>) =>
    setDays(draft.dias.map((day, at) => (at === index ? { ...day, ...changes } : day)));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="hint">
        {t(
          'Fora dos turnos e nas pausas ele não recebe ofertas automáticas. Um turno que termina antes de começar passa da meia-noite.',
          'Outside of the shifts and in breaks no offers are made automatically. A shift that ends before it begins runs past midnight.',
        )}
      </p>
      {days.map((name, index) => {
        const weekday = index + 1;
        return (
          <fieldset key={name}>
            <legend>{name}</legend>
            {draft.semana.map((shift, at) =>
              shift.dia === weekday ? (
                <ShiftFields
                  // biome-ignore lint/suspicious/noArrayIndexKey: shifts have no id, and their order does not change
                  key={at}
                  shift={shift}
                  errorOf={(field) => errors.of(`semana[${at}].${field}`)}
                  onChange={(changes) =>
                    setWeek(
                      draft.semana.map((each, other) => (other === at ? { ...each, ...changes } : each)),
                    )
                  }
                  onRemove={() => setWeek(draft.semana.filter((_, other) => other !== at))}
                />
              ) : null,
            )}
            <button
              type="button"
              className="plain"
              onClick={() => setWeek([...draft.semana, { dia: weekday, ...NEW_SHIFT }])}
            >
              {t('Novo turno', 'New shift')}
              <span className="unseen">, {name}</span>
            </button>
          </fieldset>
        );
      })}
      {errors.of('semana') && <p className="field-error">{errors.of('semana')}</p>}
      <h3>{t('Datas com outros turnos', 'Dates with other shifts')}</h3>
      {draft.dias.map((day, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: dates have no id, and their order does not change
        <fieldset key={index}>
          <legend>
            {day.turnos.length === 0 ? t('Folga', 'Day off') : t('Outros turnos', 'Other shifts')}
          </legend>
          <div className="shift">
            <DateField
              label={t('Data', 'Date')}
              value={day.data}
              error={errors.of(`dias[${index}].data`) ?? errors.of(`dias[${index}].turnos`)}
              onValue={(data) => changeDay(index, { data })}
            />
            <button
              type="button"
              className="plain"
              onClick={() => setDays(draft.dias.filter((_, at) => at !== index))}
            >
              {t('Tirar a data', 'Remove the date')}
            </button>
          </div>
          {day.turnos.map((shift, nth) => (
            <ShiftFields
              // biome-ignore lint/suspicious/noArrayIndexKey: shifts have no id, and their order does not change
              key={nth}
              shift={shift}
              errorOf={(field) => errors.of(`dias[${index}].turnos[${nth}].${field}`)}
              onChange={(changes) =>
                changeDay(index, {
                  turnos: day.turnos.map((each, at) => (at === nth ? { ...each, ...changes } : each)),
                })
              }
              onRemove={() => changeDay(index, { turnos: day.turnos.filter((_, at) => at !== nth) })}
            />
          ))}
          <button
            type="button"
            className="plain"
            onClick={() => changeDay(index, { turnos: [...day.turnos, NEW_SHIFT] })}
          >
            {t('Novo turno nesta data', 'New shift on this date')}
          </button>
        </fieldset>
      ))}
      <p>
        <button type="button" onClick={() => setDays([...draft.dias, { data: '', turnos: [] }])}>
          {t('Nova data', 'New date')}
        </button>
      </p>
      <ErrorBox error={errors.rest} />
      <div className="dialog-actions">
        {calendar.mantidos && (
          <ConfirmButton
            label={t('Não manter turnos', 'Keep no shifts')}
            title={t(`Não manter turnos de ${driver.nome}?`, `Keep no shifts of ${driver.nome}?`)}
            what={t(
              'Ele volta a receber ofertas sempre que está disponível.',
              'Offers are made again whenever the driver is available.',
            )}
            act={t('Não manter', 'Keep none')}
            danger
            onConfirm={() => call('operacao', 'DELETE /condutores/{id}/turnos', { id: driver.id })}
            done={t('Turnos apagados.', 'Shifts deleted.')}
            refresh={['drivers']}
            leave={() => {
              clear();
              onClose();
            }}
          />
        )}
        <button type="button" onClick={onClose}>
          {t('Voltar', 'Go back')}
        </button>
        <button type="submit" className="primary" disabled={save.isPending}>
          {t('Salvar', 'Save')}
        </button>
      </div>
    </form>
  );
}

function ShiftFields({
  shift,
  errorOf,
  onChange,
  onRemove,
}: {
  shift: Shift;
  errorOf: (field: string) => string | undefined;
  onChange: (changes: Partial<Shift>) => void;
  onRemove: () => void;
}) {
  const t = useWords();
  const { pausas } = shift;
  const changeBreak = (index: number, changes: Partial<Shift['pausas'][number]>) =>
    onChange({ pausas: pausas.map((each, at) => (at === index ? { ...each, ...changes } : each)) });
  return (
    <div className="shift">
      <TimeField
        label={t('De', 'From')}
        value={shift.inicio}
        error={errorOf('inicio')}
        onValue={(inicio) => onChange({ inicio })}
      />
      <TimeField
        label={t('Até', 'Until')}
        value={shift.fim}
        error={errorOf('fim')}
        onValue={(fim) => onChange({ fim })}
      />
      {pausas.map((pause, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: breaks have no id, and their order does not change
        <div key={index} className="shift">
          <TimeField
            label={t('Pausa de', 'Break from')}
            value={pause.inicio}
            error={errorOf(`pausas[${index}].inicio`)}
            onValue={(inicio) => changeBreak(index, { inicio })}
          />
          <TimeField
            label={t('Pausa até', 'Break until')}
            value={pause.fim}
            error={errorOf(`pausas[${index}].fim`)}
            onValue={(fim) => changeBreak(index, { fim })}
          />
          <button
            type="button"
            className="plain"
            onClick={() => onChange({ pausas: pausas.filter((_, at) => at !== index) })}
          >
            {t('Tirar a pausa', 'Remove the break')}
          </button>
        </div>
      ))}
      <button
        type="button"
        className="plain"
        onClick={() => onChange({ pausas: [...pausas, { inicio: '', fim: '' }] })}
      >
        {t('Nova pausa', 'New break')}
      </button>
      <button type="button" className="plain" onClick={onRemove}>
        {t('Tirar o turno', 'Remove the shift')}
      </button>
      {errorOf('pausas') && <p className="field-error">{errorOf('pausas')}</p>}
    </div>
  );
}
