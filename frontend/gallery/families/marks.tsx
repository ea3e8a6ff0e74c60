import { Badge } from '@/ui/display/Badge';
import { CountDown } from '@/ui/display/CountDown';
import { Icon } from '@/ui/display/Icon';
import { IconDisc } from '@/ui/display/IconDisc';
import { StatusTag } from '@/ui/display/StatusTag';
import type { Entry } from '../entry';
import { nothing } from '../samples';

export const marks: readonly Entry[] = [
  {
    component: 'Badge',
    states: {
      few: () => <Badge count={3} />,
      many: () => <Badge count={240} />,
      none: () => <Badge count={0} />,
    },
  },
  {
    component: 'StatusTag',
    states: {
      neutral: () => <StatusTag>Settled</StatusTag>,
      accent: () => <StatusTag tone="accent">Running</StatusTag>,
      positive: () => <StatusTag tone="positive">Paid</StatusTag>,
      warning: () => <StatusTag tone="warning">Pending</StatusTag>,
      negative: () => <StatusTag tone="negative">Rejected</StatusTag>,
      'long text': () => <StatusTag>In Bearbeitung bei der Partnerbank</StatusTag>,
    },
  },
  {
    component: 'CountDown',
    states: {
      running: () => <CountDown left={272_000} onEnd={nothing} />,
      ended: () => <CountDown left={0} onEnd={nothing} />,
    },
  },
  {
    component: 'Icon',
    states: {
      'of every page': () => <Icon name="globe" />,
      'of the pages behind the login': () => <Icon name="wallet" />,
      small: () => <Icon name="chevron" size={18} />,
    },
  },
  {
    component: 'IconDisc',
    states: {
      plain: () => <IconDisc name="device" />,
    },
  },
];
