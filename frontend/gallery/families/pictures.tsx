import { Icon } from '@/ui/display/Icon';
import { Avatar } from '@/ui/images/Avatar';
import { ImageCropper } from '@/ui/images/ImageCropper';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { createImageUploads, type ImageItem } from '@/ui/images/image-uploads';
import { Picture } from '@/ui/images/Picture';
import type { Entry } from '../entry';
import { long, nothing, picture } from '../samples';

const anItem: ImageItem = {
  key: 'i1',
  name: 'receipt.png',
  preview: picture,
  percent: 100,
  sent: { id: 'f1', url: picture, mime: 'image/png', size: 1, width: 320, height: 320 },
  problem: null,
  final: false,
};

function Upload({ items, label = 'Pictures' }: { items: ImageItem[]; label?: string }) {
  const uploads = createImageUploads(3, items);
  return <ImageUpload label={label} uploads={uploads} />;
}

function Framed({ src }: { src: string | null }) {
  return (
    <div style={{ display: 'grid', width: 96, height: 96 }}>
      <Picture src={src} instead={<Icon name="plans" />} />
    </div>
  );
}

const lost = { ...anItem, key: 'i2', sent: null, problem: { key: 'ui.image.lost' } as const };
const refused = { ...anItem, name: long, sent: null, problem: { text: long }, final: true };

export const pictures: readonly Entry[] = [
  {
    component: 'Avatar',
    states: {
      letter: () => <Avatar name="Lena" picture={null} />,
      picture: () => <Avatar name="Lena" picture={picture} />,
      small: () => <Avatar name="Lena" picture={null} size={32} />,
      empty: () => <Avatar name="" picture={null} />,
    },
  },
  {
    component: 'Picture',
    states: {
      plain: () => <Framed src={picture} />,
      none: () => <Framed src={null} />,
      'that does not load': () => <Framed src="data:image/png," />,
    },
  },
  {
    component: 'ImageUpload',
    states: {
      empty: () => <Upload items={[]} />,
      sent: () => <Upload items={[anItem]} />,
      'being sent': () => <Upload items={[{ ...anItem, sent: null, percent: 40 }]} />,
      error: () => <Upload items={[anItem, lost]} />,
      full: () => <Upload items={['a', 'b', 'c'].map((key) => ({ ...anItem, key }))} />,
      focused: () => <Upload items={[]} />,
      'long text': () => <Upload label={long} items={[refused]} />,
    },
  },
  {
    component: 'ImageCropper',
    states: {
      plain: () => <ImageCropper image={picture} onArea={nothing} onUnreadable={nothing} />,
      focused: () => <ImageCropper image={picture} onArea={nothing} onUnreadable={nothing} />,
    },
  },
];
