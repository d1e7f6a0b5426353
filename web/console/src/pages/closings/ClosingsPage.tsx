import { useState } from 'react';
import { ACCOUNT_SUM_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { serverNow } from '../../../../shared/clock.ts';
import { counted, formatMoney, showDate } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import {
  CLOSINGS_LIMIT,
  type Closing,
  type ClosingKind,
  closeAccount,
  downloadClosing,
  type Preview,
  previewClosing,
  useClosings,
} from '../../data/closings.ts';
import { useCompanies, useDrivers } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { go, usePlace, withQuery } from '../../router.tsx';
import { IfMay, useIsManager, useMay, useSession } from '../../session.tsx';
import { DateField } from '../../ui/BrazilianFields.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Choices, SelectField } from '../../ui/Field.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Pager, Table, usePage } from '../../ui/Table.tsx';
import { Fact, Money, TimeAgo, useCopy } from '../../ui/texts.tsx';

/** Closes the accounts of companies and drivers: preview, then closing, then the statement as a file. */
export function ClosingsPage() {
  const t = useWords();
  const { query } = usePlace();
  const seesAll = !useIsManager();
  const kind: ClosingKind = seesAll && query.get('tipo') === 'condutores' ? 'condutores' : 'empresas';
  const choose = (tipo: ClosingKind) => go(withQuery({ tipo, de_quem: null, pagina: null }));
  return (
    <>
      <div className="page-head">
        <h1>{t('Fechamento', 'Closing')}</h1>
        {seesAll && (
          <fieldset
            className="actions"
            aria-label={t('De quem', 'Of whom')}
            style={{ border: 0, padding: 0, marginBlock: 0 }}
          >
            <button
              type="button"
              className={kind === 'empresas' ? 'primary' : ''}
              aria-pressed={kind === 'empresas'}
              onClick={() => choose('empresas')}
            >
              {t('Empresas', 'Companies')}
            </button>
            <button
              type="button"
              className={kind === 'condutores' ? 'primary' : ''}
              aria-pressed={kind === 'condutores'}
              onClick={() => choose('condutores')}
            >
              {t('Entregadores', 'Drivers')}
            </button>
          </fieldset>
        )}
      </div>
      <IfMay permission="closings">
        <NewClosing key={kind} kind={kind} />
      </IfMay>
      <h2 style={{ marginTop: 24 }}>{t('Fechamentos feitos', 'Past closings')}</h2>
      <PastClosings kind={kind} />
    </>
  );
}

/** The last day of the previous month in the central's time zone, which is the usual end of a closing. */
function usualDay(timeZone: string): string {
  const [year, month] = new Intl.DateTimeFormat('en-CA', { timeZone })
    .format(serverNow())
    .split('-')
    .map(Number);
  return new Date(Date.UTC(year!, month! - 1, 0)).toISOString().slice(0, 10);
}

/** The account and the last day of a preview. A preview of another one is not shown. */
interface Asked {
  whose: string;
  until: string;
}

