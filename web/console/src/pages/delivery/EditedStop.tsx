import { useWords } from '../../../../shared/words.ts';
import type { FieldErrors } from '../../form.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { addressLine, type StopDraft } from '../new/order.ts';
import { type PlaceAids, PlaceFields } from '../new/PlaceFields.tsx';
import { PlacePin } from '../new/PlacePin.tsx';
import { RecipientFields } from '../new/RecipientFields.tsx';
import { moveByKeys } from '../new/useStopMoves.tsx';
import type { Reorder } from './useReorder.ts';

/** The draft of a stop of an open delivery. */
export interface EditedDraft extends StopDraft {
  /** Null for a new stop. */
  id: string | null;
}

interface EditedStopProps {
  draft: EditedDraft;
  index: number;
  count: number;
  isOpened: boolean;
  aids: PlaceAids;
  errors: FieldErrors;
  reorder: Reorder;
  onToggle: () => void;
  onMove: (by: number) => void;
  /** The change is applied to the stop's state at that time. */
  onChange: (change: (before: EditedDraft) => Partial<EditedDraft>) => void;
  onRemove: () => void;
}

/** A stop in the list: buttons for its order, and its fields when unfolded. */
export function EditedStop(props: EditedStopProps) {
  const { draft, index, count, isOpened, reorder, onToggle, onMove, onRemove } = props;
  const t = useWords();
  const number = index + 1;
  const name = t(`Parada ${number}`, `Stop ${number}`);
  return (
    <li data-stop {...reorder.rowOf(index)}>
      <div className="edit-stop-head">
        <span className="drag-handle" aria-hidden="true" {...reorder.handle(index)}>
          <Icon shape="grip" />
        </span>
        <button
          type="button"
          className="plain edit-stop"
          aria-expanded={isOpened}
          onClick={onToggle}
          onKeyDown={(event) => moveByKeys(event, onMove)}
        >
          <span className="stop-mark stop" aria-hidden="true">
            {number}
          </span>
          <span>
            <span className="unseen">{name} </span>
            {addressLine(draft) || t('nova parada', 'new stop')}
            <span className="second soft">
              {[draft.nome_cliente, draft.bairro].filter(Boolean).join(' · ')}
            </span>
          </span>
        </button>
        <button
          type="button"
          className="icon"
          data-move
          disabled={index === 0}
          aria-label={t(`${name}: para cima`, `${name}: up`)}
          onClick={() => onMove(-1)}
        >
          <Icon shape="up" />
        </button>
        <button
          type="button"
          className="icon"
          data-move
          disabled={index === count - 1}
          aria-label={t(`${name}: para baixo`, `${name}: down`)}
          onClick={() => onMove(1)}
        >
          <Icon shape="down" />
        </button>
        <button
          type="button"
          className="icon"
          disabled={count === 1}
          aria-label={t(`Excluir a parada ${number}`, `Remove stop ${number}`)}
          onClick={onRemove}
        >
          ×
        </button>
      </div>
      {isOpened && <StopFields {...props} />}
    </li>
  );
}

function StopFields({ draft, index, aids, errors, onChange }: EditedStopProps) {
  const t = useWords();
  const name = (field: string) => `paradas[${index}].${field}`;
  const change = (changes: Partial<StopDraft>) => onChange(() => changes);
  return (
    <div className="edit-stop-fields">
      <PlaceFields {...aids} place={draft} isPickup={false} errors={errors} name={name} onChange={change} />
      <PlacePin place={draft} letter={String(index + 1)} near={aids.near} onPlace={onChange} />
      <div className="place-fields">
        <RecipientFields
          stop={draft}
          // The phone fills in the fields of a new stop only: unfolding an existing one must not change it.
          companyId={draft.id === null ? aids.companyId : null}
          errorOf={(field) => errors.of(name(field.replace(/_parada$/, '')))}
          onChange={change}
        />
        <DecimalField
          className="span-2"
          label={t('Cobrar (R$)', 'Collect (R$)')}
          value={draft.valor_cobrar}
          error={errors.of(name('valor_cobrar'))}
          onValue={(valor_cobrar) => change({ valor_cobrar })}
        />
        <Field
          className="span-4"
          label={t('Observação', 'Note')}
          value={draft.observacao}
          maxLength={1000}
          error={errors.of(name('observacao'))}
          onChange={({ currentTarget }) => change({ observacao: currentTarget.value })}
          autoComplete="off"
        />
      </div>
    </div>
  );
}
