import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const app = await opened(startCampaignsApp());
const scratch = await opened(createScratch());
const BR = join(ROOT, 'policies/br.json');

async function quita(...args: string[]) {
  const env = { DATABASE_URL: app.database.url, DATA_DIR: scratch.folder };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'policy', ...args], env);
  return { code: await started.ended, output: started.output() };
}

function packWith(name: string, change: (rule: Record<string, unknown>) => object): string {
  const pack = JSON.parse(readFileSync(BR, 'utf8'));
  const path = join(scratch.folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...pack, version: name, rules: pack.rules.map(change) }));
  return path;
}

describe('quita policy', () => {
  it('checks a pack in its threads, and says what it compared, by which seed, and how long it took', async () => {
    const small = [
      '--days',
      '1',
      '--sample',
      '300',
      '--seed',
      '7',
      '--from',
      '2026-11-20',
      '--threads',
      '1',
      '--places',
      '11,97',
    ];
    const { code, output } = await quita('check', BR, ...small);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/1 days from 2026-11-20, sample 300, seed 7/),
    });
    expect(output).toMatch(/[\d,]+ decisions in [\d.]+ s\n.*agree/);
  });

  it('refuses to check what is no pack, and a pack that leaves no opening', async () => {
    const hours = (rule: Record<string, unknown>) =>
      rule['id'] === 'br-mg-hours' ? { ...rule, windows: [{ days: [6], from: '10:00', to: '13:00' }] } : rule;
    const closed = await quita('check', packWith('closed', hours));
    expect(closed).toMatchObject({ code: 2, output: expect.stringContaining('area codes 31') });
    const broken = join(scratch.folder, 'broken.json');
    writeFileSync(broken, '{"rules":');
    expect(await quita('check', broken)).toMatchObject({ code: 2, output: expect.stringContaining('broken.json') });
    expect(await quita('check', join(scratch.folder, 'absent.json'))).toMatchObject({ code: 2 });
    expect(await quita('check', BR, '--days', '0')).toMatchObject({
      code: 2,
      output: expect.stringContaining('--days'),
    });
    expect(await quita('prove')).toMatchObject({ code: 2, output: expect.stringContaining('Usage') });
  });

  it('shows the difference of two packs, and says by its exit code whether there is one', async () => {
    expect(await quita('diff', BR, BR)).toMatchObject({
      code: 0,
      output: expect.stringContaining('As regras são as mesmas'),
    });
    const due = packWith('due', (rule) => (rule['id'] === 'br-due' ? { ...rule, daysAfterDue: 3 } : rule));
    const { code, output } = await quita('diff', BR, due);
    expect(code).toBe(1);
    expect(output).toContain('a partir de 3 dias depois do vencimento');
  });

  it('replays the contacts of all clients, whose contacts count for the caps together', async () => {
    const clients = [await app.newClient(), await app.newClient()];
    for (const [index, client] of clients.entries()) {
      const campaignId = await client.createCampaign();
      await client.importJson(campaignId, [debtInput(1, { dueDate: '2026-10-01' })]);
      const { id } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0];
      await app.query(
        `insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at)
         values (false, 'p', 'p', $1, $2, 'booking', $3)`,
        [client.id, id, `2026-11-17T1${index}:00:00-03:00`],
      );
    }
    const { code, output } = await quita('replay', BR, '--from', '2026-11-17', '--to', '2026-11-17');
    expect(code).toBe(0);
    expect(output).toContain('from 2026-11-17 to 2026-11-17: 2 contacts, 1 forbidden\n  1\tbr-cap-day');
    expect(output).toContain(`client ${clients[0]!.id}: 1 contacts, 0 forbidden`);
    expect(output).toContain(`client ${clients[1]!.id}: 1 contacts, 1 forbidden\n  1\tbr-cap-day`);
    expect(await quita('replay', BR, '--from', '2026-11-17')).toMatchObject({ code: 2 });
    expect(await app.query('select count(*) from contact_ledger')).toEqual([{ count: '2' }]);
  });
});
