import { useTranslation } from 'react-i18next';
import type { ContentType, Product } from '@/api/types';
import { Tabs } from '@/ui/controls/Tabs';
import { CreativePreview } from '../CreativePreview';
import styles from './ContentChoice.module.css';

type Props = {
  product: Pick<Product, 'content' | 'content_types'>;
  value: ContentType;
  onChange: (value: ContentType) => void;
  small?: boolean;
};

/** Chooses one of the product's creatives, and shows it. */
export function ContentChoice({ product, value, onChange, small }: Props) {
  const { t } = useTranslation();
  const creative = product.content[value];
  const preview = creative && <CreativePreview creative={creative} small={small} />;
  const types = product.content_types;
  // With nothing to choose, it only names the content type.
  if (types.length === 1) {
    return (
      <div className={styles.only}>
        <p className={styles.label}>{t(`plans.contentType.${value}`)}</p>
        {preview}
      </div>
    );
  }
  return (
    <Tabs
      label={t('plans.content')}
      tabs={types.map((key) => ({ key, label: t(`plans.contentType.${key}`) }))}
      value={value}
      onChange={onChange}
    >
      {preview}
    </Tabs>
  );
}
