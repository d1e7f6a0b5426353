import { useState } from 'react';
import { OPERATION, write } from '../../api.ts';
import type { Sheet, SheetStop } from '../../data/deliveries.ts';
import { useOptions } from '../../data/options.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { Field } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';
import { useRefreshDelivery } from './refresh.ts';

/** In the driver's place; with the recipient's code where the central asks for one. */
export function ConcludeDialog({
  delivery,
  stop,
  onClose,
}: {
  delivery: Sheet;
  stop: SheetStop;
  onClose: () => void;
}) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const { data: options } = useOptions();
  const [code, setCode] = useState('');
  const [reason, setReason] = useState('');
  const [goesWithout, setGoesWithout] = useState(stop.codigo_bloqueado);
  const asksForCode = options?.codigo_confirmacao ?? false;
  const conclude = async () => {
    const proof =
      asksForCode && goesWithout
        ? { sem_codigo_motivo: reason }
        : { codigo_confirmacao: code.trim() ? Number(code) : null };
    await write('POST', `${OPERATION}/entregas/${delivery.id}/paradas/${stop.id}/concluir`, proof);
    await refresh(t(`Parada ${stop.ordem + 1} concluída.`, `Stop ${stop.ordem + 1} concluded.`));
  };
  return (
    <Confirm
      title={t(`Concluir a parada ${stop.ordem + 1}?`, `Conclude stop ${stop.ordem + 1}?`)}
      what={t(
        `A parada em ${stop.endereco} fica como entregue agora, e o destinatário vê isso na página de rastreio.`,
        `The stop at ${stop.endereco} counts as delivered now, and its recipient sees that on the tracking page.`,
      )}
      act={t('Concluir parada', 'Conclude stop')}
      onConfirm={conclude}
      onClose={onClose}
    >
      {asksForCode && stop.codigo_bloqueado && (
        <p className="banner">
          {t(
            'O código foi bloqueado depois de cinco tentativas incorretas.',
            'The code was locked after five wrong attempts.',
          )}
        </p>
      )}
      {asksForCode && !goesWithout && (
        <>
          <Field
            label={t('Código de confirmação', 'Confirmation code')}
            hint={t('O que o destinatário informou.', 'What the recipient told.')}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            inputMode="numeric"
            pattern="[0-9]{4}"
            autoComplete="off"
          />
          <button type="button" className="plain" onClick={() => setGoesWithout(true)}>
            {t('Concluir sem código', 'Conclude without a code')}
          </button>
        </>
      )}
      {asksForCode && goesWithout && (
        <Field
          label={t('Por que sem código', 'Why without a code')}
          hint={t(
            'Fica na história da entrega com o seu nome.',
            'Kept in the delivery’s story with your name.',
          )}
          required
          maxLength={300}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          autoComplete="off"
        />
      )}
    </Confirm>
  );
}
