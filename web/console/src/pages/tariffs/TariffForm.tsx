import { showDecimal } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Tariff, type TariffWindow, useAreas, useCategories } from '../../data/registers.ts';
import { DecimalField, TimeField } from '../../ui/BrazilianFields.tsx';
import { Choices, Field, SelectField } from '../../ui/Field.tsx';
import { EntryForm } from '../../ui/RegisterSection.tsx';

const FIGURES = [
  'bandeirada',
  'por_km',
  'por_minuto',
  'por_parada_extra',
  'fator_retorno',
  'minimo',
] as const;

const words: Record<(typeof FIGURES)[number], { pt: string; en: string; usual: string }> = {
  bandeirada: { pt: 'Bandeirada', en: 'Base fare', usual: '5.00' },
  por_km: { pt: 'Por km', en: 'Per km', usual: '1.85' },
  por_minuto: { pt: 'Por minuto', en: 'Per minute', usual: '0.125' },
  por_parada_extra: { pt: 'Por parada extra', en: 'Per extra stop', usual: '2.50' },
  fator_retorno: { pt: 'Fator do retorno', en: 'Factor of the way back', usual: '0.5' },
  minimo: { pt: 'Mínimo', en: 'Minimum', usual: '9.00' },
};

const DAYS = {
  pt: ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'],
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
};
const WINDOWS_MAX = 50;
const newWindow: TariffWindow = { dias: [1, 2, 3, 4, 5], inicio: '18:00', fim: '22:00', fator: '1.2' };

type ShareKind = NonNullable<Tariff['repasse']>['tipo'];
const SHARE_FIELDS = ['repasse.percentual', 'repasse.fixo', 'repasse.por_km', 'repasse.por_parada'];

const shareOf = (tariff: Tariff | null) => ({
  repasse_tipo: (tariff?.repasse?.tipo ?? '') as string,
  percentual: tariff?.repasse?.percentual ?? '',
  fixo: tariff?.repasse?.fixo ?? '',
  repasse_km: tariff?.repasse?.por_km ?? '',
  por_parada: tariff?.repasse?.por_parada ?? '',
});

export function TariffForm({ tariff, onClose }: { tariff: Tariff | null; onClose: () => void }) {
  const t = useWords();
  const categories = useCategories();
  const areas = useAreas();
  return (
    <EntryForm
      wide
      title={tariff ? t(`Editar ${tariff.nome}`, `Edit ${tariff.nome}`) : t('Nova tarifa', 'New tariff')}
      draft="tarifa"
      initial={{
        nome: tariff?.nome ?? '',
        categoria_id: String(tariff?.categoria_id ?? ''),
        area_id: String(tariff?.area_id ?? ''),
        ...(Object.fromEntries(FIGURES.map((name) => [name, tariff?.[name] ?? ''])) as Record<
          (typeof FIGURES)[number],
          string
        >),
        janelas: tariff?.janelas ?? [],
        ...shareOf(tariff),
      }}
      path="tarifas"
      entry={tariff}
      toBody={({ repasse_tipo, percentual, fixo, repasse_km, por_parada, ...form }) => ({
        ...form,
        categoria_id: form.categoria_id,
        area_id: form.area_id || null,
        repasse: repasse_tipo
          ? {
              tipo: repasse_tipo as ShareKind,
              percentual: repasse_tipo === 'percentual' ? percentual : null,
              ...(repasse_tipo === 'tabela' && {
                fixo: fixo || '0',
                por_km: repasse_km || '0',
                por_parada: por_parada || '0',
              }),
            }
          : null,
      })}
      refresh={['tariffs']}
      onClose={onClose}
      fields={['nome', 'categoria_id', 'area_id', ...FIGURES, ...SHARE_FIELDS]}
    >
      {({ form, change, text, typed, errors }) => (
        <>
          <div className="columns">
            <Field label={t('Nome', 'Name')} required {...text('nome')} />
            <SelectField label={t('Categoria', 'Category')} required {...text('categoria_id')}>
              <option value="">{t('Escolha', 'Choose')}</option>
              <Choices of={categories.data} />
            </SelectField>
            <SelectField label={t('Área da coleta', 'Area of the pickup')} {...text('area_id')}>
              <option value="">{t('Todas as outras', 'All others')}</option>
              <Choices of={areas.data} />
            </SelectField>
            {FIGURES.map((name) => (
              <DecimalField
                key={name}
                label={t(words[name].pt, words[name].en)}
                required
                placeholder={showDecimal(words[name].usual)}
                {...typed(name)}
              />
            ))}
          </div>
          <fieldset>
            <legend>{t('O que o entregador ganha', 'What the driver earns')}</legend>
            <div className="columns">
              <SelectField label={t('Repasse', 'Share')} {...text('repasse_tipo')}>
                <option value="">{t('Como nas configurações', 'As in the settings')}</option>
                <option value="percentual">{t('Percentual do preço', 'Percentage of the price')}</option>
                <option value="tabela">{t('Tabela', 'Table')}</option>
                <option value="nenhum">{t('Nenhum', 'None')}</option>
              </SelectField>
              {form.repasse_tipo === 'percentual' && (
                <DecimalField
                  label={t('Percentual, antes do cupom', 'Percentage, before the coupon')}
                  required
                  placeholder="70"
                  {...typed('percentual')}
                  error={errors.of('repasse.percentual')}
                />
              )}
              {form.repasse_tipo === 'tabela' && (
                <>
                  <DecimalField
                    label={t('Fixo por entrega', 'Fixed, per delivery')}
                    placeholder="5,00"
                    {...typed('fixo')}
                    error={errors.of('repasse.fixo')}
                  />
                  <DecimalField
                    label={t('Por km', 'Per km')}
                    placeholder="1,20"
                    {...typed('repasse_km')}
                    error={errors.of('repasse.por_km')}
                  />
                  <DecimalField
                    label={t('Por parada', 'Per stop')}
                    placeholder="1,00"
                    {...typed('por_parada')}
                    error={errors.of('repasse.por_parada')}
                  />
                </>
              )}
            </div>
          </fieldset>
          <Windows windows={form.janelas} onChange={(janelas) => change({ janelas })} />
        </>
      )}
    </EntryForm>
  );
}

