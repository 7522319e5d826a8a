import { describe, expect, it } from '@jest/globals';
import { type EvidenceKey, verifyPack } from '../../src/modules/evidence/use-cases/verify-pack.ts';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { purgeEndedDebts } from '../../src/modules/privacy/use-cases/purge-ended-debts.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { linesOf } from '../../testing/evidence.ts';
import { opened } from '../../testing/opened.ts';
import { readZip } from '../../testing/read-zip.ts';

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const SECRET = 'Joana disse que perdeu o emprego';

async function endedDebt(n: number): Promise<string> {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(n, { debtorName: 'Joana Prado' })]);
  const [debt] = await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId]);
  await client.call('POST', `/api/debts/${debt!.id}/notes`, { text: SECRET });
  await client.call('POST', `/api/debts/${debt!.id}/withdraw`, { reason: SECRET });
  return debt!.id;
}

async function packed(debtId: string) {
  const answer = await fetch(`${app.url}/api/debts/${debtId}/evidence`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${client.token}` },
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { keys } = (await (await fetch(`${app.url}/.well-known/quita-evidence.json`)).json()) as {
    keys: EvidenceKey[];
  };
  const files = [...readZip(Buffer.from(bytes)).values()].map(String).join('\n');
  return { ...(await verifyPack(bytes, keys)), files };
}

describe('what is erased', () => {
  it('by the wish of the person: the words and their salts; the pack still verifies and names the duty', async () => {
    const debtId = await endedDebt(1);
    expect((await packed(debtId)).files).toContain(SECRET);
    const before = await linesOf(app.query, debtId);
    const personKeys = createPersonKeys('person_secret-of-the-tests');
    await eraseDebtor({ db: worker, now: () => new Date(), personKeys })(cpfOf(100_000_001));
    const after = await linesOf(app.query, debtId);
    expect(after.map(({ hash, contentHash }) => [hash, contentHash])).toEqual(
      before.map(({ hash, contentHash }) => [hash, contentHash]),
    );
    expect(after.map(({ kind, salt, content }) => [kind, salt === null, content === null])).toEqual([
      ['imported', false, false],
      ['note', true, true],
      ['status_changed', true, true],
    ]);
    const { manifest, problems, files } = await packed(debtId);
    expect(problems).toEqual([]);
    expect(manifest?.erased).toEqual([{ duty: 'erasure', at: expect.any(String), seqs: [2, 3] }]);
    expect(files).not.toContain(SECRET);
    expect(files).not.toContain('Joana');
  });

  it('by the end of the time of keeping: all that the timeline does not keep', async () => {
    const debtId = await endedDebt(2);
    await app.query(`update debts set updated_at = now() - interval '6 years' where id = $1`, [debtId]);
    const { debts } = await purgeEndedDebts({ db: worker, now: () => new Date(), note: () => {} })();
    expect(debts).toBe(1);
    const { manifest, problems, files } = await packed(debtId);
    expect(problems).toEqual([]);
    expect(manifest?.erased).toEqual([{ duty: 'retention', at: expect.any(String), seqs: [2, 3] }]);
    expect(files).not.toContain(SECRET);
  });

  it('takes the words of a message from the chains of all debts that it speaks of', async () => {
    const [one, other] = [await endedDebt(3), await endedDebt(4)];
    await app.query(
      `with sent as (
         insert into messages (client_id, debt_id, also_about, direction, channel, purpose, text, delivery, at)
         values ($1, $2, array[$3::uuid], 'out', 'sandbox', 'collection', $4, 'sent', now()) returning id)
       insert into debt_events (client_id, debt_id, at, kind, data)
       select $1, debt, now(), 'message_sent', jsonb_build_object('messageId', id, 'channel', 'sandbox')
       from sent, unnest(array[$2::uuid, $3::uuid]) as debt`,
      [client.id, one, other, SECRET],
    );
    const personKeys = createPersonKeys('person_secret-of-the-tests');
    await eraseDebtor({ db: worker, now: () => new Date(), personKeys })(cpfOf(100_000_003));
    for (const debtId of [one, other]) expect((await linesOf(app.query, debtId)).at(-1)?.content).toBeNull();
    expect((await packed(other)).problems).toEqual([]);
  });
});
