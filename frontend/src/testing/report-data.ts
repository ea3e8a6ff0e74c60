import type { Report, ReportFigures } from '@/api/types';

export const noFigures: ReportFigures = {
  impressions: 0,
  clicks: 0,
  conversions: 0,
  consumed: '0.00',
  platform_paid: '0.00',
  revenue: '0.00',
  profit: '0.00',
  return_on_spend: null,
};

const figures = (consumed: string, profit: string, roi: string | null, impressions: number) => ({
  ...noFigures,
  impressions,
  consumed,
  profit,
  return_on_spend: roi,
});

/** Two days, of which one had nothing before. */
export const aReport: Report = {
  from: '2026-11-20',
  to: '2026-11-21',
  before_from: '2026-11-18',
  before_to: '2026-11-19',
  by: 'day',
  totals: figures('30.00', '-4.50', '-0.150000', 3000),
  before: figures('10.00', '2.00', '0.200000', 1000),
  rows: [
    {
      key: '2026-11-20',
      name: '2026-11-20',
      detail: null,
      ...figures('10.00', '1.00', '0.100000', 1000),
      before: noFigures,
    },
    {
      key: '2026-11-21',
      name: '2026-11-21',
      detail: null,
      ...figures('20.00', '-5.50', '-0.275000', 2000),
      before: figures('10.00', '2.00', '0.200000', 1000),
    },
  ],
  data_source: 'live',
  updated_at: '2026-11-21T12:00:00Z',
};

/** The same days by site and app. */
export const aReportBySite: Report = {
  ...aReport,
  by: 'placement',
  rows: [
    {
      key: '7',
      name: 'The Daily',
      detail: 'news-top',
      ...figures('18.00', '-6.00', '-0.333333', 1800),
      before: figures('10.00', '2.00', '0.200000', 1000),
    },
    {
      key: '9 games.example',
      name: 'games.example',
      detail: 'Bright Exchange',
      ...figures('9.00', '1.50', '0.166667', 900),
      before: noFigures,
    },
    {
      key: 'unknown',
      name: 'Unknown',
      detail: null,
      ...figures('3.00', '0.00', '0.000000', 300),
      before: noFigures,
    },
  ],
};
