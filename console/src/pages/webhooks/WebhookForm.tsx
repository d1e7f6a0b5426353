import { INTEGRATION } from '../../api.ts';
import { EVENT_TYPES, type Webhook } from '../../data/webhooks.ts';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';

export function WebhookForm({
  webhook,
  onClose,
  onSaved,
}: {
  webhook: Webhook | null;
  onClose: () => void;
  onSaved?: (saved: Webhook & { segredo?: string }) => void;
}) {
  const t = useWords();
  return (
    <EntryForm
      title={webhook ? t('Alterar webhook', 'Change webhook') : t('Novo webhook', 'New webhook')}
      draft={`webhook.${webhook?.id ?? 'novo'}`}
      initial={{
        url: webhook?.url ?? '',
        tipos: webhook?.tipos ?? EVENT_TYPES.filter((type) => type !== 'entrega.posicao'),
      }}
      method={webhook ? 'PUT' : 'POST'}
      path={`${INTEGRATION}/webhooks${webhook ? `/${webhook.id}` : ''}`}
      toBody={(form) => form}
      refresh={['webhooks']}
      {...(onSaved && { onSaved })}
      onClose={onClose}
      fields={['url', 'tipos']}
    >
      {({ form, change, errors }) => (
        <>
          <Field
            label={t('Endereço https que recebe os eventos', 'https address that receives the events')}
            required
            type="url"
            placeholder="https://"
            value={form.url}
            error={errors.of('url')}
            onChange={(event) => change({ url: event.target.value })}
          />
          <fieldset>
            <legend>{t('Eventos', 'Events')}</legend>
            <div className="columns">
              {EVENT_TYPES.map((type) => (
                <CheckField
                  key={type}
                  label={type}
                  checked={form.tipos.includes(type)}
                  onChange={(event) =>
                    change({
                      tipos: event.target.checked
                        ? [...form.tipos, type]
                        : form.tipos.filter((one) => one !== type),
                    })
                  }
                />
              ))}
            </div>
            {errors.of('tipos') && <p className="field-error">{errors.of('tipos')}</p>}
          </fieldset>
        </>
      )}
    </EntryForm>
  );
}
