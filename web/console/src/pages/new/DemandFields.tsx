import { useState } from 'react';
import { equipmentLabels } from '../../../../shared/demandWords.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { DecimalField, TimeField, WholeField } from '../../ui/BrazilianFields.tsx';
import { CheckField, SelectField } from '../../ui/Field.tsx';
import { noOrderDemands, noStopDemands, type OrderDemandsDraft, type StopDemandsDraft } from './demands.ts';

interface DemandFieldsProps<Draft> {
  demands: Draft | undefined;
  errorOf: (field: string) => string | undefined;
  onChange: (demands: Draft) => void;
}

const isGiven = (demands: object | undefined): boolean =>
  demands !== undefined &&
  Object.values(demands).some((value) =>
    typeof value === 'object' ? ('time' in value ? value.time !== '' : value.length > 0) : Boolean(value),
  );

/** What the whole order demands: shown at once where something is given, else behind a line. */
export function OrderDemandFields({ demands, errorOf, onChange }: DemandFieldsProps<OrderDemandsDraft>) {
  const t = useWords();
  const language = useLanguage();
  const draft = demands ?? noOrderDemands;
  const [isOpen] = useState(() => isGiven(demands));
  const change = (changes: Partial<OrderDemandsDraft>) => onChange({ ...draft, ...changes });
  return (
    <details open={isOpen}>
      <summary>
        {t('Exigências da coleta e do entregador', 'Demands at the pickup and of the driver')}
      </summary>
      <div className="three">
        <TimeField
          label={t('Pronto às', 'Ready at')}
          value={draft.pronto_em.time}
          error={errorOf('pronto_em')}
          onValue={(time) => change({ pronto_em: { ...draft.pronto_em, time } })}
        />
        <WholeField
          label={t('Minutos na coleta', 'Minutes at the pickup')}
          value={draft.minutos_coleta}
          error={errorOf('minutos_coleta')}
          onValue={(minutos_coleta) => change({ minutos_coleta })}
        />
        <SelectField
          label={t('Prioridade', 'Priority')}
          value={draft.prioridade}
          error={errorOf('prioridade')}
          onChange={({ currentTarget }) => change({ prioridade: currentTarget.value })}
        >
          <option value="">{t('Normal', 'Normal')}</option>
          <option value="1">{t('Alta', 'High')}</option>
          <option value="2">{t('Muito alta', 'Very high')}</option>
          <option value="3">{t('Máxima', 'Highest')}</option>
        </SelectField>
      </div>
      <div className="either">
        {Object.entries(equipmentLabels).map(([code, label]) => (
          <CheckField
            key={code}
            label={`${t('Precisa de', 'Needs a')} ${label[language]}`}
            checked={draft.equipamentos.includes(code)}
            onChange={({ currentTarget }) =>
              change({
                equipamentos: currentTarget.checked
                  ? [...draft.equipamentos, code]
                  : draft.equipamentos.filter((each) => each !== code),
              })
            }
          />
        ))}
      </div>
    </details>
  );
}

/** What a stop demands, behind a line unless something is given. */
export function StopDemandFields({ demands, errorOf, onChange }: DemandFieldsProps<StopDemandsDraft>) {
  const t = useWords();
  const draft = demands ?? noStopDemands;
  const [isOpen] = useState(() => isGiven(demands));
  const change = (changes: Partial<StopDemandsDraft>) => onChange({ ...draft, ...changes });
  const number = (field: 'peso_kg' | 'volume_litros' | 'pacotes' | 'minutos_parada') => ({
    value: draft[field],
    error: errorOf(field),
    onValue: (value: string) => change({ [field]: value }),
    className: 'span-2',
  });
  const time = (field: 'entregar_de' | 'entregar_ate') => ({
    value: draft[field].time,
    error: errorOf(field),
    onValue: (value: string) => change({ [field]: { ...draft[field], time: value } }),
    className: 'span-2',
  });
  return (
    <div className="place-more">
      <details open={isOpen}>
        <summary>{t('Prazo, carga e tempo na parada', 'Window, load and time at the stop')}</summary>
        <div className="place-fields">
          <TimeField label={t('Entregar de', 'Deliver from')} {...time('entregar_de')} />
          <TimeField label={t('Entregar até', 'Deliver by')} {...time('entregar_ate')} />
          <WholeField label={t('Tempo (min)', 'Time (min)')} {...number('minutos_parada')} />
          <DecimalField label={t('Peso (kg)', 'Weight (kg)')} {...number('peso_kg')} />
          <DecimalField label={t('Volume (litros)', 'Volume (litres)')} {...number('volume_litros')} />
          <WholeField label={t('Pacotes', 'Packages')} {...number('pacotes')} />
        </div>
        <CheckField
          label={t('Fora desse horário ninguém recebe', 'Outside of these times nobody receives it')}
          checked={draft.janela_obrigatoria}
          error={errorOf('janela_obrigatoria')}
          onChange={({ currentTarget }) => change({ janela_obrigatoria: currentTarget.checked })}
        />
      </details>
    </div>
  );
}
