import { useEffect, useRef } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { type KnownAddress, useRecipients } from '../../data/addresses.ts';
import { Field } from '../../ui/Field.tsx';
import { addressLine, fromKnown, type StopDraft } from './order.ts';

/**
 * The recipient of a stop. A phone to which the company has delivered before fills in the name and the address if they
 * are empty; otherwise the addresses are offered.
 */
export function RecipientFields({
  stop,
  companyId,
  errorOf,
  onChange,
}: {
  stop: StopDraft;
  companyId: string | null;
  errorOf: (field: string) => string | undefined;
  onChange: (changes: Partial<StopDraft>) => void;
}) {
  const t = useWords();
  const { data: known = NOBODY } = useRecipients(companyId, stop.telefone_cliente);
  const use = (each: KnownAddress) =>
    onChange({ ...fromKnown(each, false), telefone_cliente: stop.telefone_cliente });
  const offered = useRef<readonly KnownAddress[]>(NOBODY);
  useEffect(() => {
    const [first] = known;
    if (!first || offered.current === known) return;
    offered.current = known;
    if (addressLine(stop) === '') use(first);
    else if (!stop.nome_cliente && first.nome_destinatario)
      onChange({ nome_cliente: first.nome_destinatario });
  });
  const others = known.filter(
    (each) => each.endereco !== addressLine(stop) || (each.complemento ?? '') !== stop.complemento.trim(),
  );
  return (
    <>
      <Field
        className="span-3"
        label={t('Telefone', 'Phone')}
        value={stop.telefone_cliente}
        error={errorOf('telefone_cliente_parada')}
        onChange={({ currentTarget }) => onChange({ telefone_cliente: currentTarget.value })}
        inputMode="tel"
        autoComplete="off"
      />
      <Field
        className="span-3"
        label={t('Destinatário', 'Recipient')}
        value={stop.nome_cliente}
        error={errorOf('nome_cliente_parada')}
        onChange={({ currentTarget }) => onChange({ nome_cliente: currentTarget.value })}
        autoComplete="off"
      />
      {others.length > 0 && (
        <p className="recipients">
          {t('Já entregue neste telefone:', 'Delivered to this phone before:')}{' '}
          {others.map((each) => (
            <button
              key={`${each.endereco}|${each.complemento}`}
              type="button"
              className="quiet"
              onClick={() => use(each)}
            >
              {[each.endereco, each.complemento].filter(Boolean).join(', ')}
            </button>
          ))}
        </p>
      )}
    </>
  );
}

const NOBODY: readonly KnownAddress[] = [];
