import { describe, expect, it } from '@jest/globals';
import { debtInput, debtInputs } from '../../testing/debts.ts';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';

// There is no worker and no relay, because requests are answered the same without Temporal.
const app = await opened(startCollectionApp({ roles: ['api'] }));
const client = collector(await app.newClient());
const stranger = collector(await app.newClient());

const NOBODY = '00000000-0000-4000-8000-000000000000';
const act = (campaignId: string, action: string) => client.call('POST', `/api/campaigns/${campaignId}/${action}`);
let next = 0;
const oneDraft = () => {
  next += 1;
  return client.draft([debtInput(next)]);
};

describe('a launch', () => {
  it('queues every debt and answers with the workflow', async () => {
    const campaignId = await client.draft(debtInputs(3, 1_000));
    const { status, body } = await act(campaignId, 'launch?sandbox=true');
    expect(status).toBe(200);
    expect(body).toEqual({
      queued: 3,
      campaignId,
      status: 'RUNNING',
      sandbox: true,
      workflowId: `campaign-${campaignId}`,
    });
    const rows = await app.query<{ kind: string; payload: object }>(
      'select kind, payload from outbox where workflow_id = $1',
      [`campaign-${campaignId}`],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/Maria|\+55/);
    expect((await client.allDebts(campaignId)).every(({ status: debt }) => debt === 'QUEUED')).toBe(true);
  });

  it('on a deployment with sandbox adapters is always a sandbox launch', async () => {
    for (const query of ['', '?sandbox=false']) {
      expect((await act(await oneDraft(), `launch${query}`)).body).toMatchObject({ sandbox: true });
    }
  });

  it('in the sandbox includes debts that a message has moved before, and none with a real payment', async () => {
    const campaignId = await client.draft(debtInputs(3, 3_000));
    const [held, paid] = await client.allDebts(campaignId);
    await app.query(`update debts set status = 'ON_HOLD', sandbox = false where id = $1`, [held!.id]);
    await app.query(`update debts set status = 'PAID', sandbox = false where id = $1`, [paid!.id]);
    expect((await act(campaignId, 'launch?sandbox=true')).body).toMatchObject({ queued: 1, sandbox: true });
    const rows = await app.query('select status, sandbox from debts where campaign_id = $1 order by status', [
      campaignId,
    ]);
    expect(rows).toEqual([
      { status: 'ON_HOLD', sandbox: true },
      { status: 'PAID', sandbox: false },
      { status: 'QUEUED', sandbox: true },
    ]);
  });

  it('of debts that have all left the draft by messages completes at once, and runs again for a resumed debt', async () => {
    const campaignId = await client.draft([debtInput(5_030)]);
    const id = (await client.allDebts(campaignId))[0]?.id ?? '';
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [id]);
    expect(await act(campaignId, 'launch')).toMatchObject({ status: 200, body: { queued: 0, status: 'RUNNING' } });
    const campaign = async () => (await client.call('GET', `/api/campaigns/${campaignId}`)).body.status;
    expect(await campaign()).toBe('COMPLETED');
    expect(await client.call('POST', `/api/debts/${id}/resume`, { note: 'O contrato foi conferido.' })).toMatchObject({
      body: { status: 'IN_COLLECTION' },
    });
    expect(await campaign()).toBe('RUNNING');
  });

  it('succeeds once of several concurrent calls', async () => {
    const campaignId = await oneDraft();
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(campaignId, 'launch')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).every(({ body }) => body.code === 'campaign_not_draft')).toBe(
      true,
    );
    expect(await app.query('select 1 from outbox where workflow_id = $1', [`campaign-${campaignId}`])).toHaveLength(1);
  });

  it('and a concurrent archive end without an internal error', async () => {
    for (let n = 0; n < 5; n += 1) {
      const campaignId = await client.draft(debtInputs(20, 2_000 + 20 * n));
      const [launch, archive] = await Promise.all([act(campaignId, 'launch'), act(campaignId, 'archive')]);
      expect([200, 409]).toContain(launch.status);
      expect(archive.status).toBe(200);
    }
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['unknown', async () => NOBODY, 404, 'not_found'],
    ['not even an id', async () => 'nothing', 404, 'not_found'],
    ['a stranger’s', () => stranger.draft([debtInput(1)]), 404, 'not_found'],
    ['empty', () => client.createCampaign(), 409, 'campaign_empty'],
  ])('of a campaign that is %s is refused', async (_, make, status, code) => {
    expect(await act(await make(), 'launch')).toMatchObject({ status, body: { code } });
  });

  it('of an archived campaign, or with an invalid sandbox parameter, is refused', async () => {
    const campaignId = await oneDraft();
    expect(await act(campaignId, 'launch?sandbox=maybe')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ parameter: 'sandbox' }] },
    });
    await act(campaignId, 'archive');
    expect(await act(campaignId, 'launch')).toMatchObject({ status: 409, body: { code: 'campaign_not_draft' } });
  });
});

