import { useTranslation } from 'react-i18next';
import { useProducts } from '@/api/queries/use-products';
import type { Product } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { Picture } from '@/ui/images/Picture';
import { Sheet } from '@/ui/layers/Sheet';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import styles from './ProductsSheet.module.css';

type Props = {
  open: boolean;
  /** Passed on to the product, where it is used. */
  coupon: string | null;
  onClose: () => void;
};

/** The products for a new plan. */
export function ProductsSheet({ open, coupon, onClose }: Props) {
  const { t } = useTranslation();
  const products = useProducts(open);
  return (
    <Sheet open={open} onClose={onClose} title={t('plans.products')}>
      <InfiniteList
        query={products}
        label={t('plans.products')}
        keyOf={(product) => product.id}
        renderItem={(product) => <ProductRow product={product} coupon={coupon} />}
        empty={
          <EmptyState
            picture={<PlansPicture />}
            title={t('plans.noProducts')}
            description={t('plans.noProductsHint')}
          />
        }
      />
    </Sheet>
  );
}

type RowProps = { product: Product; coupon: string | null };

function ProductRow({ product, coupon }: RowProps) {
  const { t } = useTranslation();
  const query = new URLSearchParams({ id: product.id, ...(coupon && { coupon }) });
  const { pricing, price } = product.put_rule;
  return (
    <Link className={styles.row} to={`/plan/goods-detail?${query}`}>
      <Picture className={styles.image} src={product.image} />
      <span className={styles.text}>
        <span className={styles.name}>{product.name}</span>
        <span className={styles.price}>
          {t(`plans.price.${pricing}`, { price: formatMoney(price) })}
        </span>
        <span className={styles.price}>
          {t('plans.from', { min: formatMoney(product.min_put) })}
        </span>
      </span>
      <Icon name="chevron" size={18} />
    </Link>
  );
}
