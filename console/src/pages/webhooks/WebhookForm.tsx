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
      draft="webhook"
      initial={{
        url: webhook?.url ?? '',
        tipos: webhook?.tipos ?? EVENT_TYPES.filter((type) => type !== 'entrega.posicao'),
      }}
      path={`${INTEGRATION}/webhooks`}
      entry={webhook}
      toBody={(form) => form}
      refresh={['webhooks']}
      {...(onSaved && { onSaved })}
      onClose={onClose}
    >
      {({ form, change, errors, text }) => (
        <>
          <Field
            label={t('Endereço https que recebe os eventos', 'https address that receives the events')}
            required
            type="url"
            placeholder="https://"
            {...text('url')}
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
