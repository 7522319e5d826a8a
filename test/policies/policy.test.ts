import { describe, expect, it } from '@jest/globals';
import { loadPolicy, type Policy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { recordPolicy } from '../../src/modules/policy/use-cases/record-policy.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const policy = loadPolicy();
const earlier: Policy = {
  ...policy,
  pack: { ...policy.pack, version: '2026-11-01' },
  text: { hash: 'earlier', content: { ...policy.text.content, rules: policy.text.content.rules } },
};

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 1 }));

describe('GET /api/policy', () => {
  it('serves the files with their sources', async () => {
    const client = await app.newClient();
    const { status, body } = await client.call('GET', '/api/policy');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'br', version: policy.pack.version, jurisdiction: 'BR' });
    expect(body.rules).toEqual(policy.text.content.rules);
    expect(body.holidays).toEqual(policy.text.content.holidays);
    expect(body.sequence).toEqual(policy.text.content.sequence);
    for (const rule of body.rules) expect(rule.source).toMatch(/Lei|C[óo]digo|policy|product|STJ/);
  });

  it('serves every version that was ever used, and no other', async () => {
    await recordPolicy({ db: worker, policy: earlier })();
    await recordPolicy({ db: worker, policy })();
    const client = await app.newClient();
    const { body } = await client.call('GET', '/api/policy');
    expect(body.versions.map(({ version }: { version: string }) => version)).toEqual([
      policy.pack.version,
      '2026-11-01',
    ]);
    const old = await client.call('GET', '/api/policy?version=2026-11-01');
    expect(old.body).toMatchObject({ version: '2026-11-01', rules: policy.text.content.rules });
    expect((await client.call('GET', '/api/policy?version=2020-01-01')).status).toBe(404);
  });

  it('says of a rule of an earlier version that it is unproved, where that version said nothing', async () => {
    const {
      checkedAt: _,
      statusProof: __,
      binds: ___,
      ...rule
    } = (policy.text.content.rules as Record<string, unknown>[])[0]!;
    const old: Policy = {
      ...policy,
      pack: { ...policy.pack, version: '2026-10-01' },
      text: { hash: 'old', content: { ...policy.text.content, rules: [rule] } },
    };
    await recordPolicy({ db: worker, policy: old })();
    const client = await app.newClient();
    const { body } = await client.call('GET', '/api/policy?version=2026-10-01');
    expect(body.rules).toEqual([{ ...rule, checkedAt: null, statusProof: null, binds: 'all' }]);
  });

  it('needs a caller', async () => {
    expect((await fetch(`${app.url}/api/policy`)).status).toBe(401);
  });
});

describe('the text of a version that was used', () => {
  it('is stored once, and a change without a new version is refused', async () => {
    await recordPolicy({ db: worker, policy })();
    await recordPolicy({ db: worker, policy })();
    const changed = { ...policy, text: { ...policy.text, hash: 'changed' } };
    await expect(recordPolicy({ db: worker, policy: changed })()).rejects.toThrow('Give br.json a new version');
  });
});
