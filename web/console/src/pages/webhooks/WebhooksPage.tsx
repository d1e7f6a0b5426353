import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import type { Answer } from '../../api.ts';
import { useCompanies } from '../../data/registers.ts';
import { EVENT_TYPES, type Sending, useWebhooks, type Webhook, wordsOfEvent } from '../../data/webhooks.ts';
import { useRowKeys } from '../../keys.ts';
import { go, Link } from '../../router.tsx';
import { IfMay, useMay } from '../../session.tsx';
import { Badge } from '../../ui/badges.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { EntryForm } from '../../ui/RegisterSection.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { SecretOnce, TimeAgo } from '../../ui/texts.tsx';

const webhookStates: Record<Webhook['estado'], { pt: string; en: string; letter: string; tone: string }> = {
  ativo: { pt: 'Ativo', en: 'Active', letter: 'A', tone: 'e' },
  falhando: { pt: 'Falhando', en: 'Failing', letter: 'F', tone: 'g' },
  pausado: { pt: 'Pausado', en: 'Paused', letter: 'P', tone: 'n' },
  inativo: { pt: 'Inativo', en: 'Inactive', letter: 'I', tone: 'f' },
};

const sendingStates: Record<Sending['estado'], { pt: string; en: string; letter: string; tone: string }> = {
  esperando: { pt: 'Esperando', en: 'Waiting', letter: 'E', tone: 'p' },
  entregue: { pt: 'Entregue', en: 'Delivered', letter: 'D', tone: 'e' },
  falhou: { pt: 'Falhou', en: 'Failed', letter: 'F', tone: 'n' },
  descartado: { pt: 'Descartado', en: 'Dropped', letter: 'X', tone: 'f' },
};

export function WebhookState({ state }: { state: Webhook['estado'] }) {
  const t = useWords();
  const { pt, en, letter, tone } = webhookStates[state];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} />;
}

export function SendingState({ state }: { state: Sending['estado'] }) {
  const t = useWords();
  const { pt, en, letter, tone } = sendingStates[state];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} />;
}

export function WebhookForm({
  webhook,
  onClose,
  onSaved,
}: {
  webhook: Webhook | null;
  onClose: () => void;
  onSaved?: (saved: Answer<'integracao', 'POST /webhooks'>) => void;
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
      api="integracao"
      path="webhooks"
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
                  label={t(wordsOfEvent(type).pt, wordsOfEvent(type).en)}
                  checked={form.tipos.includes(type)}
                  onChange={(event) =>
                    change({
                      tipos: event.target.checked
                        ? [...form.tipos, type]
                        : form.tipos.filter((tipo) => tipo !== type),
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

export function WebhooksPage() {
  const t = useWords();
  const webhooks = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ id: string; text: string | null } | null>(null);
  return (
    <>
      <header className="page-head">
        <h1>Webhooks</h1>
        <IfMay permission="webhooks">
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            {t('Novo webhook', 'New webhook')}
          </button>
        </IfMay>
      </header>
      <Loaded query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('Nenhum webhook ainda', 'No webhook yet')}>
              {t(
                'Cadastre um endereço https: cada mudança de uma entrega é enviada a ele, assinada.',
                'Register an https address: every change of a delivery is sent to it, signed.',
              )}
            </Empty>
          ) : (
            <WebhookTable webhooks={all} />
          )
        }
      </Loaded>
      {isAdding && (
        <WebhookForm
          webhook={null}
          onClose={() => setAdding(false)}
          onSaved={({ id, segredo }) => setSecret({ id, text: segredo })}
        />
      )}
      {secret && (
        <SecretOnce
          title={t('Segredo das assinaturas', 'Secret of the signatures')}
          secret={secret.text}
          remedy={t(
            'Abra o webhook e troque o segredo: o novo é mostrado.',
            'Open the webhook and rotate the secret: the new one is shown.',
          )}
          note={t(
            'Com ele quem recebe confere que os eventos vêm daqui (Standard Webhooks).',
            'With it the receiver verifies that events come from here (Standard Webhooks).',
          )}
          onClose={() => {
            setSecret(null);
            go(`/webhooks/${secret.id}`);
          }}
        />
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useWords();
  const seesCompanies = useMay('registers-read');
  const companies = useCompanies();
  const [selected, setSelected] = useState<string | null>(null);
  useRowKeys({
    rows: webhooks.map(({ id }) => id),
    selected,
    onSelect: setSelected,
    onOpen: (id) => go(`/webhooks/${id}`),
  });
  const columns: Column<Webhook>[] = [
    {
      key: 'url',
      header: t('Endereço', 'Address'),
      cell: ({ id, url }) => (
        <Link to={`/webhooks/${id}`} style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Link>
      ),
    },
    { key: 'state', header: t('Estado', 'State'), cell: ({ estado }) => <WebhookState state={estado} /> },
    ...(seesCompanies
      ? [
          {
            key: 'company',
            header: t('De', 'Of'),
            cell: ({ empresa_id: companyId }: Webhook) =>
              companyId === null
                ? t('Central', 'Central')
                : (companies.data?.find(({ id }) => id === companyId)?.nome ?? companyId),
          },
        ]
      : []),
    {
      key: 'types',
      header: t('Eventos', 'Events'),
      wideOnly: true,
      cell: ({ tipos }) => (
        <span title={tipos.map((type) => t(wordsOfEvent(type).pt, wordsOfEvent(type).en)).join('\n')}>
          {tipos.length}
        </span>
      ),
    },
    {
      key: 'failing',
      header: t('Falhando desde', 'Failing since'),
      wideOnly: true,
      cell: ({ falhando_desde }) => <TimeAgo at={falhando_desde} />,
    },
  ];
  return (
    <Table
      label="Webhooks"
      columns={columns}
      rows={webhooks}
      rowKey={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
    />
  );
}
