import type { CropArea } from '@/ui/images/ImageCropper';

const largestSide = 512;

/** The chosen part of a picture as a JPEG, no larger than an avatar is ever shown. */
export async function cropImage(file: Blob, area: CropArea): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const side = Math.max(1, Math.min(largestSide, Math.round(area.width)));
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas to draw on');
  // JPEG has no transparency, which would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, side, side);
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, side, side);
  picture.close();
  return new Promise((resolve, reject) => {
    const taken = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('no picture')));
    canvas.toBlob(taken, 'image/jpeg', 0.9);
  });
}