/** The time windows. The first matching one applies; one that ends before it begins extends past midnight. */
function Windows({
  windows,
  onChange,
}: {
  windows: readonly TariffWindow[];
  onChange: (windows: TariffWindow[]) => void;
}) {
  const t = useWords();
  const numbered = windows.map((window, index) => ({ hours: window, index }));
  const set = (index: number, changes: Partial<TariffWindow>) =>
    onChange(windows.map((window, at) => (at === index ? { ...window, ...changes } : window)));
  return (
    <fieldset>
      <legend>{t('Horários com outro fator', 'Times with another factor')}</legend>
      {windows.length === 0 && (
        <p className="soft">{t('O mesmo preço a toda hora.', 'The same price at all times.')}</p>
      )}
      {numbered.map(({ hours, index }) => (
        <div key={index} className="window">
          <div className="actions">
            {DAYS.pt.map((name, at) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={hours.dias.includes(at + 1)}
                  onChange={(event) =>
                    set(index, {
                      dias: event.target.checked
                        ? [...hours.dias, at + 1].toSorted((a, b) => a - b)
                        : hours.dias.filter((day) => day !== at + 1),
                    })
                  }
                />{' '}
                {t(name, DAYS.en[at]!)}
              </label>
            ))}
          </div>
          <div className="columns">
            <TimeField
              label={t('Das', 'From')}
              value={hours.inicio}
              onValue={(inicio) => set(index, { inicio })}
            />
            <TimeField label={t('Às', 'Until')} value={hours.fim} onValue={(fim) => set(index, { fim })} />
            <DecimalField
              label={t('Fator', 'Factor')}
              value={hours.fator}
              onValue={(fator) => set(index, { fator })}
            />
            <button
              type="button"
              className="plain"
              onClick={() => onChange(windows.filter((_, at) => at !== index))}
            >
              {t('Retirar horário', 'Take it out')}
            </button>
          </div>
        </div>
      ))}
      {windows.length < WINDOWS_MAX && (
        <p>
          <button type="button" onClick={() => onChange([...windows, newWindow])}>
            {t('Mais um horário', 'One more')}
          </button>
        </p>
      )}
    </fieldset>
  );
}
