import { type CampaignsApp, startCampaignsApp } from '../../test/campaigns/support.ts';

/** The API alone on a database that is there already; no bench of it needs Temporal. */
export const startBenchApp = (databaseUrl: string): Promise<CampaignsApp> => {
  process.env['TEST_TEMPORAL_ADDRESS'] ??= '127.0.0.1:1';
  return startCampaignsApp({ database: { url: databaseUrl, name: 'postgres', drop: async () => undefined } });
};