describe('pause, resume, archive', () => {
  it('are allowed from their own statuses only, and are idempotent', async () => {
    const id = await oneDraft();
    const go = async (action: string): Promise<string> => {
      const { status, body } = await act(id, action);
      return status === 200 ? body.status : body.code;
    };
    expect(await go('pause')).toBe('campaign_state');
    expect(await go('resume')).toBe('campaign_state');
    await act(id, 'launch');
    expect(await go('resume')).toBe('RUNNING');
    expect(await go('pause')).toBe('PAUSED');
    expect(await go('pause')).toBe('PAUSED');
    expect(await go('resume')).toBe('RUNNING');
    expect(await go('archive')).toBe('ARCHIVED');
    expect(await go('archive')).toBe('ARCHIVED');
    expect(await go('resume')).toBe('campaign_state');
    expect((await client.allDebts(id)).map(({ status }) => status)).toEqual(['STOPPED']);
  });

  it('wake every collection by a batch signal, at once and again after the lag of the index', async () => {
    const id = await oneDraft();
    await act(id, 'launch');
    await act(id, 'pause');
    await act(id, 'resume');
    const rows = await app.query<{ payload: object; later: boolean }>(
      `select payload, available_at > now() + interval '5 seconds' as later from outbox
       where kind = 'batch_signal' and workflow_id = $1 order by available_at`,
      [`every-of-${id}`],
    );
    expect(rows).toEqual([
      { payload: { campaignId: id }, later: false },
      { payload: { campaignId: id }, later: true },
    ]);
  });

  it('are allowed to the owning client only', async () => {
    const id = await stranger.draft([debtInput(2)]);
    for (const action of ['pause', 'resume', 'archive']) expect((await act(id, action)).status).toBe(404);
  });
});

