import type { FlowRow } from '@/api/types';
import { BillingRow } from './BillingRow';
import { LineRow } from './LineRow';
import type { RowLook } from './RowButton';

type Props = Omit<RowLook, 'plan'> & { row: FlowRow };

/** A movement, or what was billed to a plan on one day. */
export function Row({ row: { line, billing, plan }, ...rest }: Props) {
  if (billing) return <BillingRow billing={billing} plan={plan} {...rest} />;
  return line && <LineRow line={line} plan={plan} {...rest} />;
}
