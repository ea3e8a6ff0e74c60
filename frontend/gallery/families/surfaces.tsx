import { Button } from '@/ui/controls/Button';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { Disclosure } from '@/ui/display/Disclosure';
import { Divider } from '@/ui/display/Divider';
import { Notice } from '@/ui/feedback/Notice';
import type { Entry } from '../entry';
import { long } from '../samples';

export const surfaces: readonly Entry[] = [
  {
    component: 'Card',
    states: {
      plain: () => <Card>Settles in three days.</Card>,
      'with a title': () => (
        <Card
          title="Money"
          aside={
            <Button variant="quiet" size="small">
              All
            </Button>
          }
        >
          Settles in three days.
        </Card>
      ),
      'without a margin': () => (
        <Card title="Account" flush>
          <MenuRow to="/wallet" icon="user" label="Profile" />
        </Card>
      ),
      'long text': () => <Card title={long}>{long}</Card>,
    },
  },
  {
    component: 'Disclosure',
    states: {
      closed: () => <Disclosure label={() => 'How it is counted'}>By the hour.</Disclosure>,
      focused: () => <Disclosure label={() => 'How it is counted'}>By the hour.</Disclosure>,
      'long text': () => <Disclosure label={() => long}>{long}</Disclosure>,
    },
  },
  {
    component: 'Divider',
    states: { plain: () => <Divider />, 'with a word': () => <Divider>or</Divider> },
  },
  {
    component: 'Notice',
    states: {
      info: () => <Notice>Amounts are those of yesterday.</Notice>,
      positive: () => <Notice tone="positive">The plan was paid.</Notice>,
      warning: () => <Notice tone="warning">The card has expired.</Notice>,
      negative: () => (
        <Notice tone="negative" action={<Button size="small">Try again</Button>}>
          The bank refused.
        </Notice>
      ),
      'long text': () => <Notice tone="warning">{long}</Notice>,
    },
  },
];
