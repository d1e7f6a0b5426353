import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { isExample, SENDINGS_LIMIT, type Sending, useSendings, wordsOfEvent } from '../../data/webhooks.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { IfMay } from '../../session.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Pager, Table, usePage } from '../../ui/Table.tsx';
import { Nothing, TimeAgo } from '../../ui/texts.tsx';
import { wordsOfError } from './errorWords.ts';
import { SendingState } from './WebhooksPage.tsx';

/** The events that were sent or are waiting, with the result of the last attempt. */
export function SendingLog({ webhookId }: { webhookId: string }) {
  const t = useWords();
  const page = usePage();
  const sendings = useSendings(webhookId, page);
  const [shown, setShown] = useState<string | null>(null);
  const replay = useAction(
    (id: string) => call('integracao', 'POST /webhooks/envios/{id}/reenviar', { id }),
    {
      done: t('Reenvio a caminho.', 'Sent again.'),
      refresh: ['sendings', 'webhooks'],
      toastsFailure: true,
    },
  );
  const wordsFor = (error: string) => t(wordsOfError(error).pt, wordsOfError(error).en);
  const columns: Column<Sending>[] = [
    {
      key: 'event',
      header: t('Evento', 'Event'),
      cell: ({ id, tipo }) => (
        <button type="button" className="plain" onClick={() => setShown(id)}>
          {t(wordsOfEvent(tipo).pt, wordsOfEvent(tipo).en)}
        </button>
      ),
    },
    { key: 'about', header: t('De qual', 'About'), cell: (each) => <About sending={each} /> },
    {
      key: 'when',
      header: t('Ocorrido', 'Occurred'),
      cell: ({ ocorrido_em }) => <TimeAgo at={ocorrido_em} />,
    },
    { key: 'state', header: t('Estado', 'State'), cell: (each) => <WhereItStands sending={each} /> },
    {
      key: 'status',
      header: t('Resposta', 'Answer'),
      cell: ({ status_http, erro }) => status_http ?? (erro === null ? <Nothing /> : wordsFor(erro)),
    },
    {
      key: 'duration',
      header: t('Duração', 'Duration'),
      figures: true,
      wideOnly: true,
      cell: ({ duracao_ms }) => (duracao_ms === null ? <Nothing /> : `${duracao_ms} ms`),
    },
    {
      key: 'attempts',
      header: t('Tentativas', 'Attempts'),
      figures: true,
      wideOnly: true,
      cell: ({ tentativas }) => tentativas,
    },
    {
      key: 'replay',
      header: <span className="unseen">{t('Reenviar', 'Replay')}</span>,
      cell: ({ id }) => (
        <IfMay permission="webhooks-resend">
          <button
            type="button"
            className="plain"
            disabled={replay.isPending && replay.variables === id}
            onClick={() => replay.mutate(id)}
          >
            {t('Reenviar', 'Replay')}
          </button>
        </IfMay>
      ),
    },
  ];
  return (
    <Loaded query={sendings}>
      {(rows) => {
        const open = rows.find(({ id }) => id === shown);
        if (rows.length === 0 && page === 1)
          return (
            <Empty title={t('Nenhum envio ainda', 'Nothing sent yet')}>
              {t(
                'Cada evento enviado aparece aqui, com a resposta recebida. Use “Enviar teste” para ver um.',
                'Every event sent appears here, with the answer received. Use “Send a test” to see one.',
              )}
            </Empty>
          );
        return (
          <>
            <Table
              label={t('Envios', 'Sendings')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              cards="compact"
            />
            <Pager shown={rows.length} limit={SENDINGS_LIMIT} />
            {open && <SendingDialog sending={open} onClose={() => setShown(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}

function WhereItStands({ sending: { estado, ultima_tentativa, proxima_tentativa } }: { sending: Sending }) {
  const t = useWords();
  return (
    <>
      <SendingState state={estado} />
      {ultima_tentativa && proxima_tentativa && (
        <>
          {' '}
          <span className="soft">
            {t('de novo', 'again')} <TimeAgo at={proxima_tentativa} />
          </span>
        </>
      )}
    </>
  );
}

function About({ sending }: { sending: Sending }) {
  const t = useWords();
  if (isExample(sending)) return <span className="soft">{t('exemplo', 'example')}</span>;
  if (sending.entrega_id) return <Link to={`/entregas/${sending.entrega_id}`}>#{sending.entrega_id}</Link>;
  if (sending.programada_id)
    return <Link to={`/programadas/${sending.programada_id}`}>#{sending.programada_id}</Link>;
  return <Nothing />;
}

function SendingDialog({ sending, onClose }: { sending: Sending; onClose: () => void }) {
  const t = useWords();
  return (
    <Dialog title={t(wordsOfEvent(sending.tipo).pt, wordsOfEvent(sending.tipo).en)} onClose={onClose} wide>
      <dl className="facts">
        <dt>{t('Nome para programas', 'Name for programs')}</dt>
        <dd>{sending.tipo}</dd>
        <dt>{t('Identificador', 'Identifier')}</dt>
        <dd>{sending.evento_id}</dd>
        <dt>{t('Sequência', 'Sequence')}</dt>
        <dd>{sending.sequencia ?? '—'}</dd>
        <dt>{t('Estado', 'State')}</dt>
        <dd>
          <SendingState state={sending.estado} />
        </dd>
        <dt>{t('Tentativas', 'Attempts')}</dt>
        <dd>{sending.tentativas}</dd>
        <dt>{t('Última tentativa', 'Last attempt')}</dt>
        <dd>
          <TimeAgo at={sending.ultima_tentativa} />
        </dd>
        <dt>{t('Próxima tentativa', 'Next attempt')}</dt>
        <dd>
          <TimeAgo at={sending.proxima_tentativa} />
        </dd>
        <dt>{t('Resposta', 'Answer')}</dt>
        <dd>
          {sending.status_http ?? '—'} {sending.duracao_ms !== null && `· ${sending.duracao_ms} ms`}
        </dd>
        {sending.erro && (
          <>
            <dt>{t('Erro', 'Error')}</dt>
            <dd>{t(wordsOfError(sending.erro).pt, wordsOfError(sending.erro).en)}</dd>
          </>
        )}
        <dt>{t('Corpo da resposta', 'Body of the answer')}</dt>
        <dd>
          <code style={{ whiteSpace: 'pre-wrap' }}>{sending.resposta || '—'}</code>
        </dd>
      </dl>
    </Dialog>
  );
}
