import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Currency, Product } from '@/api/types';
import { useCurrency } from '@/app/basic-config';
import { formatMoney } from '@/i18n/format';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { InfiniteList } from '@/ui/InfiniteList';
import { Sheet } from '@/ui/Sheet';
import { PlanImage } from './PlanImage';
import styles from './ProductsSheet.module.css';
import { useProducts } from './queries';

/** The products a new plan can be put on. */
export function ProductsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const products = useProducts(open);
  return (
    <Sheet open={open} onClose={onClose} title={t('plans.products')}>
      <InfiniteList
        query={products}
        label={t('plans.products')}
        keyOf={(product) => product.id}
        renderItem={(product) => <ProductRow product={product} currency={currency} />}
        empty={<EmptyState title={t('plans.noProducts')} description={t('plans.noProductsHint')} />}
      />
    </Sheet>
  );
}

function ProductRow({ product, currency }: { product: Product; currency: Currency }) {
  const { t } = useTranslation();
  const { pricing, price } = product.put_rule;
  return (
    <Link className={styles.row} to={`/plan/goods-detail?id=${encodeURIComponent(product.id)}`}>
      <PlanImage src={product.image} />
      <span className={styles.text}>
        <span className={styles.name}>{product.name}</span>
        <span className={styles.price}>
          {t(`plans.price.${pricing}`, { price: formatMoney(price, currency) })}
        </span>
      </span>
      <Icon name="chevron" size={18} />
    </Link>
  );
}
