import { call } from './call';

/** Whether the transaction password is right; the dialog shows every refusal itself. */
export async function checkPassword(hash: string): Promise<void> {
  const inline = ['wrong_pay_password', 'pay_password_locked', 'pay_password_not_set', 'network'];
  await call<object>('POST', '/check/password', { body: { password: hash }, inline });
}