function NewClosing({ kind }: { kind: ClosingKind }) {
  const t = useWords();
  const companies = useCompanies();
  const drivers = useDrivers();
  const { query } = usePlace();
  const whose = query.get('de_quem') ?? '';
  const { fuso_horario: zone } = useSession().central;
  const [until, setUntil] = useState(() => usualDay(zone));
  const preview = useAction((asked: Asked) => previewClosing(kind, asked.whose, asked.until));
  const isOfThis = preview.variables?.whose === whose && preview.variables.until === until;
  const open = isOfThis ? preview.data : undefined;
  const close = useAction((_seen: Preview) => closeAccount(kind, whose, until), {
    done: ({ total, restantes }, seen) => {
      if (restantes > 0)
        return t(
          `Fechado em parte: ${counted(restantes, 'lançamento deste dia continua', 'lançamentos deste dia continuam')} em aberto. Feche até o mesmo dia outra vez.`,
          `Closed in part: ${counted(restantes, 'entry of this day is', 'entries of this day are')} still open. Close up to the same day again.`,
        );
      if (total === seen.total) return t('Fechado.', 'Closed.');
      return t(
        `Fechado em ${formatMoney(total)}: houve lançamentos depois do que você viu.`,
        `Closed at ${formatMoney(total)}: there were entries after what you saw.`,
      );
    },
    refresh: ['closings'],
    onDone: () => preview.reset(),
  });
  const isCompany = kind === 'empresas';
  return (
    <section className="panel" aria-label={t('Novo fechamento', 'New closing')}>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate({ whose, until });
        }}
      >
        <SelectField
          label={isCompany ? t('Empresa', 'Company') : t('Entregador', 'Driver')}
          required
          value={whose}
          onChange={({ currentTarget }) => go(withQuery({ de_quem: currentTarget.value }), { replace: true })}
        >
          <option value="">{t('Escolha', 'Choose')}</option>
          <Choices of={isCompany ? companies.data : drivers.data} />
        </SelectField>
        <DateField label={t('Até o dia', 'Up to the day')} required value={until} onValue={setUntil} />
        <button type="submit" className="primary" disabled={!whose || preview.isPending}>
          {t('Ver o que está em aberto', 'See what is open')}
        </button>
      </form>
      <ErrorBox error={isOfThis ? preview.error : null} />
      {open && (
        <>
          <Totals kind={kind} preview={open} />
          {open.restantes > 0 && (
            <p className="soft">
              {t(
                `Este dia tem mais lançamentos do que cabem em um fechamento. Este leva os primeiros; ${counted(open.restantes, 'fica', 'ficam')} para o próximo, até o mesmo dia.`,
                `This day has more entries than fit into one closing. This one takes the first; ${counted(open.restantes, 'is', 'are')} left for the next, up to the same day.`,
              )}
            </p>
          )}
          <ConfirmButton
            label={t('Fechar a conta', 'Close the account')}
            className="primary"
            title={t(`Fechar até ${showDate(until)}?`, `Close up to ${showDate(until)}?`)}
            what={t(
              `${counted(open.lancamentos, 'lançamento entra', 'lançamentos entram')} neste fechamento e em nenhum outro. Não se desfaz: uma correção é um novo lançamento.`,
              `${counted(open.lancamentos, 'entry goes', 'entries go')} into this closing and into no other. It cannot be undone: a correction is a new entry.`,
            )}
            act={t('Fechar a conta', 'Close the account')}
            onConfirm={() => close.mutateAsync(open)}
          />
        </>
      )}
    </section>
  );
}

function Totals({ kind, preview }: { kind: ClosingKind; preview: Preview }) {
  const t = useWords();
  const language = useLanguage();
  return (
    <dl className="facts">
      <Fact name={t('Período', 'Period')}>{daysInWords(preview, t)}</Fact>
      <Fact name={t('Entregas', 'Deliveries')}>{String(preview.entregas)}</Fact>
      {preview.totais.map(({ tipo, valor }) => (
        <Fact key={tipo} name={ACCOUNT_SUM_LABELS[tipo][language]}>
          <Money value={valor} />
        </Fact>
      ))}
      {Number(preview.descontos) !== 0 && (
        <Fact name={t('Descontos, já incluídos', 'Discounts, already included')}>
          <Money value={preview.descontos} />
        </Fact>
      )}
      <Fact name={dueWords(kind, preview.total, t)}>
        <strong>
          <Money value={Math.abs(Number(preview.total))} />
        </strong>
      </Fact>
    </dl>
  );
}

function dueWords(kind: ClosingKind, total: string, t: (pt: string, en: string) => string): string {
  const isOwed = Number(total) >= 0;
  if (kind === 'empresas')
    return isOwed
      ? t('A empresa paga', 'The company pays')
      : t('Crédito da empresa', 'Credit of the company');
  return isOwed
    ? t('A central paga ao entregador', 'The central pays the driver')
    : t('O entregador deve', 'The driver owes');
}

