import { useState } from 'react';
import { formatMoney } from '../../../shared/formats.ts';
import { useWords } from '../../../shared/words.ts';
import { refusalWords } from '../actionWords.ts';
import type { Action, Conclusion, ProofImage } from '../core/action.ts';
import type { LocalRun, LocalWork } from '../core/localView.ts';
import { isPaidAtDoor, type Stop } from '../core/work.ts';
import { parseAmount, wholeNumbers } from '../format.ts';
import { Icon } from '../ui/Icon.tsx';
import { Optional } from '../ui/Optional.tsx';
import { PaymentForms } from '../ui/PaymentForms.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp, useFilled } from '../useApp.ts';
import { PhotoField } from './PhotoField.tsx';
import { SignaturePad } from './SignaturePad.tsx';

/** The stop whose goods are handed over, and its run. */
export interface Handover {
  run: LocalRun;
  stop: Stop;
}

/** The run's rules. Work that an earlier version of the app stored has only the central's. */
export const rulesOf = (run: Partial<LocalRun>, view: LocalWork) =>
  run.comprovante ?? view.regras.comprovante;

interface ConcludeSheetProps extends Handover {
  view: LocalWork;
  onClose: () => void;
}

/** The form for handing over. It asks only for the proof that the rules name. */
export function ConcludeSheet({ run, stop, view, onClose: onClosed }: ConcludeSheetProps) {
  const t = useWords();
  const app = useApp();
  const rules = rulesOf(run, view);
  const owed = stop.valor_a_receber;
  // Without a form of payment agreed for the door, only the driver knows whether there is cash to hand in.
  const recordsAmount = owed !== null && (rules.valor || !isPaidAtDoor(stop));
  const [{ code, name, photo, amount, form }, fill] = useFilled('conclude', stop, {
    code: '',
    name: '',
    photo: null,
    amount: owed ? owed.replace('.', ',') : '',
    form: isPaidAtDoor(stop) ? stop.forma_pagamento : null,
  });
  const [signature, setSignature] = useState<ProofImage | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [problem, setProblem] = useState<string[]>([]);
  /** Set when a confirmation was incomplete. What is still missing is then listed. */
  const [listsMissing, setListsMissing] = useState(false);
  /** The entry that the server refused. The next confirmation corrects it instead of adding another one. */
  const [refusedSeq, setRefusedSeq] = useState<number | null>(null);

  const onClose = (): void => {
    app.keepDraft(null);
    onClosed();
  };

  const asksForProof =
    owed !== null ||
    stop.exige_codigo ||
    [rules.nome, rules.foto, rules.assinatura].some((wanted) => wanted !== 'nao');

  const missing = [
    stop.exige_codigo && !/^\d{1,9}$/.test(code) && t('o código', 'the code'),
    rules.nome === 'obrigatorio' && !name.trim() && t('o nome de quem recebeu', 'who received it'),
    rules.foto === 'obrigatorio' && !photo && t('a foto', 'the photo'),
    rules.assinatura === 'obrigatorio' && !signature && t('a assinatura', 'the signature'),
    recordsAmount && parseAmount(amount) === null && t('o valor recebido', 'the amount received'),
    recordsAmount && form === null && t('a forma de pagamento', 'the form of payment'),
  ].filter((each) => typeof each === 'string');

  const messages =
    listsMissing && missing.length > 0
      ? [t(`Falta: ${missing.join(', ')}.`, `Missing: ${missing.join(', ')}.`)]
      : problem;

  const submit = async (): Promise<void> => {
    setListsMissing(missing.length > 0);
    if (missing.length > 0) return;
    setBusy(true);
    setProblem([]);
    const of = { deliveryId: run.id_mch, stopId: stop.id };
    const body: Conclusion = {
      ...(stop.exige_codigo && { codigo_confirmacao: Number(code) }),
      ...(name.trim() && { recebido_por: name.trim() }),
      ...(recordsAmount && { valor_recebido: parseAmount(amount)!, forma_recebimento: form! }),
    };
    const conclude = { kind: 'conclude' as const, ...of, body };
    let seq = refusedSeq;
    const images = [photo, signature].filter((image) => image !== null);
    if (seq !== null) await app.retry(seq, { ...conclude, images });
    else {
      const proofs = images.map((image): Action => ({ kind: 'proof', ...of, ...image }));
      const kept = await app.act(...proofs, conclude);
      if (!kept) return setBusy(false);
      seq = kept.at(-1)!;
    }
    const fate = await app.fateOf(seq);
    setBusy(false);
    if (fate?.state !== 'refused') return onClose();
    setRefusedSeq(seq);
    setProblem(refusalWords(fate.refusal, t));
  };

  return (
    <Sheet
      title={t('Entregar', 'Hand over')}
      onClose={onClose}
      foot={
        <>
          {messages.length > 0 && (
            <div role="alert" className="note danger">
              {messages.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          )}
          <button
            type="button"
            className="big"
            disabled={isBusy || isPreparing || stop.codigo_bloqueado}
            onClick={() => void submit()}
          >
            {isBusy ? t('Enviando…', 'Sending…') : t('Confirmar entrega', 'Confirm delivery')}
          </button>
        </>
      }
    >
      <section className="card">
        {stop.destinatario && <p className="soft">{stop.destinatario}</p>}
        <p className="address">
          {stop.endereco}
          {stop.complemento && `, ${stop.complemento}`}
        </p>
        {stop.numero_pedido && (
          <p>
            {t('Pedido', 'Order')} <strong>{stop.numero_pedido}</strong>
          </p>
        )}
        {stop.observacao && <p className="note">{wholeNumbers(stop.observacao)}</p>}
      </section>
      {!asksForProof && (
        <p className="soft">
          {t(
            'Confira o endereço e o pedido. Depois de confirmar, a entrega desta parada está concluída.',
            'Check the address and the order. Once confirmed, this stop is done.',
          )}
        </p>
      )}
      {stop.codigo_bloqueado && (
        <p className="note danger">
          {t(
            'O código foi digitado errado vezes demais. Ligue para a central: só ela conclui esta parada.',
            'The code was entered wrongly too often. Call the central: only it can conclude this stop.',
          )}
        </p>
      )}
      {owed && !recordsAmount && (
        <p className="card">
          <Icon name="money" />
          <strong>
            {t('Receber', 'Collect')} {formatMoney(owed)}
          </strong>
        </p>
      )}
      {owed && recordsAmount && (
        <fieldset className="card">
          <legend>
            <Icon name="money" />
            {t('Receber', 'Collect')} {formatMoney(owed)}
          </legend>
          <label className="field">
            <span>{t('Valor recebido', 'Amount received')}</span>
            <input
              inputMode="decimal"
              value={amount}
              onChange={({ target }) => fill({ amount: target.value })}
            />
          </label>
          <PaymentForms form={form} onForm={(chosen) => fill({ form: chosen })} />
        </fieldset>
      )}
      {stop.exige_codigo && (
        <label className="field">
          <span>{t('Código que o cliente diz', 'Code that the recipient tells')}</span>
          <input
            className="code"
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            value={code}
            onChange={({ target }) => fill({ code: target.value.replace(/\D/g, '') })}
          />
        </label>
      )}
      {rules.nome !== 'nao' && (
        <label className="field">
          <span>
            {t('Quem recebeu', 'Who received it')} {rules.nome === 'opcional' && <Optional />}
          </span>
          <input
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => fill({ name: target.value })}
          />
        </label>
      )}
      {rules.foto !== 'nao' && (
        <PhotoField
          photo={photo}
          onPhoto={(taken) => fill({ photo: taken })}
          isOptional={rules.foto === 'opcional'}
          onPreparing={setPreparing}
        />
      )}
      {rules.assinatura !== 'nao' && (
        <SignaturePad onChange={setSignature} isOptional={rules.assinatura === 'opcional'} />
      )}
    </Sheet>
  );
}
