import type { ProofImage } from '../core/action.ts';

const BYTES_MAX = 200 * 1024;
const SIDE_MAX = 1_280;
const QUALITIES = [0.8, 0.65, 0.5, 0.38];

/** Scales a photo down. Drawing it again removes metadata such as the place and the camera. */
export async function shrinkPhoto(file: Blob): Promise<ProofImage> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    for (let side = SIDE_MAX; ; side = Math.round(side * 0.75)) {
      const scale = Math.min(1, side / Math.max(image.width, image.height));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(image.width * scale));
      canvas.height = Math.max(1, Math.round(image.height * scale));
      const drawing = canvas.getContext('2d')!;
      drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
      for (const quality of QUALITIES) {
        const photo = await toImage(canvas, 'image/jpeg', quality);
        if (photo.bytes.length <= BYTES_MAX) return { type: 'foto', ...photo };
      }
    }
  } finally {
    image.close();
  }
}

export const signatureImage = async (canvas: HTMLCanvasElement): Promise<ProofImage> => ({
  type: 'assinatura',
  ...(await toImage(canvas, 'image/png')),
});

async function toImage<M extends ProofImage['mediaType']>(
  canvas: HTMLCanvasElement,
  mediaType: M,
  quality?: number,
): Promise<{ mediaType: M; bytes: Uint8Array<ArrayBuffer> }> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mediaType, quality));
  if (!blob) throw new Error('the image cannot be drawn');
  return { mediaType, bytes: new Uint8Array(await blob.arrayBuffer()) };
}
