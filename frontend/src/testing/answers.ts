import { aUser, someStatistics } from './data';
import { aProperty } from './money-data';

/** What the top bar requests on every page for a signed-in user. */
export const barAnswers = {
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

/** What the ad center requests, where many tests end up. */
export const adCenterAnswers = {
  'GET /plan/order/list': () => ({ items: [], next_cursor: null }),
  ...barAnswers,
  'GET /user/info': () => aUser,
  'GET /ad/order/data_statistics/list': () => someStatistics,
  'GET /products': () => ({ items: [], next_cursor: null }),
  'GET /user/property': () => aProperty,
  'GET /activities': () => [],
};