describe('a debt', () => {
  const change = (id: string, action: string) =>
    client.call(
      'POST',
      `/api/debts/${id}/${action}`,
      action === 'resume' ? { note: 'O contrato foi conferido.' } : undefined,
    );

  it('is withdrawn from every status but the final ones, and resumed from dispute and hold, but not while it is collected', async () => {
    const id = await client.launchOne({}, 5_000);
    expect(await change(id, 'resume')).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [id]);
    const resumed = await change(id, 'resume');
    expect(resumed).toMatchObject({ status: 200, body: { id, status: 'IN_COLLECTION' } });
    expect((await client.debt(id)).timeline.at(-1)).toMatchObject({ kind: 'status_changed', from: 'DISPUTED' });
    expect(await change(id, 'withdraw')).toMatchObject({ status: 200, body: { status: 'STOPPED' } });
    expect(await change(id, 'withdraw')).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    const campaign = (await client.debt(id)).campaignId;
    expect((await client.call('GET', `/api/campaigns/${campaign}`)).body.status).toBe('COMPLETED');
  });

  it('that is disputed is resumed with a note of what was checked, which its history keeps', async () => {
    const id = await client.launchOne({}, 5_906);
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [id]);
    const resume = (note?: string) =>
      client.call('POST', `/api/debts/${id}/resume`, note === undefined ? {} : { note });
    for (const note of [undefined, '', 'conferido', 'x'.repeat(1_001)]) {
      expect(await resume(note)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/note' }] } });
    }
    expect((await resume('Contrato conferido com a escola.')).status).toBe(200);
    const { timeline } = await client.debt(id);
    expect(timeline.find(({ from }) => from === 'DISPUTED')).toMatchObject({
      to: 'IN_COLLECTION',
      reason: 'Contrato conferido com a escola.',
    });
    const { body: audit } = await client.call('GET', '/api/audit?limit=20');
    const entry = audit.items.find(
      ({ action, target }: Record<string, string>) => action === 'debt_resumed' && target === id,
    );
    expect(entry.details).toMatchObject({ from: 'DISPUTED', noteId: expect.any(String) });
  });

  it('of a draft is not resumed before the launch', async () => {
    const campaignId = await client.draft([debtInput(5_004), debtInput(5_005)]);
    const id = (await client.allDebts(campaignId))[0]?.id ?? '';
    await app.query(`update debts set status = 'ON_HOLD', sandbox = false where id = $1`, [id]);
    expect(await change(id, 'resume')).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await act(campaignId, 'launch');
    expect(await change(id, 'resume')).toMatchObject({ status: 200, body: { status: 'IN_COLLECTION' } });
  });

  it('that is resumed sets its completed campaign running again', async () => {
    const id = await client.launchOne({}, 5_001);
    const { campaignId } = await client.debt(id);
    await app.query(`update debts set status = 'ON_HOLD', sandbox = false where id = $1`, [id]);
    await app.query(`update campaigns set status = 'COMPLETED' where id = $1`, [campaignId]);
    await change(id, 'resume');
    expect((await client.call('GET', `/api/campaigns/${campaignId}`)).body.status).toBe('RUNNING');
  });

  it('is never live in a completed campaign, when one is resumed while another ends', async () => {
    for (let round = 0; round < 12; round += 1) {
      const campaignId = await client.draft([debtInput(7_000 + 2 * round), debtInput(7_001 + 2 * round)]);
      await act(campaignId, 'launch');
      const [held, other] = (await client.allDebts(campaignId)).map(({ id }) => id) as [string, string];
      await app.query(`update debts set status = 'ON_HOLD' where id = $1`, [held]);
      await Promise.all([change(held, 'resume'), change(other, 'withdraw')]);
      const { body } = await client.call('GET', `/api/campaigns/${campaignId}`);
      expect([(await client.debt(held)).status, body.status]).toEqual(['IN_COLLECTION', 'RUNNING']);
    }
  });

  it('of another client, or with an unknown id, is not found', async () => {
    const theirs = await stranger.launchOne({}, 5_002);
    for (const id of [theirs, NOBODY, 'x']) {
      for (const action of ['resume', 'withdraw']) expect((await change(id, action)).status).toBe(404);
      expect((await client.call('GET', `/api/debts/${id}/contact-eligibility`)).status).toBe(404);
      expect((await client.say(id, 'Oi')).status).toBe(404);
      expect((await client.call('GET', `/api/sandbox/outbox?debtId=${id}`)).status).toBe(404);
    }
  });

  it('answers whether it may be contacted, without booking', async () => {
    const id = await client.launchOne({ dueDate: '2031-01-01' }, 5_003);
    const { status, body } = await client.call('GET', `/api/debts/${id}/contact-eligibility`);
    expect(status).toBe(200);
    expect(body.allowed).toBe(false);
    expect(body.rules).toContain('due');
    expect(body.notBefore).toMatch(/^2031-01-/);
    expect((await client.debt(id)).timeline.filter(({ kind }) => kind === 'verdict')).toEqual([]);
  });

  it('answers from when it might be contacted once it is resumed, and resumes nothing', async () => {
    const id = await client.launchOne({ dueDate: '2031-01-01' }, 5_006);
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [id]);
    const asked = async (query: string) =>
      (await client.call('GET', `/api/debts/${id}/contact-eligibility${query}`)).body;
    expect(await asked('')).toMatchObject({ rules: expect.arrayContaining(['dispute']), notBefore: null });
    const resumed = await asked('?resumed=true');
    expect(resumed).toMatchObject({ allowed: false, notBefore: expect.stringMatching(/^2031-01-/) });
    expect(resumed.rules).not.toContain('dispute');
    expect((await client.debt(id)).status).toBe('DISPUTED');
  });
});

