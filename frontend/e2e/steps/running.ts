import type { Installation } from '../installation.ts';
import { openMarket } from '../market.ts';
import { hashed, Person } from '../people.ts';
import { founders } from './staff.ts';

type Terms = { amount?: string; price?: string; film?: boolean };

/**
 * A plan of Mia's, with a budget for twenty views unless a test names another price for a thousand. With `film`
 * another one can be put, of the product's video.
 */
export async function running(
  installation: Installation,
  { amount = '100.00', ...market }: Terms = {},
) {
  const { admin, finance, code } = await founders(installation);
  const advertiser = await openMarket(installation, admin, finance, market);
  const mia = await Person.register(installation.base, 'mia', code);
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const put = (content: 'landing_page' | 'video') => planOf(mia, { amount, content, password });
  return { admin, finance, advertiser, put, ...(await put('landing_page')) };
}

async function planOf(mia: Person, terms: { amount: string; content: string; password: string }) {
  const plan = await mia.call<{ id: string }>('/plan/order/put', { product_id: '1', ...terms });
  const stop = () => mia.call('/plan/order/stop', { id: plan.id });
  type Delivery = { impressions: number; viewable: number; clicks: number; filtered: number };
  type Video = Record<
    'started' | 'first_quartile' | 'midpoint' | 'third_quartile' | 'completed' | 'skipped',
    number
  >;
  type Detail = { status: string; consumed: string; delivery: Delivery; video: Video | null };
  const detail = () => mia.call<Detail>('/plan/order/detail', { id: plan.id });
  const delivery = async () => (await detail()).delivery;
  /** Its events that count, the newest first. Of readers of whom nothing is kept, the device is `null`. */
  const events = async (kind: 'impression' | 'viewable' | 'click') => {
    type Listed = { items: { device: string | null }[] };
    const asked = { plan_id: plan.id, kind, counted: 'true' };
    return (await mia.read<Listed>('/plan/order/events', asked)).items;
  };
  return { plan: plan.id, detail, delivery, events, stop };
}
