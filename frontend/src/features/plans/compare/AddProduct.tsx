import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { SelectField } from '@/ui/form/SelectField';
import { ownProductsQuery } from '../queries';
import styles from './ComparePage.module.css';

type Props = { compared: readonly string[]; onAdd: (product: string) => void };

/** Another of the products on which the user has plans; the first has no table yet that names it. */
export function AddProduct({ compared, onAdd }: Props) {
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
