import { Button } from '@/ui/controls/Button';
import { CopyButton } from '@/ui/controls/CopyButton';
import { CopyRow } from '@/ui/controls/CopyRow';
import { IconButton } from '@/ui/controls/IconButton';
import { Link } from '@/ui/controls/Link';
import { LinkButton } from '@/ui/controls/LinkButton';
import { MenuRow } from '@/ui/controls/MenuRow';
import { MenuRows } from '@/ui/controls/MenuRows';
import { NavBar } from '@/ui/controls/NavBar';
import { TabLinks } from '@/ui/controls/TabLinks';
import { Tiles } from '@/ui/controls/Tiles';
import type { Entry } from '../entry';
import { long, nothing } from '../samples';

function Bar({ title }: { title: string }) {
  return (
    <header>
      <NavBar title={title} back={<IconButton icon="back" label="Back" onClick={nothing} />}>
        <IconButton icon="globe" label="Language" onClick={nothing} />
      </NavBar>
    </header>
  );
}

const tabPages = { chart: '/ad-center', plans: '/plan', wallet: '/wallet', user: '/me' } as const;
const tabs = (['chart', 'plans', 'wallet', 'user'] as const).map((icon) => ({
  to: tabPages[icon],
  icon,
  text: icon,
  replace: false,
  onClick: undefined,
}));

const tile = { icon: 'coupon', text: 'Coupons', to: '/wallet' } as const;
const tiles = [
  tile,
  { icon: 'star', text: 'Level', to: '/wallet' },
  { icon: 'headset', text: 'Customer service', onClick: nothing },
] as const;

export const buttons: readonly Entry[] = [
  {
    component: 'Button',
    states: {
      primary: () => <Button>Pay</Button>,
      secondary: () => <Button variant="secondary">Cancel</Button>,
      quiet: () => <Button variant="quiet">Show all</Button>,
      danger: () => <Button variant="danger">Stop plan</Button>,
      small: () => <Button size="small">Use</Button>,
      'with an icon': () => <Button icon="plus">Add a card</Button>,
      focused: () => <Button>Pay</Button>,
      disabled: () => <Button disabled>Pay</Button>,
      loading: () => <Button loading>Pay</Button>,
      'long text': () => <Button>{long}</Button>,
    },
  },
  {
    component: 'LinkButton',
    states: {
      primary: () => <LinkButton to="/wallet">Open the wallet</LinkButton>,
      secondary: () => (
        <LinkButton to="/wallet" variant="secondary">
          Back
        </LinkButton>
      ),
      'quiet, small': () => (
        <LinkButton to="/wallet" variant="quiet" size="small">
          Details
        </LinkButton>
      ),
      focused: () => <LinkButton to="/wallet">Open the wallet</LinkButton>,
      'long text': () => <LinkButton to="/wallet">{long}</LinkButton>,
    },
  },
  {
    component: 'Link',
    states: {
      plain: () => <Link to="/wallet">The rules of delivery</Link>,
      focused: () => <Link to="/wallet">The rules of delivery</Link>,
      'long text': () => <Link to="/wallet">{long}</Link>,
    },
  },
  {
    component: 'CopyButton',
    states: {
      plain: () => <CopyButton text="A-2041" label="Copy the number" />,
      focused: () => <CopyButton text="A-2041" label="Copy the number" />,
    },
  },
  {
    component: 'CopyRow',
    states: {
      whole: () => <CopyRow label="Tag" text={long} copies="Copy the tag" />,
      cut: () => <CopyRow label="Link" text={long} copies="Copy the link" cut />,
      focused: () => <CopyRow label="Link" text="A-2041" copies="Copy the link" cut />,
    },
  },
  {
    component: 'IconButton',
    states: {
      plain: () => <IconButton icon="bell" label="Notifications" onClick={nothing} />,
      focused: () => <IconButton icon="bell" label="Notifications" onClick={nothing} />,
      'with a count': () => (
        <IconButton icon="bell" label="Notifications, 120 unread" count={120} onClick={nothing} />
      ),
    },
  },
  {
    component: 'NavBar',
    covers: true,
    states: {
      plain: () => <Bar title="Wallet" />,
      'long text': () => <Bar title={long} />,
    },
  },
  {
    component: 'TabLinks',
    covers: true,
    states: {
      plain: () => (
        <main>
          <TabLinks label="Main pages" tabs={tabs} current="/plan" />
        </main>
      ),
      'on a page below, at the side with something more': () => (
        <main>
          <TabLinks
            label="Main pages"
            tabs={tabs}
            current="/plan/detail"
            foot={<Button variant="quiet">Keys</Button>}
          />
        </main>
      ),
    },
  },
  {
    component: 'Tiles',
    states: {
      plain: () => <Tiles label="More" tiles={tiles} />,
      'in one card': () => <Tiles label="More in a row" look="row" tiles={tiles} />,
      focused: () => <Tiles label="More, focused" tiles={tiles} />,
      'long text': () => (
        <Tiles label="More and long" tiles={[{ ...tile, text: long }, ...tiles]} />
      ),
    },
  },
  {
    component: 'MenuRow',
    and: ['MenuRows'],
    states: {
      'leads to a page': () => (
        <MenuRow to="/wallet" icon="wallet" label="Wallet" hint="Balance, flow" />
      ),
      'does something': () => (
        <MenuRow icon="globe" label="Language" value="English" onClick={nothing} />
      ),
      focused: () => <MenuRow to="/wallet" icon="wallet" label="Wallet" />,
      busy: () => <MenuRow icon="download" label="My data" onClick={nothing} busy />,
      'long text': () => (
        <MenuRow to="/wallet" icon="bank" label={long} hint={long} value="0123456789" />
      ),
      'below what leads there': () => (
        <MenuRows label="Ways on">
          <MenuRow to="/wallet" icon="wallet" label="Wallet" />
          <MenuRow to="/plan" icon="plans" label="Plans" />
        </MenuRows>
      ),
    },
  },
];
