import { useEffect } from 'react';
import { useNow } from '../../../../../shared/clock.ts';
import { formatDay, formatMoment } from '../../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useSession } from '../../../session.tsx';

/** The marked deliveries on paper. The browser shows its preview at once; the sheet is not on the screen. */
export function PrintSheet({
  deliveries,
  onPrinted,
}: {
  deliveries: readonly OpenDelivery[];
  onPrinted: () => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const now = useNow();
  const { fuso_horario: zone, nome } = useSession().central;
  useEffect(() => {
    window.addEventListener('afterprint', onPrinted, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', onPrinted);
  }, [onPrinted]);
  return (
    <section className="print-sheet">
      <h1>
        {nome} · {formatDay(now, zone, language)}
      </h1>
      <table>
        <thead>
          <tr>
            <th>{t('Nº', 'No.')}</th>
            <th>{t('Coleta', 'Pickup')}</th>
            <th>{t('Paradas', 'Stops')}</th>
            <th>{t('Prometida', 'Promised')}</th>
            <th>{t('Entregador', 'Driver')}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map(({ id, nome_cliente, partida, paradas, prometida_para, condutor }) => (
            <tr key={id}>
              <td>{id}</td>
              <td>
                {nome_cliente}
                <br />
                {partida.endereco}
              </td>
              <td>
                {paradas.map((stop) => (
                  <p key={stop.id}>
                    {[stop.numero_pedido, stop.nome_cliente, stop.endereco, stop.bairro]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                ))}
              </td>
              <td>{prometida_para && formatMoment(Date.parse(prometida_para), now, zone, language)}</td>
              <td>{condutor?.nome}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
