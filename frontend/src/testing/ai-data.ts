import type { AiDelivery } from '@/api/types';

export const anAiDelivery: AiDelivery = {
  arms: [
    {
      creative: 'video',
      audience: 'interest:food',
      impressions: 8000,
      clicks: 240,
      conversions: 12,
      share: '0.8000',
    },
    {
      creative: 'landing_page',
      audience: 'rest',
      impressions: 2000,
      clicks: 20,
      conversions: 1,
      share: '0.2000',
    },
  ],
  chosen: { impressions: 9000, clicks: 245, conversions: 12 },
  holdout: { impressions: 1000, clicks: 15, conversions: 1 },
  uplift: { click_rate: '0.0122', low: '0.0028', high: '0.0195' },
  pace: { spent_share: '0.6425', time_share: '0.6100' },
};
