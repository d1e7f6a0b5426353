import { formatKm, formatPhone } from '../../../../shared/formats.ts';
import { MapView } from '../../../../shared/map/MapView.tsx';
import { paymentLabel } from '../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type ScheduledStop, type ScheduledWithStory, useScheduled } from '../../data/scheduled.ts';
import { useAction } from '../../form.ts';
import { Link, usePlace } from '../../router.tsx';
import { useMay, useSession } from '../../session.tsx';
import { SituationBadge } from '../../ui/badges.tsx';
import { DemandFacts, useStopDemandWords } from '../../ui/DemandTexts.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';
import { Story } from './Story.tsx';
import { EditingIsForManagers, useMayEdit } from './useMayEdit.tsx';
import './scheduled.css';

export function ScheduledDetailPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const t = useWords();
  const scheduled = useScheduled(id);
  return (
    <>
      <p>
        <Link to="/programadas">‹ {t('Programadas', 'Scheduled')}</Link>
      </p>
      <Loaded query={scheduled}>{(each) => <Detail entry={each} />}</Loaded>
    </>
  );
}

function Detail({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  const id = entry.id_mch_programada;
  return (
    <>
      <header className="page-head">
        <h1>{t(`Programada #${id}`, `Scheduled #${id}`)}</h1>
        <SituationBadge situation={entry.situacao} />
        <Actions entry={entry} />
      </header>
      <div className="scheduled-detail">
        <div>
          <WhatBecame entry={entry} />
          <section className="panel" aria-label={t('Dados', 'Data')}>
            <Facts entry={entry} />
          </section>
          <section aria-labelledby="stops">
            <h2 id="stops">{t('Paradas', 'Stops')}</h2>
            <Stops entry={entry} />
          </section>
        </div>
        <div>
          <RouteMap entry={entry} />
          <section aria-labelledby="story">
            <h2 id="story">{t('Histórico', 'History')}</h2>
            <Story events={entry.historico} />
          </section>
        </div>
      </div>
    </>
  );
}

function Actions({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  const isDesk = useMay('desk');
  const mayOrder = useMay('order');
  const mayEdit = useMayEdit(entry);
  const { central } = useSession();
  const mayCancel = isDesk || entry.situacao !== 'A' || central.permite_cancelar_programada_aguardando;
  const id = entry.id_mch_programada;
  const send = (): Promise<unknown> =>
    isDesk
      ? call('operacao', 'POST /programadas/{id}/cancelar', { id })
      : call('integracao', 'POST /entregas/programadas/{id}/cancelar', { id });
  const cancel = useAction(send, {
    done: t(`#${id} cancelada.`, `#${id} cancelled.`),
    refresh: ['scheduled', 'deliveries', 'counts'],
  });
  const what =
    entry.situacao === 'D'
      ? t('A entrega gerada por ela também é cancelada.', 'The delivery made of it is cancelled too.')
      : entry.situacao === 'agrupado'
        ? t('As suas paradas saem da principal.', 'Its stops leave the main delivery.')
        : entry.agrupadas.length
          ? t(
              `Ela leva também as paradas de ${entry.agrupadas.map((other) => `#${other}`).join(', ')}: todas são canceladas.`,
              `It carries the stops of ${entry.agrupadas.map((other) => `#${other}`).join(', ')} as well: all are cancelled.`,
            )
          : entry.situacao === 'X'
            ? t(
                'A saída já falhou; ela sai do que precisa de você.',
                'Its dispatch has failed already; it leaves what needs you.',
              )
            : t('Ela não sairá.', 'It will not be dispatched.');
  return (
    <div className="actions">
      {(entry.situacao === 'A' || entry.situacao === 'X') &&
        !entry.agrupada_automaticamente &&
        (mayEdit ? (
          <Link className="button" to={`/programadas/${id}/editar`}>
            {entry.situacao === 'X' ? t('Enviar de novo', 'Send again') : t('Editar', 'Edit')}
          </Link>
        ) : (
          entry.empresa && <EditingIsForManagers />
        ))}
      {mayOrder && !mayCancel && (
        <span className="soft">
          {t(
            'Para cancelar antes da saída, fale com a central.',
            'To cancel before dispatch, ask the central.',
          )}
        </span>
      )}
      {mayOrder && mayCancel && entry.situacao !== 'C' && (
        <ConfirmButton
          label={t('Cancelar programada', 'Cancel')}
          title={t(`Cancelar a programada #${id}?`, `Cancel scheduled delivery #${id}?`)}
          what={what}
          act={t('Cancelar programada', 'Cancel it')}
          danger
          onConfirm={() => cancel.mutateAsync()}
        />
      )}
    </div>
  );
}

function HowItLeavesAgain({ isPersons }: { isPersons: boolean }) {
  const t = useWords();
  return isPersons
    ? t(
        'Ela não sai sozinha de novo: a central a envia de novo com outro horário, ou a cancela.',
        'It does not leave again by itself: the central sends it again at another time, or cancels it.',
      )
    : t(
        'Ela não sai sozinha de novo: o gerente da empresa a envia de novo com outro horário, ou ela é cancelada.',
        'It does not leave again by itself: the company manager sends it again at another time, or it is cancelled.',
      );
}

function WhatBecame({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  if (entry.falha)
    return (
      <p className="banner">
        {t('A saída falhou: ', 'The dispatch failed: ')}
        {entry.falha}. {entry.situacao === 'X' && <HowItLeavesAgain isPersons={entry.empresa === null} />}
      </p>
    );
  const lines = [
    entry.agrupada_em && (
      <>
        {entry.agrupada_automaticamente
          ? t('Agrupada automaticamente na ', 'Grouped automatically into ')
          : t('Agrupada na ', 'Grouped into ')}
        <Link to={`/programadas/${entry.agrupada_em}`}>
          {t('programada', 'scheduled')} #{entry.agrupada_em}
        </Link>
        .
      </>
    ),
    entry.id_mch && (
      <>
        {t('As paradas estão na ', 'Its stops are in ')}
        <Link to={`/entregas/${entry.id_mch}`}>
          {t('entrega', 'delivery')} #{entry.id_mch}
        </Link>
        .
      </>
    ),
    entry.agrupadas.length > 0 && (
      <>
        {t('Leva também as paradas de ', 'Carries the stops of ')}
        {entry.agrupadas.map((other, index) => (
          <span key={other}>
            {index > 0 && ', '}
            <Link to={`/programadas/${other}`}>#{other}</Link>
          </span>
        ))}
        .
      </>
    ),
  ].filter(Boolean);
  if (lines.length === 0) return null;
  return <p className="panel">{lines.map((line, index) => [index > 0 && ' ', line])}</p>;
}

function Facts({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  const language = useLanguage();
  const payment = paymentLabel[entry.forma_pagamento];
  return (
    <dl className="facts">
      <dt>{t('Saída', 'Dispatch')}</dt>
      <dd>
        <TimeAgo at={entry.disparo_em} />
      </dd>
      <dt>{t('Pedida', 'Ordered')}</dt>
      <dd>
        <TimeAgo at={entry.pedida_em} />
      </dd>
      <dt>{entry.empresa ? t('Empresa', 'Company') : t('Cliente', 'Customer')}</dt>
      <dd>{entry.empresa?.nome ?? entry.nome_cliente}</dd>
      <dt>{t('Coleta', 'Pickup')}</dt>
      <dd>
        {[entry.coleta.endereco, entry.coleta.complemento, entry.coleta.bairro, entry.coleta.cidade]
          .filter(Boolean)
          .join(', ')}
      </dd>
      <dt>{t('Categoria', 'Category')}</dt>
      <dd>
        {entry.categoria.nome} <span className="soft">({entry.tarifa})</span>
      </dd>
      <dt>{t('Pagamento', 'Payment')}</dt>
      <dd>{payment ? t(payment.pt, payment.en) : entry.forma_pagamento}</dd>
      <dt>{t('Estimativa', 'Estimate')}</dt>
      <dd>
        <Money value={entry.valor} /> · {formatKm(entry.km, language)} · {entry.minutos} min
        {entry.com_retorno && ` · ${t('com retorno', 'with return')}`}
        {entry.estimativa_desatualizada && (
          <span className="late">
            {' '}
            {t('a refazer: a rota não respondeu', 'to be redone: no router answered')}
          </span>
        )}
      </dd>
      <DemandFacts demands={entry.exigencias} />
      {entry.codigo_cupom && (
        <>
          <dt>{t('Cupom', 'Coupon')}</dt>
          <dd>
            {entry.codigo_cupom} <span className="soft">({t('antes', 'before')} </span>
            <Money value={entry.valor_original} />
            <span className="soft">)</span>
          </dd>
        </>
      )}
      {entry.id_externo && (
        <>
          <dt>{t('Código de quem pediu', "Customer's code")}</dt>
          <dd>{entry.id_externo}</dd>
        </>
      )}
      {entry.observacao && (
        <>
          <dt>{t('Observação', 'Note')}</dt>
          <dd>{entry.observacao}</dd>
        </>
      )}
    </dl>
  );
}

function Stops({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  const mayOrder = useMay('order');
  const demandWords = useStopDemandWords();
  const id = entry.id_mch_programada;
  const remove = useAction(
    (stopId: string) =>
      call('integracao', 'DELETE /entregas/programadas/{id}/paradas/{parada_id}', { id, parada_id: stopId }),
    {
      done: t('Parada removida; a estimativa foi refeita.', 'Stop removed; estimated again.'),
      refresh: ['scheduled'],
    },
  );
  const columns: Column<ScheduledStop>[] = [
    { key: 'order', header: t('Ordem', 'Order'), figures: true, cell: ({ ordem }) => ordem + 1 },
    {
      key: 'where',
      header: t('Endereço', 'Address'),
      cell: (stop) => (
        <>
          {[stop.endereco, stop.complemento].filter(Boolean).join(', ')}
          <br />
          <span className="soft">{[stop.bairro, stop.referencia].filter(Boolean).join(' · ')}</span>
          {stop.exigencias && (
            <>
              <br />
              <span className="soft">{demandWords(stop.exigencias)}</span>
            </>
          )}
        </>
      ),
    },
    {
      key: 'who',
      header: t('Destinatário', 'Recipient'),
      cell: (stop) => (
        <>
          {stop.nome_cliente ?? '—'}
          <br />
          <span className="soft number">{stop.telefone_cliente && formatPhone(stop.telefone_cliente)}</span>
        </>
      ),
    },
    {
      key: 'order-number',
      header: t('Pedido', 'Order no.'),
      cell: (stop) => stop.numero_pedido ?? '—',
      wideOnly: true,
    },
    ...(entry.agrupadas.length
      ? [
          {
            key: 'with',
            header: t('Pedida com', 'Ordered with'),
            cell: (stop: ScheduledStop) => (
              <Link to={`/programadas/${stop.pedida_com}`}>#{stop.pedida_com}</Link>
            ),
          },
        ]
      : []),
    ...(mayOrder && entry.situacao === 'A' && entry.paradas.length > 1
      ? [
          {
            key: 'remove',
            header: <span className="unseen">{t('Remover', 'Remove')}</span>,
            cell: (stop: ScheduledStop) => (
              <ConfirmButton
                label={t('Remover', 'Remove')}
                className="plain"
                title={t('Remover esta parada?', 'Remove this stop?')}
                what={t(
                  `${stop.endereco} sai da programada #${id}; quem a pediu é avisado e a estimativa é refeita.`,
                  `${stop.endereco} leaves scheduled delivery #${id}; who ordered it is told, and it is estimated again.`,
                )}
                act={t('Remover parada', 'Remove stop')}
                danger
                onConfirm={() => remove.mutateAsync(stop.id)}
              />
            ),
          },
        ]
      : []),
  ];
  if (entry.paradas.length === 0)
    return (
      <p className="soft">
        {t(
          'As paradas estão na solicitação que as leva.',
          'The stops are with the request that carries them.',
        )}
      </p>
    );
  return (
    <Table
      label={t('Paradas', 'Stops')}
      columns={columns}
      rows={entry.paradas}
      rowKey={({ id: stopId }) => stopId}
    />
  );
}

function RouteMap({ entry }: { entry: ScheduledWithStory }) {
  const t = useWords();
  const along = [
    entry.coleta,
    ...entry.paradas,
    ...(entry.com_retorno && entry.paradas.length ? [entry.coleta] : []),
  ];
  return (
    <MapView
      label={t('Mapa da coleta e das paradas', 'Map of pickup and stops')}
      points={[
        {
          id: 'pickup',
          shape: 'pickup',
          letter: t('C', 'P'),
          label: `${t('Coleta', 'Pickup')}: ${entry.coleta.endereco}`,
          lat: entry.coleta.lat,
          lng: entry.coleta.lng,
        },
        ...entry.paradas.map((stop) => ({
          id: stop.id,
          shape: 'stop' as const,
          letter: String(stop.ordem + 1),
          label: stop.endereco,
          lat: stop.lat,
          lng: stop.lng,
        })),
      ]}
      lines={[{ id: 'way', line: along.map(({ lat, lng }) => [lng, lat] as const) }]}
      around={along}
      aroundKey={along.map(({ lat, lng }) => `${lat} ${lng}`).join()}
    />
  );
}
