import type { FlowRow } from '@/api/types';
import { BillingSheet } from './BillingSheet';
import { FlowSheet } from './FlowSheet';

type Props = { row: FlowRow | null; hidden: boolean; onClose: () => void };

/** All details of the row that was pressed, of whichever kind it is. */
export function RowSheets(props: Props) {
  return (
    <>
      <FlowSheet {...props} />
      <BillingSheet {...props} />
    </>
  );
}
