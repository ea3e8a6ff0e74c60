export const planTabs = ['delivery', 'money', 'bought'] as const;
export type PlanTab = (typeof planTabs)[number];

/** The part of a plan's page in its address; without one, or with an unknown one, the first. */
export function planTabOf(search: URLSearchParams): PlanTab {
  return planTabs.find((one) => one === search.get('tab')) ?? planTabs[0];
}
