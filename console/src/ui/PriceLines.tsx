import { useWords } from '../words.ts';
import { Money } from './texts.tsx';

const labels: Readonly<Record<string, { pt: string; en: string }>> = {
  bandeirada: { pt: 'Bandeirada', en: 'Base fare' },
  distancia: { pt: 'Distância', en: 'Distance' },
  tempo: { pt: 'Tempo', en: 'Time' },
  paradas_extras: { pt: 'Paradas extras', en: 'Extra stops' },
  retorno: { pt: 'Retorno', en: 'Way back' },
  horario: { pt: 'Horário', en: 'Time of day' },
  minimo: { pt: 'Até o mínimo', en: 'Up to the minimum' },
  cupom: { pt: 'Cupom', en: 'Coupon' },
};

/** How a price is made, as rows of a table. */
export function PriceLines({ lines }: { lines: readonly { tipo: string; valor: string }[] }) {
  const t = useWords();
  return lines.map(({ tipo, valor }) => (
    <tr key={tipo}>
      <th scope="row">{t(labels[tipo]?.pt ?? tipo, labels[tipo]?.en ?? tipo)}</th>
      <td className="figures">
        <Money value={valor} />
      </td>
    </tr>
  ));
}
