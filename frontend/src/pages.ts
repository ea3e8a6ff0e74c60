/** The pages, each with its route in app/routes.ts: a link to another address does not compile. */
export type Page =
  | '/login'
  | '/register'
  | '/reset-password'
  | '/entry'
  | '/ad-welcome'
  | '/publisher'
  | '/claim'
  | '/ad-center'
  | '/ad-center/feedback'
  | '/ad-center/questions'
  | '/ad-center/ques-detail'
  | '/ad-center/rules'
  | '/ad-center/operated'
  | '/ad-center/activities'
  | '/ad-center/coupons'
  | '/ad-center/level'
  | '/notification'
  | '/plan'
  | '/plan/detail'
  | '/plan/events'
  | '/plan/event'
  | '/plan/goods-detail'
  | '/wallet'
  | '/wallet/set-password'
  | '/ad-center/edit-pay-password'
  | '/wallet/bind-card'
  | '/wallet/withdraw'
  | '/ad-center/edit-login-password'
  | '/me'
  | '/me/profile'
  | '/me/sessions'
  | '/me/close'
  | '/wallet/foreign-exchange'
  | '/wallet/recharge'
  | '/wallet/deposit'
  | '/customer';

/** A page, and what it is opened with. */
export type Place = Page | `${Page}?${string}`;

export function planPath(id: string): Place {
  return `/plan/detail?id=${encodeURIComponent(id)}`;
}
