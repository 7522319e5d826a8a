import { type CampaignsApp, startCampaignsApp } from '../../testing/campaigns-app.ts';

/** Runs only the API on an existing database; the benchmarks of the API do not need Temporal. */
export const startBenchApp = (databaseUrl: string): Promise<CampaignsApp> => {
  process.env['TEST_TEMPORAL_ADDRESS'] ??= '127.0.0.1:1';
  return startCampaignsApp({ database: { url: databaseUrl, name: 'postgres', drop: async () => undefined } });
};
