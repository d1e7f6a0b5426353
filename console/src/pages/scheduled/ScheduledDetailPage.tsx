import { call } from '../../api.ts';
import { type ScheduledStop, type ScheduledWithStory, useScheduled } from '../../data/scheduled.ts';
import { useAction } from '../../form.ts';
import { formatKm, formatPhone } from '../../formats.ts';
import { Link, usePlace } from '../../router.tsx';
import { useIsOperator, useSession } from '../../session.tsx';
import { paymentLabel } from '../../statuses.ts';
import { SituationBadge } from '../../ui/badges.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MapView } from '../../ui/map/MapView.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';
import { useLanguage, useWords } from '../../words.ts';
import { Story } from './Story.tsx';
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
      <Loaded query={scheduled}>{(one) => <Detail one={one} />}</Loaded>
    </>
  );
}

function Detail({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const id = one.id_mch_programada;
  return (
    <>
      <header className="page-head">
        <h1>{t(`Programada #${id}`, `Scheduled #${id}`)}</h1>
        <SituationBadge situation={one.situacao} />
        <Actions one={one} />
      </header>
      <div className="scheduled-detail">
        <div>
          <WhatBecame one={one} />
          <section className="panel" aria-label={t('Dados', 'Data')}>
            <Facts one={one} />
          </section>
          <section aria-labelledby="stops">
            <h2 id="stops">{t('Paradas', 'Stops')}</h2>
            <Stops one={one} />
          </section>
        </div>
        <div>
          <RouteMap one={one} />
          <section aria-labelledby="story">
            <h2 id="story">{t('História', 'Story')}</h2>
            <Story events={one.historico} />
          </section>
        </div>
      </div>
    </>
  );
}

function Actions({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const isOperator = useIsOperator();
  const { perfil } = useSession();
  const id = one.id_mch_programada;
  const send = (): Promise<unknown> =>
    isOperator
      ? call('operacao', 'POST /programadas/{id}/cancelar', { id })
      : call('integracao', 'POST /entregas/programadas/{id}/cancelar', { id });
  const cancel = useAction(send, {
    done: t(`#${id} cancelada.`, `#${id} cancelled.`),
    refresh: ['scheduled', 'deliveries', 'counts'],
  });
  const what =
    one.situacao === 'D'
      ? t('A entrega gerada por ela também é cancelada.', 'The delivery made of it is cancelled too.')
      : one.situacao === 'agrupado'
        ? t('As suas paradas saem da agrupadora.', 'Its stops leave the grouper.')
        : one.agrupadas.length
          ? t(
              `Ela leva também as paradas de ${one.agrupadas.map((other) => `#${other}`).join(', ')}: todas são canceladas.`,
              `It carries the stops of ${one.agrupadas.map((other) => `#${other}`).join(', ')} as well: all are cancelled.`,
            )
          : one.situacao === 'X'
            ? t(
                'O disparo já falhou; ela sai do que precisa de você.',
                'Its dispatch has failed already; it leaves what needs you.',
              )
            : t('Ela não será disparada.', 'It will not be dispatched.');
  return (
    <div className="actions">
      {(one.situacao === 'A' || one.situacao === 'X') &&
        !one.agrupada_automaticamente &&
        (perfil === 'gerente' ? (
          <Link className="button" to={`/programadas/${id}/editar`}>
            {one.situacao === 'X' ? t('Enviar de novo', 'Send again') : t('Editar', 'Edit')}
          </Link>
        ) : (
          <span className="soft">
            {one.situacao === 'X'
              ? t(
                  'Enviar de novo é somente do gerente da empresa.',
                  'Sending again is for the company manager only.',
                )
              : t('A edição é somente do gerente da empresa.', 'Editing is for the company manager only.')}
          </span>
        ))}
      {one.situacao !== 'C' && (
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

function WhatBecame({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  if (one.falha)
    return (
      <p className="banner">
        {t('O disparo falhou: ', 'The dispatch failed: ')}
        {one.falha}.{' '}
        {one.situacao === 'X' &&
          t(
            'Ela não sai sozinha de novo: o gerente da empresa a envia de novo com outro horário, ou ela é cancelada.',
            'It does not leave again by itself: the company manager sends it again at another time, or it is cancelled.',
          )}
      </p>
    );
  const lines = [
    one.agrupada_em && (
      <>
        {one.agrupada_automaticamente
          ? t('Agrupada automaticamente na ', 'Grouped automatically into ')
          : t('Agrupada na ', 'Grouped into ')}
        <Link to={`/programadas/${one.agrupada_em}`}>
          {t('programada', 'scheduled')} #{one.agrupada_em}
        </Link>
        .
      </>
    ),
    one.id_mch && (
      <>
        {t('As paradas estão na ', 'Its stops are in ')}
        <Link to={`/entregas/${one.id_mch}`}>
          {t('entrega', 'delivery')} #{one.id_mch}
        </Link>
        .
      </>
    ),
    one.agrupadas.length > 0 && (
      <>
        {t('Leva também as paradas de ', 'Carries the stops of ')}
        {one.agrupadas.map((other, index) => (
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

function Facts({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const language = useLanguage();
  const payment = paymentLabel[one.forma_pagamento];
  return (
    <dl className="facts">
      <dt>{t('Disparo', 'Dispatch')}</dt>
      <dd>
        <TimeAgo at={one.disparo_em} />
      </dd>
      <dt>{t('Pedida', 'Ordered')}</dt>
      <dd>
        <TimeAgo at={one.pedida_em} />
      </dd>
      <dt>{one.empresa ? t('Empresa', 'Company') : t('Cliente', 'Customer')}</dt>
      <dd>{one.empresa?.nome ?? one.nome_cliente}</dd>
      <dt>{t('Coleta', 'Pickup')}</dt>
      <dd>
        {[one.coleta.endereco, one.coleta.complemento, one.coleta.bairro, one.coleta.cidade]
          .filter(Boolean)
          .join(', ')}
      </dd>
      <dt>{t('Categoria', 'Category')}</dt>
      <dd>
        {one.categoria.nome} <span className="soft">({one.tarifa})</span>
      </dd>
      <dt>{t('Pagamento', 'Payment')}</dt>
      <dd>{payment ? t(payment.pt, payment.en) : one.forma_pagamento}</dd>
      <dt>{t('Estimativa', 'Estimate')}</dt>
      <dd>
        <Money value={one.valor} /> · {formatKm(one.km, language)} · {one.minutos} min
        {one.com_retorno && ` · ${t('com retorno', 'with return')}`}
        {one.estimativa_desatualizada && (
          <span className="late">
            {' '}
            {t('a refazer: a rota não respondeu', 'to be redone: no router answered')}
          </span>
        )}
      </dd>
      {one.codigo_cupom && (
        <>
          <dt>{t('Cupom', 'Coupon')}</dt>
          <dd>
            {one.codigo_cupom} <span className="soft">({t('antes', 'before')} </span>
            <Money value={one.valor_original} />
            <span className="soft">)</span>
          </dd>
        </>
      )}
      {one.observacao && (
        <>
          <dt>{t('Observação', 'Note')}</dt>
          <dd>{one.observacao}</dd>
        </>
      )}
    </dl>
  );
}

function Stops({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const id = one.id_mch_programada;
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
    ...(one.agrupadas.length
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
    ...(one.situacao === 'A' && one.paradas.length > 1
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
  if (one.paradas.length === 0)
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
      rows={one.paradas}
      rowKey={({ id: stopId }) => stopId}
    />
  );
}

function RouteMap({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const along = [one.coleta, ...one.paradas, ...(one.com_retorno && one.paradas.length ? [one.coleta] : [])];
  return (
    <MapView
      label={t('Mapa da coleta e das paradas', 'Map of pickup and stops')}
      points={[
        {
          id: 'pickup',
          shape: 'pickup',
          letter: t('C', 'P'),
          label: `${t('Coleta', 'Pickup')}: ${one.coleta.endereco}`,
          lat: one.coleta.lat,
          lng: one.coleta.lng,
        },
        ...one.paradas.map((stop) => ({
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
