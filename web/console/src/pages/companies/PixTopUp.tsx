import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatMoney } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call, type Entry } from '../../api.ts';
import type { Statement } from '../../data/registers.ts';
import { fieldErrors, useAction } from '../../form.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { Table } from '../../ui/Table.tsx';
import { Copy, Money, TimeAgo } from '../../ui/texts.tsx';

type PixCode = Answer<'operacao', 'POST /empresas/{id}/pix'>;
type Awaited = Entry<'operacao', 'GET /empresas/{id}/pix'>;

/** Asks for an amount, then shows the Pix code for paying it. */
export function PixDialog({ company, onClose }: { company: Statement['empresa']; onClose: () => void }) {
  const t = useWords();
  const [amount, setAmount] = useState('');
  const [code, setCode] = useState<PixCode | null>(null);
  const make = useAction(
    () => call('operacao', 'POST /empresas/{id}/pix', { id: company.id, body: { valor: amount } }),
    { refresh: ['pix'], onDone: setCode },
  );
  const errors = fieldErrors(make.error, (field) => field === 'valor');
  return (
    <Dialog title={t('Pagar créditos por Pix', 'Pay for credit by Pix')} onClose={onClose}>
      {code ? (
        <ShownCode code={code} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate();
          }}
        >
          <DecimalField
            label={t('Valor em reais', 'Amount in reais')}
            required
            placeholder="150,00"
            value={amount}
            error={errors.of('valor')}
            onValue={setAmount}
          />
          <ErrorBox error={errors.rest} />
          <div className="dialog-actions">
            <button type="button" onClick={onClose}>
              {t('Voltar', 'Go back')}
            </button>
            <button type="submit" className="primary" disabled={make.isPending}>
              {t('Gerar código', 'Make the code')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function ShownCode({ code, onClose }: { code: PixCode; onClose: () => void }) {
  const t = useWords();
  const shown = useRef<HTMLElement>(null);
  // The field for the amount is gone, and the focus with it.
  useEffect(() => shown.current?.focus(), []);
  return (
    <>
      <section ref={shown} tabIndex={-1} className="invite" aria-label={t('Código Pix', 'Pix code')}>
        <QrCode text={code.codigo} label={t('QR do Pix', 'QR code of the Pix')} />
        <div>
          <p>
            <strong>{formatMoney(code.valor)}</strong>
          </p>
          <p>
            {t('Identificador: ', 'Identifier: ')}
            <code>{code.identificador}</code>
          </p>
          <p className="soft">
            {t(
              'Os créditos entram na carteira quando a central confirma que o dinheiro chegou.',
              'The credit is added when the central confirms that the money has arrived.',
            )}
          </p>
          <Copy text={code.codigo} label={t('Copiar o código Pix', 'Copy the Pix code')} />
        </div>
      </section>
      <div className="dialog-actions">
        <button type="button" className="primary" onClick={onClose}>
          {t('Pronto', 'Done')}
        </button>
      </div>
    </>
  );
}

/** Pix codes whose money has not arrived. Users with the permission credit each of them once. */
export function AwaitedPix({ company, mayCredit }: { company: Statement['empresa']; mayCredit: boolean }) {
  const t = useWords();
  const [arrived, setArrived] = useState<Awaited | null>(null);
  const [shown, setShown] = useState<Awaited | null>(null);
  const { data = [] } = useQuery({
    queryKey: ['pix', company.id],
    queryFn: () => call('operacao', 'GET /empresas/{id}/pix', { id: company.id }),
  });
  if (data.length === 0) return null;
  return (
    <section className="awaited-pix" aria-labelledby="awaited-pix">
      <h3 id="awaited-pix">{t('Pix que ainda não chegaram', 'Pix that have not arrived')}</h3>
      <Table
        label={t('Pix que ainda não chegaram', 'Pix that have not arrived')}
        rows={data}
        rowKey={({ identificador }) => identificador}
        columns={[
          {
            key: 'when',
            header: t('Gerado', 'Made'),
            wideOnly: true,
            cell: ({ gerado_em }) => <TimeAgo at={gerado_em} />,
          },
          {
            key: 'identifier',
            header: t('Identificador', 'Identifier'),
            cell: (each) => (
              <button type="button" className="plain" onClick={() => setShown(each)}>
                {each.identificador}
              </button>
            ),
          },
          {
            key: 'amount',
            header: t('Valor', 'Amount'),
            figures: true,
            cell: ({ valor }) => <Money value={valor} />,
          },
          ...(mayCredit
            ? [
                {
                  key: 'credit',
                  header: <span className="unseen">{t('Ações', 'Actions')}</span>,
                  cell: (each: Awaited) => (
                    <button
                      type="button"
                      aria-label={t(
                        `O Pix ${each.identificador} chegou: adicionar créditos`,
                        `Pix ${each.identificador} has arrived: add the credit`,
                      )}
                      onClick={() => setArrived(each)}
                    >
                      {t('Chegou', 'It arrived')}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {arrived && <CreditForm company={company} pix={arrived} onClose={() => setArrived(null)} />}
      {shown && (
        <Dialog title={t('Pagar créditos por Pix', 'Pay for credit by Pix')} onClose={() => setShown(null)}>
          <ShownCode code={shown} onClose={() => setShown(null)} />
        </Dialog>
      )}
    </section>
  );
}

function CreditForm({
  company,
  pix,
  onClose,
}: {
  company: Statement['empresa'];
  pix: Awaited;
  onClose: () => void;
}) {
  const t = useWords();
  const [amount, setAmount] = useState(pix.valor);
  const [note, setNote] = useState('');
  const credit = useAction(
    () =>
      call('operacao', 'POST /empresas/{id}/pix/creditar', {
        id: company.id,
        body: { identificador: pix.identificador, valor: amount, observacao: note || null },
      }),
    {
      done: t('Créditos adicionados.', 'Credit added.'),
      refresh: ['pix', 'wallet'],
      leave: onClose,
    },
  );
  const errors = fieldErrors(credit.error, (field) => field === 'valor');
  return (
    <Dialog
      title={t(`Adicionar créditos a ${company.nome}`, `Add credit to ${company.nome}`)}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          credit.mutate();
        }}
      >
        <Field
          label={t('Identificador do Pix', 'Identifier of the Pix')}
          readOnly
          value={pix.identificador}
        />
        <DecimalField
          label={t('Valor em reais', 'Amount in reais')}
          hint={t('O que chegou no banco.', 'What arrived at the bank.')}
          required
          value={amount}
          error={errors.of('valor')}
          onValue={setAmount}
        />
        <Field
          label={t('Observação', 'Note')}
          hint={t(
            'Aparece no extrato; vazio: o identificador.',
            'Shown in the statement; empty: the identifier.',
          )}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={credit.isPending}>
            {t('Adicionar créditos', 'Add credit')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
