import { useState } from 'react';
import { useCompanies } from '../../data/companies.ts';
import { useWebhooks, type Webhook } from '../../data/webhooks.ts';
import { useRowKeys } from '../../keys.ts';
import { go, Link } from '../../router.tsx';
import { useIsOperator } from '../../session.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../../words.ts';
import { WebhookState } from './states.tsx';
import { WebhookForm } from './WebhookForm.tsx';

export function WebhooksPage() {
  const t = useWords();
  const webhooks = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ id: string; text: string } | null>(null);
  return (
    <>
      <header className="page-head">
        <h1>Webhooks</h1>
        <button type="button" className="primary" onClick={() => setAdding(true)}>
          {t('Novo webhook', 'New webhook')}
        </button>
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
          onSaved={({ id, segredo }) => segredo && setSecret({ id, text: segredo })}
        />
      )}
      {secret && (
        <SecretOnce
          title={t('Segredo das assinaturas', 'Secret of the signatures')}
          secret={secret.text}
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
  const isOperator = useIsOperator();
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
    ...(isOperator
      ? [
          {
            key: 'company',
            header: t('De', 'Of'),
            cell: ({ empresa_id: companyId }: Webhook) =>
              companyId === null
                ? t('Central', 'Central')
                : (companies.data?.find(({ id }) => String(id) === companyId)?.nome ?? companyId),
          },
        ]
      : []),
    {
      key: 'types',
      header: t('Eventos', 'Events'),
      wideOnly: true,
      cell: ({ tipos }) => <span title={tipos.join('\n')}>{tipos.length}</span>,
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
