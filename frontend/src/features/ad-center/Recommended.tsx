import { useTranslation } from 'react-i18next';
import { useProducts } from '@/api/queries/use-products';
import type { Product } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { Picture } from '@/ui/images/Picture';
import styles from './Recommended.module.css';

export function Recommended() {
  const { t } = useTranslation();
  const query = useProducts();
  const { hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const products = query.data?.pages.flatMap((page) => page.items);
  return (
    <Card title={t('adCenter.recommended')} className={styles.card}>
      {!products && <Unanswered of={query} meanwhile={<Skeleton height="4rem" />} />}
      {products?.length === 0 && (
        <EmptyState
          picture={<PlansPicture />}
          title={t('adCenter.noProductsTitle')}
          description={t('adCenter.noProductsText')}
          action={
            <Button variant="secondary" onClick={() => openCustomerService()}>
              {t('adCenter.askService')}
            </Button>
          }
        />
      )}
      {products && products.length > 0 && (
        <ul className={styles.list}>
          {products.map((product) => (
            <li key={product.id}>
              <ProductLine product={product} />
            </li>
          ))}
          {hasNextPage && (
            <li className={styles.more}>
              <Button
                variant="secondary"
                loading={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {t('adCenter.more')}
              </Button>
            </li>
          )}
        </ul>
      )}
      {isFetchNextPageError && <p role="alert">{t('ui.moreFailed')}</p>}
    </Card>
  );
}

function ProductLine({ product }: { product: Product }) {
  const { t } = useTranslation();
  const price = formatMoney(product.put_rule.price);
  return (
    <Link className={styles.product} to={`/plan/goods-detail?id=${encodeURIComponent(product.id)}`}>
      <Picture className={styles.image} src={product.image} />
      <span className={styles.text}>
        <strong>{product.name}</strong>
        <span>
          {product.put_rule.pricing === 'cpm'
            ? t('adCenter.perThousand', { price })
            : t('adCenter.perClick', { price })}
        </span>
        <span className={styles.range}>
          {t('adCenter.range', {
            min: formatMoney(product.min_put),
            max: formatMoney(product.max_put),
          })}
        </span>
      </span>
    </Link>
  );
}
