import { useState } from 'react';
import { paymentLabel } from '../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import type { DetailStop } from '../../data/deliveries.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Fact, Money, TimeAgo } from '../../ui/texts.tsx';

type ProofImage = DetailStop['comprovantes'][number];

/** The proof of a stop: the receiver, the amount collected, and the images. */
export function Proof({ stop }: { stop: DetailStop }) {
  const t = useWords();
  const language = useLanguage();
  const { recebido_por: by, valor_recebido: amount, forma_recebimento: form } = stop;
  // Images of a failed visit are shown with its attempt.
  const images = stop.nao_entregue_em ? [] : stop.comprovantes;
  if (images.length === 0 && !by && amount === null) return null;
  return (
    <div className="proof">
      {by && (
        <p>
          {t('Recebido por ', 'Received by ')}
          <strong>{by}</strong>
        </p>
      )}
      {amount !== null && (
        <p>
          {t('Recebeu ', 'Collected ')}
          <Money value={amount} /> {form && `(${paymentLabel[form]?.[language] ?? form})`}
        </p>
      )}
      <ProofImages images={images} photo={t('Foto da entrega', 'Photo of the handing over')} />
    </div>
  );
}

/** Thumbnails that open the full image. */
export function ProofImages({ images, photo }: { images: readonly ProofImage[]; photo: string }) {
  const t = useWords();
  const [shown, setShown] = useState<ProofImage | null>(null);
  const nameOf = ({ tipo }: ProofImage) => (tipo === 'foto' ? photo : t('Assinatura', 'Signature'));
  if (images.length === 0) return null;
  return (
    <>
      <div className="proof-images">
        {images.map((image) => (
          <button
            key={image.tipo}
            type="button"
            onClick={() => setShown(image)}
            aria-label={t(`Ampliar: ${nameOf(image)}`, `Enlarge: ${nameOf(image)}`)}
          >
            <img src={pathOf(image)} alt="" loading="lazy" decoding="async" />
          </button>
        ))}
      </div>
      {shown && (
        <Dialog title={nameOf(shown)} onClose={() => setShown(null)} wide>
          <img className="proof-large" src={pathOf(shown)} alt={nameOf(shown)} />
          <dl className="facts">
            <Fact name={t('Feita', 'Taken')}>
              <TimeAgo at={shown.tirada_em} />
            </Fact>
            <Fact name={t('Chegou à central', 'Received by the central')}>
              <TimeAgo at={shown.recebida_em} />
            </Fact>
          </dl>
        </Dialog>
      )}
    </>
  );
}

/** The link has the service's public address, but this page may have been opened at another one. */
export const pathOf = ({ url }: ProofImage): string => new URL(url).pathname;
