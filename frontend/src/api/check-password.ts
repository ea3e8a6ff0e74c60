import { call } from './call';
import type { Shown } from './contract/refusal';

/** Whether the transaction password is right; the dialog shows every refusal itself. */
export async function checkPassword(hash: string): Promise<void> {
  const inline: Shown[] = [
    'wrong_pay_password',
    'pay_password_locked',
    'pay_password_not_set',
    'network',
  ];
  await call('POST', '/check/password', { body: { password: hash }, inline });
}
