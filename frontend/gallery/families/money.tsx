import { formatMoney } from '@/i18n/format';
import { aCoupon } from '@/testing/money-data';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { Parts } from '@/ui/display/Parts';
import { AmountText } from '@/ui/money/AmountText';
import { CountUp } from '@/ui/money/CountUp';
import { CouponTicket } from '@/ui/money/CouponTicket';
import type { Entry } from '../entry';
import { Held } from '../Held';
import { long } from '../samples';

export const money: readonly Entry[] = [
  {
    component: 'AmountText',
    states: {
      plain: () => <AmountText amount="1284.50" />,
      large: () => <AmountText amount="1284.50" size="large" />,
      balance: () => <AmountText amount="1284530.50" size="balance" />,
      income: () => <AmountText amount="12.00" signed />,
      expense: () => <AmountText amount="-12.00" signed />,
      hidden: () => <AmountText amount="1284.50" hidden />,
    },
  },
  {
    component: 'CountUp',
    states: {
      'counts when it changes': () => (
        <Held start="1284.50">
          {(value, change) => (
            <>
              <p>
                <CountUp value={value} format={formatMoney} />
              </p>
              <Button
                size="small"
                variant="secondary"
                onClick={() => change((Number(value) + 100).toFixed(2))}
              >
                100 more
              </Button>
            </>
          )}
        </Held>
      ),
    },
  },
  {
    component: 'Facts',
    states: {
      plain: () => (
        <Facts
          facts={[
            { label: 'Amount', value: '$100.00' },
            { label: 'Fee', value: '$1.00', hint: '1 % of the amount' },
          ]}
        />
      ),
      'long text': () => <Facts facts={[{ label: long, value: '$9,999,999.99', hint: long }]} />,
    },
  },
  {
    component: 'Parts',
    states: {
      'one line': () => <Parts parts={['Budget set aside', 'P7KQ2M9XRT']} />,
      'several lines': () => <Parts parts={['Budget set aside', long, 'P7KQ2M9XRT']} />,
    },
  },
  {
    component: 'CouponTicket',
    states: {
      unused: () => <CouponTicket coupon={aCoupon} action={<Button>Use</Button>} />,
      used: () => (
        <CouponTicket coupon={{ ...aCoupon, status: 'used', used_at: aCoupon.received_at }} />
      ),
      expired: () => <CouponTicket coupon={{ ...aCoupon, status: 'expired' }} />,
      'long text': () => <CouponTicket coupon={{ ...aCoupon, name: long }} />,
    },
  },
];
