import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal } from '@/api/errors';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Refreshable } from '@/shared/page/Refreshable';
import { LinkButton } from '@/ui/controls/LinkButton';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { SelectField } from '@/ui/form/SelectField';
import { NotFound } from '../NotFound';
import { compareQuery, ownProductsQuery } from '../queries';
import styles from './ComparePage.module.css';
import { CompareTable } from './CompareTable';
import {
  canCompare,
  comparedOf,
  comparePath,
  mostCompared,
  type ToCompare,
} from './compare-address';

export function ComparePage() {
  const [params] = useSearchParams();
  const compared = comparedOf(params);
  const { of, named } = compared;
  const navigate = useNavigate();
  const change = (products: readonly string[]) =>
    navigate(comparePath({ of, named: products }), { replace: true });
  if (!canCompare(named.length) && (of === 'ids' || named.length > mostCompared))
    return <HowMany />;
  return (
    <Refreshable>
      <div className={styles.page}>
        {canCompare(named.length) && (
          <Figures
            compared={compared}
            onRemove={of === 'products' ? (id) => change(named.filter((one) => one !== id)) : null}
          />
        )}
        {of === 'products' && named.length < mostCompared && (
          <AddProduct compared={named} onAdd={(id) => change([...named, id])} />
        )}
      </div>
    </Refreshable>
  );
}

type Props = { compared: ToCompare; onRemove: ((product: string) => void) | null };

function Figures({ compared, onRemove }: Props) {
  const found = useQuery(compareQuery(compared));
  if (found.data) return <CompareTable items={found.data.items} onRemove={onRemove} />;
  if (isRefusal(found.error, 'not_found')) {
    return <NotFound what={compared.of === 'ids' ? 'plan' : 'goods'} />;
  }
  return <Unanswered of={found} meanwhile={<CardSkeleton lines={8} />} />;
}

function HowMany() {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('plans.compare.few')}
      description={t('plans.compare.fewHint')}
      action={<LinkButton to="/plan">{t('ui.wayPlans')}</LinkButton>}
    />
  );
}

type AddProductProps = { compared: readonly string[]; onAdd: (product: string) => void };

/**
 * Adds another product on which the user has plans. While there is only one product, its name is
 * shown here, because there is no table yet that has it.
 */
function AddProduct({ compared, onAdd }: AddProductProps) {
  const { t } = useTranslation();
  const own = useQuery(ownProductsQuery);
  if (own.isPending) return <CardSkeleton lines={1} />;
  if (own.isError) return <Unanswered of={own} />;
  const others = own.data.choices?.products.filter(({ id }) => !compared.includes(id)) ?? [];
  if (others.length === 0) return <p className={styles.alone}>{t('plans.compare.alone')}</p>;
  const only = own.data.choices?.products.find(
    ({ id }) => compared.length === 1 && id === compared[0],
  );
  return (
    <>
      {only && <h2 className={styles.only}>{only.name}</h2>}
      <SelectField
        label={t('plans.compare.add')}
        placeholder={t('plans.compare.choose')}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        value=""
        onChange={onAdd}
      />
    </>
  );
}