describe('a message of a debtor', () => {
  let made = 6_000;
  const fresh = () => {
    made += 1;
    return made;
  };
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['too much', 'a'.repeat(4_097)],
    ['far too much', 'a'.repeat(100_000)],
    ['too many emoji', '😀'.repeat(4_097)],
    ['no text', 5],
    ['none at all', undefined],
  ])('%s is refused', async (_, text) => {
    const id = await client.launchOne({}, fresh());
    const answer = await client.call('POST', `/api/sandbox/debts/${id}/messages`, { text });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer: '/text' }] } });
    expect((await client.debt(id)).timeline.filter(({ kind }) => kind === 'message_received')).toEqual([]);
  });

  it('is stored trimmed and waits for the workflow', async () => {
    const id = await client.launchOne({}, 5_010);
    const texts = ['  Olá! 😀👍🏽 \n', 'a'.repeat(4_096), '😀'.repeat(4_096)];
    for (const text of texts) expect((await client.say(id, text)).status).toBe(202);
    const { timeline } = await client.debt(id);
    const heard = timeline.filter(({ kind }) => kind === 'message_received');
    expect(heard.map(({ text }) => text)).toEqual(texts.map((text) => text.trim()));
    expect(heard.map(({ intent }) => intent)).toEqual([null, null, null]);
    expect(await app.query('select 1 from outbox where workflow_id = $1', [`collection-${id}`])).toHaveLength(1);
  });

  it('before the launch precedes the launch on the timeline, and a debt that it moved is not queued', async () => {
    const campaignId = await client.draft([debtInput(5_012), debtInput(5_013)]);
    const [one, two] = await client.allDebts(campaignId);
    const [asked, withdrawn] = [one?.id ?? '', two?.id ?? ''];
    await client.say(asked, 'Oi');
    await client.call('POST', `/api/debts/${withdrawn}/withdraw`);
    expect((await act(campaignId, 'launch')).body).toMatchObject({ queued: 1 });
    const kinds = async (id: string) => (await client.debt(id)).timeline.map(({ kind, to }) => to ?? kind);
    expect(await kinds(asked)).toEqual(['imported', 'message_received', 'QUEUED']);
    expect(await kinds(withdrawn)).toEqual(['imported', 'STOPPED']);
  });

  it('requires a bearer', async () => {
    const id = await client.launchOne({}, 5_011);
    const path = `/api/sandbox/debts/${id}/messages`;
    expect((await app.post(path, { text: 'Oi' })).status).toBe(401);
    expect((await app.get(`/api/sandbox/outbox?debtId=${id}`)).status).toBe(401);
  });
});

describe('the sandbox outbox', () => {
  const put = (clientId: string, debtId: string | null, text: string) =>
    app.query(
      `insert into sandbox_outbox (client_id, debt_id, channel, recipient, purpose, text, at)
       values ($1, $2, 'sandbox', '+5511980001000', 'collection', $3, now())`,
      [clientId, debtId, text],
    );

  it('lists messages to debtors in pages, and never mails to the client itself', async () => {
    const id = await client.launchOne({}, 5_020);
    const other = await client.launchOne({}, 5_021);
    await put(client.id, null, 'a link to a new password');
    for (const n of [1, 2, 3]) await put(client.id, id, `text ${n}`);
    await put(client.id, other, 'of another debt');
    const page = async (query: string) => (await client.call('GET', `/api/sandbox/outbox?${query}`)).body;
    const first = await page(`debtId=${id}&limit=2`);
    expect(first.items.map(({ text }: { text: string }) => text)).toEqual(['text 1', 'text 2']);
    expect(Object.keys(first.items[0]).sort()).toEqual(
      ['at', 'channel', 'debtId', 'document', 'id', 'purpose', 'text', 'to'].sort(),
    );
    const rest = await page(`debtId=${id}&limit=2&cursor=${first.nextCursor}`);
    expect(rest).toMatchObject({ items: [{ text: 'text 3' }], nextCursor: null });
    expect((await page('limit=100')).items.map(({ text }: { text: string }) => text)).not.toContain(
      'a link to a new password',
    );
    expect((await client.call('GET', '/api/sandbox/outbox?cursor=nonsense')).status).toBe(400);
    expect((await stranger.call('GET', '/api/sandbox/outbox')).body).toEqual({ items: [], nextCursor: null });
  });
});
