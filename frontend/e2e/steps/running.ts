import type { Installation } from '../installation.ts';
import { openMarket } from '../market.ts';
import { hashed, Person } from '../people.ts';
import { founders } from './staff.ts';

/** A plan of Mia's, with a budget for twenty views unless a test names another price for a thousand. */
export async function running(
  installation: Installation,
  { amount = '100.00', price }: { amount?: string; price?: string } = {},
) {
  const { admin, finance, code } = await founders(installation);
  const advertiser = await openMarket(installation, admin, finance, price);
  const mia = await Person.register(installation.base, 'mia', code);
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const put = { product_id: '1', amount, content: 'landing_page', password };
  const plan = await mia.call<{ id: string }>('/plan/order/put', put);
  const stop = () => mia.call('/plan/order/stop', { id: plan.id });
  type Delivery = { impressions: number; viewable: number; clicks: number; filtered: number };
  type Detail = { status: string; consumed: string; delivery: Delivery };
  const detail = () => mia.call<Detail>('/plan/order/detail', { id: plan.id });
  const delivery = async () => (await detail()).delivery;
  return { plan: plan.id, admin, finance, advertiser, detail, delivery, stop };
}
