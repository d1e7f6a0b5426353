import { useMemo } from 'react';
import { formatKm } from '../../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { bundlesOf, type Direction } from './bundles.ts';

const SHOWN_MAX = 3;

const words: Record<Direction, { pt: string; en: string }> = {
  n: { pt: 'o norte', en: 'the north' },
  ne: { pt: 'o nordeste', en: 'the north-east' },
  e: { pt: 'o leste', en: 'the east' },
  se: { pt: 'o sudeste', en: 'the south-east' },
  s: { pt: 'o sul', en: 'the south' },
  sw: { pt: 'o sudoeste', en: 'the south-west' },
  w: { pt: 'o oeste', en: 'the west' },
  nw: { pt: 'o noroeste', en: 'the north-west' },
};

/** Waiting deliveries that go well together. A click marks them and asks for the driver. */
export function BundleCards({
  deliveries,
  onTake,
}: {
  deliveries: readonly OpenDelivery[];
  onTake: (ids: readonly string[]) => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const bundles = useMemo(() => bundlesOf(deliveries, SHOWN_MAX), [deliveries]);
  if (bundles.length === 0) return null;
  return (
    <section className="bundles" data-steady aria-labelledby="bundles">
      <h3 id="bundles">{t('Boas de levar juntas', 'Good to take together')}</h3>
      {bundles.map(({ ids, shop, towards, savedKm }) => (
        <button key={ids.join()} type="button" onClick={() => onTake(ids)}>
          <span>
            {t(
              `${ids.length} da ${shop} para ${words[towards].pt}`,
              `${ids.length} of ${shop} to ${words[towards].en}`,
            )}
          </span>
          <strong>−{formatKm(savedKm, language)}</strong>
        </button>
      ))}
    </section>
  );
}
