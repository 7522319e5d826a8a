import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const app = await opened(startCampaignsApp());
const scratch = await opened(createScratch());

async function importFile(text: string) {
  const path = join(scratch.folder, 'indices.csv');
  await writeFile(path, text);
  const env = { DATABASE_URL: app.database.url, DATA_DIR: scratch.folder };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'indices', 'import', path], env);
  return { code: await started.ended, output: started.output() };
}

// The worked example of the facts: 5,000.00 from 2026-02-02 to 2026-08-31.
const RATES = ['0.962232', '0.155714', '0.768672', '0.198293', '0.450641', '0.706607', '1.154527'];
const FILE = `series,month,value\n${RATES.map((rate, at) => `29543,2026-0${at + 2},${rate}`).join('\r\n')}\n`;

it('brings values by which debts are quoted from then on', async () => {
  const client = await app.newClient();
  await client.call('PUT', '/api/terms', { ...TERMS, finePercent: 0, interest: { kind: 'legal', percent: null } });
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(1, { originalAmount: 5000, dueDate: '2026-02-02' })]);
  const { id } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0];
  const quote = async () => (await client.call('GET', `/api/debts/${id}/quote?on=2026-08-31`)).body;
  expect(await quote()).toMatchObject({ interest: 0, missing: RATES.map((_, at) => `29543:2026-0${at + 2}`) });

  const imported = await importFile(FILE);
  expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('7 values added, 0 changed') });
  expect(await quote()).toMatchObject({ interest: 216.25, total: 5216.25, missing: [] });

  const again = await importFile(FILE.replace('0.155714', '0.155715'));
  expect(again.output).toContain('0 values added, 1 changed');
});

it.each([
  ['series;month;value\n', 'The first line'],
  ['series,month,value\n', 'no values'],
  ['series,month,value\n29543,2026-13,0.1', 'Line 2 has no month'],
  ['series,month,value\n1,2026-01,0.1', 'Line 2 is of no known series'],
  ['series,month,value\n433,2026-01,"0,1"', 'Line 2 has more'],
  ['series,month,value\n433,2026-01,0.12345678', 'Line 2 has no percentage'],
  ['series,month,value\n433,2026-01,0.1\n433,2026-01,0.2', 'Line 3 repeats'],
])('refuses %j and stores nothing', async (text, problem) => {
  const { code, output } = await importFile(text);
  expect(code).toBe(1);
  expect(output).toContain(problem);
});
