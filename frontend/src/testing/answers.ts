import { aUser, someStatistics } from './data';

/** What the top bar asks on every page of who is signed in. */
export const barAnswers = {
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

/** What the ad center asks, where so many ways lead. */
export const adCenterAnswers = {
  ...barAnswers,
  'GET /user/info': () => aUser,
  'GET /ad/order/data_statistics/list': () => someStatistics,
  'GET /products': () => ({ items: [], next_cursor: null }),
};