function PastClosings({ kind }: { kind: ClosingKind }) {
  const t = useWords();
  const page = usePage();
  const mayClose = useMay('closings');
  const closings = useClosings(kind, page);
  const columns: Column<Closing>[] = [
    {
      key: 'name',
      header: kind === 'empresas' ? t('Empresa', 'Company') : t('Entregador', 'Driver'),
      cell: ({ id, nome, de, ate }) => (
        <>
          {nome} <span className="soft number">{t(`nº ${id}`, `no. ${id}`)}</span>
          <span className="second soft">{daysInWords({ de, ate }, t)}</span>
        </>
      ),
    },
    {
      key: 'when',
      header: t('Fechado', 'Closed'),
      wideOnly: true,
      cell: ({ fechado_em }) => <TimeAgo at={fechado_em} />,
    },
    {
      key: 'total',
      header: t('Total', 'Total'),
      figures: true,
      cell: ({ total }) => (
        <>
          <Money value={Math.abs(Number(total))} />
          <span className="second soft">{dueWords(kind, total, t)}</span>
        </>
      ),
    },
    {
      key: 'paid',
      header: t('Pagamento', 'Payment'),
      cell: (closing) => <Paid kind={kind} closing={closing} />,
    },
    {
      key: 'files',
      header: <span className="unseen">{t('Arquivos', 'Files')}</span>,
      name: t('Arquivos', 'Files'),
      cell: (closing) => <Files closing={closing} />,
    },
  ];
  return (
    <Loaded query={closings}>
      {(rows) => (
        <>
          {rows.length === 0 && page === 1 ? (
            <Empty title={t('Nenhum fechamento ainda', 'No closing yet')}>
              {mayClose
                ? t(
                    'Escolha acima de quem e até quando; o que está em aberto aparece antes de fechar.',
                    'Choose above of whom and up to when; what is open is shown before it is closed.',
                  )
                : t(
                    'Quando a central fechar a sua conta, o extrato e o código Pix aparecem aqui.',
                    'When the central closes your account, its statement and Pix code appear here.',
                  )}
            </Empty>
          ) : (
            <Table
              label={t('Fechamentos feitos', 'Past closings')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              cards
            />
          )}
          <Pager shown={rows.length} limit={CLOSINGS_LIMIT} />
        </>
      )}
    </Loaded>
  );
}

function Paid({ kind, closing }: { kind: ClosingKind; closing: Closing }) {
  const t = useWords();
  const pay = useAction(() => call('operacao', 'POST /fechamentos/{id}/pagar', { id: closing.id }), {
    done: t('Marcado como pago.', 'Marked as paid.'),
    refresh: ['closings', 'driver-account', 'driver-statement'],
  });
  const mayPay = useMay('closings');
  if (closing.pago_em) return <TimeAgo at={closing.pago_em} />;
  if (!mayPay) return t('em aberto', 'open');
  return (
    <ConfirmButton
      label={t('Marcar como pago', 'Mark as paid')}
      className="plain"
      title={t(`Fechamento ${closing.id} pago?`, `Closing ${closing.id} paid?`)}
      what={paymentWords(kind, closing, t)}
      act={t('Está pago', 'It is paid')}
      onConfirm={() => pay.mutateAsync()}
    />
  );
}

/** Says who pays whom, and that the payment settles the cash that the driver kept. */
function paymentWords(kind: ClosingKind, closing: Closing, t: (pt: string, en: string) => string): string {
  const cash = keptCash(closing);
  const settles = t(
    `O dinheiro recebido que ficou com o entregador (${formatMoney(cash)}) fica acertado e não precisa mais ser entregue.`,
    `The cash that the driver kept (${formatMoney(cash)}) is settled and need not be handed in any more.`,
  );
  return [payerWords(kind, closing, t), ...(cash > 0 ? [settles] : [])].join(' ');
}

const keptCash = ({ totais }: Closing): number =>
  -totais
    .filter(({ tipo }) => tipo === 'dinheiro_recebido' || tipo === 'dinheiro_entregue')
    .reduce((sum, { valor }) => sum + Math.round(Number(valor) * 100), 0) / 100;

/** With a negative total, payer and payee are exchanged. */
function payerWords(
  kind: ClosingKind,
  { total, nome }: Closing,
  t: (pt: string, en: string) => string,
): string {
  const amount = formatMoney(Math.abs(Number(total)));
  if (Number(total) === 0) return t('Não há valor a pagar.', 'There is nothing to pay.');
  const isPaidToCentral = (kind === 'empresas') === Number(total) > 0;
  return isPaidToCentral
    ? t(`Lança que ${nome} pagou ${amount} à central.`, `Enters that ${nome} paid ${amount} to the central.`)
    : t(
        `Lança que a central pagou ${amount} a ${nome}.`,
        `Enters that the central paid ${amount} to ${nome}.`,
      );
}

function Files({ closing }: { closing: Closing }) {
  const t = useWords();
  const { id, pix } = closing;
  const download = useAction((format: 'pdf' | 'csv') => downloadClosing(id, format), { toastsFailure: true });
  const copy = useCopy();
  return (
    <span className="actions in-row">
      {(['pdf', 'csv'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="plain"
          aria-label={t(
            `Baixar o fechamento ${id} em ${format.toUpperCase()}`,
            `Download closing ${id} as ${format.toUpperCase()}`,
          )}
          disabled={download.isPending}
          onClick={() => download.mutate(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
      {pix && (
        <button
          type="button"
          className="plain"
          aria-label={t(`Copiar o Pix do fechamento ${id}`, `Copy the Pix of closing ${id}`)}
          onClick={() => void copy(pix, t('Código Pix copiado.', 'Pix code copied.'))}
        >
          Pix
        </button>
      )}
    </span>
  );
}

/** A period of one day is shown as that day. */
const daysInWords = ({ de, ate }: { de: string; ate: string }, t: ReturnType<typeof useWords>): string =>
  de === ate ? showDate(de) : `${showDate(de)} ${t('a', 'to')} ${showDate(ate)}`;
