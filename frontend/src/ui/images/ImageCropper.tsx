import { useState } from 'react';
import Cropper from 'react-easy-crop';
import { useTranslation } from 'react-i18next';
import VantSlider from 'react-vant/es/slider/Slider.js';
import { InertDrawing } from '@/ui/form/InertDrawing';
import 'react-easy-crop/react-easy-crop.css';
import styles from './ImageCropper.module.css';

/** A part of a picture, in the picture's own pixels. */
export type CropArea = { x: number; y: number; width: number; height: number };

type Props = {
  image: string;
  onArea: (area: CropArea) => void;
  /** The browser cannot show it: no picture, whatever its name says. */
  onUnreadable: () => void;
};

const largestZoom = 4;
const keyboardStep = 12;

/** Chooses the round part of a picture: by dragging, by pinching, or with arrow keys and a slider. */
export function ImageCropper({ image, onArea, onUnreadable }: Props) {
  const { t } = useTranslation();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  return (
    <div className={styles.cropper}>
      <div className={styles.stage}>
        <Cropper
          image={image}
          crop={crop}
          zoom={zoom}
          aspect={1}
          maxZoom={largestZoom}
          showGrid={false}
          keyboardStep={keyboardStep}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_share, pixels) => onArea(pixels)}
          mediaProps={{ alt: '', onError: onUnreadable }}
          cropperProps={{ role: 'group', 'aria-label': t('ui.crop.area') }}
        />
      </div>
      <label className={styles.zoom}>
        <span>{t('ui.crop.zoom')}</span>
        <span className={styles.slider}>
          <input
            type="range"
            min={1}
            max={largestZoom}
            step={0.1}
            value={zoom}
            onChange={(event) => setZoom(Number(event.target.value))}
          />
          <InertDrawing className={styles.drawn}>
            <VantSlider min={1} max={largestZoom} step={0.1} value={zoom} />
          </InertDrawing>
        </span>
      </label>
      <p className={styles.hint}>{t('ui.crop.hint')}</p>
    </div>
  );
}
