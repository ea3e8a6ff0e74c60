import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal } from '@/api/errors';
import type { ContentType, Product } from '@/api/types';
import { planPath } from '@/pages';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { endChoosing } from '@/shared/products/use-choosing';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { Sheet } from '@/ui/layers/Sheet';
import { ProductResults } from '../compare/ProductResults';
import { NotFound } from '../NotFound';
import { PlanImage } from '../PlanImage';
import { productQuery } from '../queries';
import { TargetingCard } from '../TargetingCard';
import { ContentChoice } from './ContentChoice';
import styles from './GoodsDetailPage.module.css';
import { ProductTerms } from './ProductTerms';
import { PutForm } from './PutForm';
import { type PutStart, readAgain } from './put-again';

export function GoodsDetailPage() {
  const [params] = useSearchParams();
  const product = useQuery(productQuery(params.get('id') ?? ''));

  if (product.data) {
    const { data } = product;
    const given = { coupon: params.get('coupon'), start: readAgain(params) };
    // The page may be open already, and asked for once more with something to put again.
    return <Goods key={`${data.id} ${given.start?.amount}`} product={data} {...given} />;
  }
  return (
    <div className={styles.page}>
      <Hero src={null} />
      <div className={styles.content}>
        {product.isPending && <CardSkeleton lines={5} />}
        {product.isError && (
          <Card>
            {isRefusal(product.error, 'not_found') ? (
              <NotFound what="goods" />
            ) : (
              <Unanswered of={product} />
            )}
          </Card>
        )}
      </div>
    </div>
  );
}

/** The picture below the transparent bar, darkened where the bar's white text lies on it. */
function Hero({ src }: { src: string | null }) {
  return (
    <div className={styles.scrim}>
      <PlanImage src={src} size="hero" />
    </div>
  );
}

type Props = { product: Product; coupon: string | null; start: PutStart | null };

function Goods({ product, coupon, start }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // Open again for those who come back from setting a password.
  const [putting, setPutting] = useEntryState(`putting ${start?.amount}`, start !== null);
  const [shown, setShown] = useState<ContentType | null>(null);
  const content = shown ?? product.content_types[0];
  return (
    <div className={styles.page}>
      <Hero src={product.image} />
      <div className={styles.content}>
        <Card>
          <h2 className={styles.name}>{product.name}</h2>
          <p className={styles.summary}>{product.summary}</p>
        </Card>
        <ProductResults product={product.id} />
        <ProductTerms product={product} />
        {content && (
          <Card title={t('plans.content')}>
            <ContentChoice product={product} value={content} onChange={setShown} />
          </Card>
        )}
        <TargetingCard targeting={product.targeting} />
      </div>
      <div className={styles.bar} data-bottom>
        <Button onClick={() => setPutting(true)}>{t('plans.put')}</Button>
      </div>
      <Sheet open={putting} onClose={() => setPutting(false)} title={t('plans.put')}>
        <PutForm
          target={{ product_id: product.id }}
          product={product}
          coupon={coupon}
          start={start}
          onDone={(plan) => {
            endChoosing();
            setPutting(false);
            showToast(t('plans.putDone'), 'success');
            navigate(planPath(plan.id), { replace: true });
          }}
        />
      </Sheet>
    </div>
  );
}
