import { useTranslation } from 'react-i18next';
import type { ContentType, Product } from '@/api/types';
import { Tabs } from '@/ui/Tabs';
import { CreativePreview } from './CreativePreview';

type Props = {
  product: Pick<Product, 'content' | 'content_types'>;
  value: ContentType;
  onChange: (value: ContentType) => void;
  small?: boolean;
};

/** Which of the product's creatives runs, with the chosen one shown. */
export function ContentChoice({ product, value, onChange, small }: Props) {
  const { t } = useTranslation();
  const creative = product.content[value];
  return (
    <Tabs
      label={t('plans.content')}
      tabs={product.content_types.map((key) => ({ key, label: t(`plans.contentType.${key}`) }))}
      value={value}
      onChange={onChange}
    >
      {creative && <CreativePreview creative={creative} small={small} />}
    </Tabs>
  );
}
