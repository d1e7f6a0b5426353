import { useState } from 'react';
import { typedPhone } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Body, call } from '../../api.ts';
import type { CompanyAddress } from '../../data/addresses.ts';
import { type FieldErrors, fieldErrors, useAction } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckField, Field, SelectField } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { addressLine, isLocated, noPlace, type PlaceDraft, placeLike, positionOf } from '../new/order.ts';
import { PlaceFields } from '../new/PlaceFields.tsx';
import { PlacePin } from '../new/PlacePin.tsx';

type Sent = Body<'operacao', 'PUT /empresas/{id}/enderecos/{endereco_id}'>;

interface Draft extends PlaceDraft {
  tipo: Sent['tipo'];
  nome: string;
  padrao: boolean;
  /** The recipient of a favourite, under the names that the places of an order use. */
  nome_cliente: string;
  telefone_cliente: string;
}

const draftOf = (address: CompanyAddress | null): Draft => ({
  ...(address ? placeLike(address) : noPlace),
  tipo: address?.tipo ?? 'partida',
  nome: address?.nome ?? '',
  padrao: address?.padrao ?? false,
  nome_cliente: address?.nome_destinatario ?? '',
  telefone_cliente: typedPhone(address?.telefone_destinatario ?? ''),
});

/** Changes an address of a company, or adds one (null). */
export function AddressForm({
  companyId,
  address,
  onClose,
}: {
  companyId: string;
  address: CompanyAddress | null;
  onClose: () => void;
}) {
  const t = useWords();
  const [draft, setDraft] = useState(() => draftOf(address));
  const [wasSent, setSent] = useState(false);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const isPickup = draft.tipo === 'partida';
  const save = useAction(
    () => {
      const body: Sent = {
        tipo: draft.tipo,
        nome: draft.nome.trim(),
        endereco: addressLine(draft),
        complemento: draft.complemento,
        referencia: draft.referencia,
        bairro: draft.bairro.trim(),
        cidade: draft.cidade,
        estado: draft.estado,
        ...positionOf(draft)!,
        nome_destinatario: isPickup ? null : draft.nome_cliente,
        telefone_destinatario: isPickup ? null : draft.telefone_cliente,
        padrao: isPickup && draft.padrao,
      };
      return address
        ? call('operacao', 'PUT /empresas/{id}/enderecos/{endereco_id}', {
            id: companyId,
            endereco_id: address.id,
            body,
          })
        : call('operacao', 'POST /empresas/{id}/enderecos', { id: companyId, body });
    },
    {
      done: address ? t('Endereço alterado.', 'Address changed.') : t('Endereço guardado.', 'Address kept.'),
      refresh: ['company-addresses', 'known-addresses'],
      leave: onClose,
    },
  );
  // Nothing is sent while the pin is missing or belongs to an earlier text.
  const errors: FieldErrors =
    wasSent && !isLocated(draft)
      ? {
          of: (field) => (field === 'lat' ? t('falta o ponto no mapa', 'the pin is missing') : undefined),
          rest: null,
        }
      : fieldErrors(save.error);
  const text = (key: 'nome' | 'nome_cliente' | 'telefone_cliente', field: string) => ({
    value: draft[key],
    error: errors.of(field),
    autoComplete: 'off',
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      change({ [key]: currentTarget.value }),
  });
  return (
    <Dialog
      wide
      title={
        address ? t(`Editar ${address.nome}`, `Edit ${address.nome}`) : t('Novo endereço', 'New address')
      }
      onClose={onClose}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if (isLocated(draft)) save.mutate();
        }}
      >
        <div className="two">
          <Field label={t('Nome', 'Name')} maxLength={100} required {...text('nome', 'nome')} />
          <SelectField
            label={t('Para quê', 'What for')}
            value={draft.tipo}
            onChange={({ currentTarget }) => change({ tipo: currentTarget.value as Draft['tipo'] })}
          >
            <option value="partida">{t('Coleta', 'Pickup')}</option>
            <option value="favorito">{t('Favorito', 'Favourite')}</option>
          </SelectField>
        </div>
        <PlaceFields
          place={draft}
          isPickup={isPickup}
          errors={errors}
          name={(field) => field}
          onChange={change}
          known={undefined}
          near={address ? { lat: address.lat, lng: address.lng } : undefined}
          companyId={null}
        />
        <PlacePin
          place={draft}
          letter={isPickup ? t('C', 'P') : '1'}
          isPickup={isPickup}
          onPlace={(changed) => setDraft((before) => ({ ...before, ...changed(before) }))}
        />
        {isPickup ? (
          <CheckField
            label={t('As novas entregas começam aqui', 'New deliveries begin here')}
            checked={draft.padrao}
            onChange={({ currentTarget }) => change({ padrao: currentTarget.checked })}
          />
        ) : (
          <div className="two">
            <Field label={t('Quem recebe', 'Recipient')} {...text('nome_cliente', 'nome_destinatario')} />
            <Field
              label={t('Telefone', 'Phone')}
              inputMode="tel"
              maxLength={30}
              {...text('telefone_cliente', 'telefone_destinatario')}
            />
          </div>
        )}
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={save.isPending}>
            {t('Salvar', 'Save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
