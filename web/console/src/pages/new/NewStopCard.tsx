import { useEffect, useRef } from 'react';
import { useWords } from '../../../../shared/words.ts';
import type { FieldErrors } from '../../form.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { StopDemandFields } from './DemandFields.tsx';
import type { StopDraft } from './order.ts';
import { type PlaceAids, PlaceFields } from './PlaceFields.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import { moveByKeys } from './useStopMoves.tsx';

interface StopCardProps extends PlaceAids {
  stop: StopDraft;
  index: number;
  count: number;
  isActive: boolean;
  /** Just added, so its address gets the focus. */
  isNew: boolean;
  errors: FieldErrors;
  onChange: (changes: Partial<StopDraft>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onActivate: () => void;
}

export function NewStopCard({
  stop,
  index,
  count,
  isActive,
  isNew,
  errors,
  onChange,
  onMove,
  onRemove,
  onActivate,
  ...aids
}: StopCardProps) {
  const t = useWords();
  const card = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (isNew) card.current?.querySelector('input')?.focus();
  }, [isNew]);
  const name = (field: string) => `paradas[${index}].${field}`;
  const field = (key: 'numero_pedido' | 'observacao', server: string) => ({
    value: stop[key],
    error: errors.of(name(server)),
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ [key]: currentTarget.value }),
    autoComplete: 'off',
  });
  const number = index + 1;
  return (
    <fieldset
      ref={card}
      data-stop
      // Gets the focus after the stop before it was removed.
      tabIndex={-1}
      className={isActive ? 'place active' : 'place'}
      onFocus={onActivate}
      onKeyDown={(event) => moveByKeys(event, onMove)}
    >
      <legend>
        {t('Parada', 'Stop')} {number}
      </legend>
      <div className="place-tools">
        <button
          type="button"
          className="icon"
          data-move
          disabled={index === 0}
          onClick={() => onMove(-1)}
          aria-label={t(`Subir a parada ${number}`, `Move stop ${number} up`)}
        >
          <Icon shape="up" />
        </button>
        <button
          type="button"
          className="icon"
          data-move
          disabled={index === count - 1}
          onClick={() => onMove(1)}
          aria-label={t(`Descer a parada ${number}`, `Move stop ${number} down`)}
        >
          <Icon shape="down" />
        </button>
        <button
          type="button"
          className="icon"
          disabled={count === 1}
          onClick={onRemove}
          aria-label={t(`Remover a parada ${number}`, `Remove stop ${number}`)}
        >
          <Icon shape="no" />
        </button>
      </div>
      <PlaceFields
        {...aids}
        place={stop}
        isPickup={false}
        onChange={onChange}
        errors={errors}
        name={(key) => name(`${key}_parada`)}
      />
      <div className="place-fields">
        <RecipientFields
          stop={stop}
          companyId={aids.companyId}
          errorOf={(field) => errors.of(name(field))}
          onChange={onChange}
        />
        <Field
          className="span-2"
          label={t('Nº do pedido', 'Order no.')}
          {...field('numero_pedido', 'numero_pedido')}
        />
        <DecimalField
          className="span-2"
          label={t('Cobrar (R$)', 'Collect (R$)')}
          value={stop.valor_cobrar}
          error={errors.of(name('valor_cobrar'))}
          onValue={(valor_cobrar) => onChange({ valor_cobrar })}
        />
        <Field
          className="span-2"
          label={t('Observação', 'Note')}
          {...field('observacao', 'observacao_parada')}
        />
      </div>
      <StopDemandFields
        demands={stop.exigencias}
        errorOf={(key) => errors.of(name(`exigencias.${key}`))}
        onChange={(exigencias) => onChange({ exigencias })}
      />
    </fieldset>
  );
}
