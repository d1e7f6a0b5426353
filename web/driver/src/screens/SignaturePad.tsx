import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import type { ProofImage } from '../core/action.ts';
import { signatureImage } from '../device/photo.ts';
import { Optional } from '../ui/Optional.tsx';

/** A signature drawn with a finger. Its ground is white in dark mode too, because it is a document. */
export function SignaturePad({
  onChange,
  isOptional,
}: {
  onChange: (image: ProofImage | null) => void;
  isOptional: boolean;
}) {
  const t = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawing = useRef(false);
  const [isEmpty, setEmpty] = useState(true);

  const clear = (): void => {
    const element = canvas.current!;
    element.width = element.clientWidth;
    element.height = element.clientHeight;
    const pen = element.getContext('2d')!;
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, element.width, element.height);
    Object.assign(pen, { strokeStyle: '#16191d', lineWidth: 2.5, lineCap: 'round', lineJoin: 'round' });
    setEmpty(true);
  };
  /** Keeps the signature when the phone is turned. */
  const fit = (): void => {
    const element = canvas.current!;
    const signed = isEmpty ? null : copyOf(element);
    clear();
    if (!signed) return;
    const scale = Math.min(1, element.width / signed.width, element.height / signed.height);
    element.getContext('2d')!.drawImage(signed, 0, 0, signed.width * scale, signed.height * scale);
    setEmpty(false);
  };
  // A dialog has no size before it is shown.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const { width = 0, clientWidth = 0 } = canvas.current ?? {};
      if (clientWidth > 0 && width !== clientWidth) fit();
    });
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  });

  const draw = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): void => {
    const pen = canvas.current!.getContext('2d')!;
    pen.lineTo(offsetX, offsetY);
    pen.stroke();
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    isDrawing.current = true;
    const pen = canvas.current!.getContext('2d')!;
    pen.beginPath();
    pen.moveTo(event.nativeEvent.offsetX, event.nativeEvent.offsetY);
    draw(event);
  };
  const end = (): void => {
    if (!isDrawing.current) return;
    isDrawing.current = false;
    setEmpty(false);
    void signatureImage(canvas.current!).then(onChange);
  };

  return (
    <div className="field">
      <span id="signature-label">
        {t('Assinatura de quem recebeu', 'Signature of who received it')} {isOptional && <Optional />}
      </span>
      <canvas
        ref={canvas}
        className="signature"
        role="img"
        aria-labelledby="signature-label"
        onPointerDown={begin}
        onPointerMove={(event) => isDrawing.current && draw(event)}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {!isEmpty && (
        <button
          type="button"
          onClick={() => {
            clear();
            onChange(null);
          }}
        >
          {t('Apagar e assinar de novo', 'Clear and sign again')}
        </button>
      )}
    </div>
  );
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')!.drawImage(canvas, 0, 0);
  return copy;
}
