import { useEffect, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import type { ProofImage } from '../core/action.ts';
import { shrinkPhoto } from '../device/photo.ts';
import { Icon } from '../ui/Icon.tsx';

interface PhotoFieldProps {
  photo: ProofImage | null;
  onPhoto: (photo: ProofImage | null) => void;
  isOptional: boolean;
  /** True from the choice of a photo until it is ready. A confirmation meanwhile would omit it. */
  onPreparing?: (isPreparing: boolean) => void;
}

/** Takes a photo with the phone's camera. The stored image is small and has no metadata. */
export function PhotoField({ photo, onPhoto, isOptional, onPreparing }: PhotoFieldProps) {
  const t = useWords();
  const [hasFailed, setFailed] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!photo) return setAddress(null);
    const made = URL.createObjectURL(new Blob([photo.bytes], { type: photo.mediaType }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const showBusy = (isBusy: boolean): void => {
      setPreparing(isBusy);
      onPreparing?.(isBusy);
    };
    setFailed(false);
    showBusy(true);
    try {
      onPhoto(await shrinkPhoto(file));
    } catch {
      setFailed(true);
    }
    showBusy(false);
  };
  return (
    <div className="field">
      {address && (
        <img
          className="photo"
          src={address}
          alt={t('A foto que será enviada', 'The photo that will be sent')}
        />
      )}
      <label className="button file">
        <Icon name="camera" />
        {isPreparing
          ? t('Preparando a foto…', 'Preparing the photo…')
          : photo
            ? t('Tirar outra foto', 'Take another photo')
            : t('Tirar foto', 'Take a photo')}
        {isOptional && !photo && !isPreparing && ` (${t('se quiser', 'optional')})`}
        <input
          type="file"
          disabled={isPreparing}
          accept="image/*"
          capture="environment"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
      {hasFailed && (
        <p role="alert" className="note danger">
          {t('Esta imagem não pôde ser lida. Tire outra.', 'This image could not be read. Take another one.')}
        </p>
      )}
    </div>
  );
}
