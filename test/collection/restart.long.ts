import { describe, expect, it } from '@jest/globals';
import { copyDatabase, createTestDatabase } from '../../testing/database.ts';
import { debtInput } from '../../testing/debts.ts';
import { collector, ofKind, sent } from '../../testing/engine-harness.ts';
import { until } from '../../testing/poll.ts';
import { campaignWorkflowId, collectionWorkflowId } from '../../workflows/ids.ts';
import {
  asOwner,
  command,
  expectWholeSequence,
  newDatabase,
  newServer,
  server,
  start,
  startedBy,
  steps,
  stop,
  temporal,
  through,
} from './restarts.ts';

describe('a campaign that was terminated in mid fan-out', () => {
  it('plans and starts the debts that are left, contacts each once, and comes to its end', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    // Three pages, so that the terminated workflow has started some and not all.
    const count = 170;
    // These debtors ask for silence after a message, so that the campaign ends soon.
    const inputs = Array.from({ length: count }, (_, n) => debtInput(n + 1, { debtorPhone: `+55119${8_100 + n}0004` }));
    const campaignId = await client.draft(inputs);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const campaign = temporal.workflow.getHandle(campaignWorkflowId(campaignId));
    // The server is asked, not the workflow: its worker then has nothing to do but to start debts.
    await until('some are started', async () => (await startedBy(campaign)) > 0, {
      timeoutMs: 120_000,
    });
    await campaign.terminate('test');
    const debts = await client.allDebts(campaignId);
    const states = await Promise.all(
      debts.map(({ id }) =>
        temporal.workflow
          .getHandle(collectionWorkflowId(id))
          .describe()
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    expect(states).toContain(true);
    expect(states).toContain(false);

    const { output } = await command({ database, server }, 'restart', '--campaign', campaignId);
    expect(output).toContain(`campaign\t${campaignId}\tstarted again: its workflow was lost`);
    await until(
      'the campaign is completed',
      async () => {
        const { body } = await client.call('GET', `/api/campaigns/${campaignId}`);
        return body.status === 'COMPLETED' ? body : null;
      },
      { timeoutMs: 240_000, everyMs: 250 },
    );
    await temporal.workflow.getHandle(campaignWorkflowId(campaignId)).result();
    const contacts = await asOwner<{ debts: number; contacts: number; days: number }>(
      database,
      'sandbox_outbox',
      `select count(distinct debt_id)::int as debts, count(*)::int as contacts,
         count(distinct (debt_id, (at at time zone 'America/Sao_Paulo')::date))::int as days
       from sandbox_outbox where purpose = 'collection'`,
    );
    const [booked] = await asOwner<{ bookings: number }>(
      database,
      'contact_ledger',
      `select count(*)::int as bookings from contact_ledger where kind = 'booking'`,
    );
    expect(contacts).toEqual([{ debts: count, contacts: booked?.bookings, days: booked?.bookings }]);
    await stop(app);
  }, 330_000);
});

describe('a database beside a Temporal without data', () => {
  it('starts everything that is alive again, and contacts nobody twice', async () => {
    const database = await newDatabase(createTestDatabase());
    const before = await start(database, server);
    const account = await before.newClient();
    const client = collector(account);
    const { campaignId, debts } = await client.launch([11, 12, 13].map((n) => debtInput(n)));
    const later = await client.launch([debtInput(14)]);
    const ids = [...debts, ...later.debts].map(({ id }) => id);
    for (const { id } of debts) await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length >= 1);
    await stop(before);

    const empty = await newServer();
    const after = await start(database, empty);
    const { output } = await command({ database, server: empty }, 'restart');
    expect(output).toContain(`campaign\t${campaignId}\tstarted again`);
    expect(output).toContain(`campaign\t${later.campaignId}\tstarted again`);
    const again = through(after, account);
    for (const id of ids) {
      await expectWholeSequence(await again.ended(id));
      expect(await again.outbox(id)).toHaveLength(6);
    }
    for (const id of [campaignId, later.campaignId]) {
      await until(
        'completed',
        async () => (await again.call('GET', `/api/campaigns/${id}`)).body.status === 'COMPLETED',
      );
    }
    await stop(after);
  });
});

describe('a database that is older than Temporal', () => {
  it('counts the contacts that it has forgotten, and asks the client where more was forgotten', async () => {
    const database = await newDatabase(createTestDatabase());
    // The silent debtors' sequence must not end while the others answer, also on a busy machine.
    const wait = '6s';
    let app = await start(database, server, wait);
    const account = await app.newClient();
    let client = collector(account);
    const { debts } = await client.launch([11, 12, 13, 14].map((n) => debtInput(n)));
    const [silent, silentToo, pays, disputes] = debts.map(({ id }) => id) as [string, string, string, string];
    for (const { id } of debts) await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length >= 1);
    await stop(app);

    const backup = await newDatabase(copyDatabase(database));
    app = await start(database, server, wait);
    client = through(app, account);
    await client.call('POST', `/api/sandbox/debts/${pays}/pay`);
    await client.say(disputes, 'Não reconheço essa dívida');
    await client.reaches(pays, 'paid', ({ status }) => status === 'PAID');
    await client.reaches(disputes, 'disputed', ({ status }) => status === 'DISPUTED');
    await temporal.workflow.getHandle(collectionWorkflowId(pays)).result();
    for (const id of [silent, silentToo]) {
      await client.reaches(id, 'contacted again', (debt) => sent(debt, 'collection').length >= 3, 60_000);
    }
    await stop(app);
    const contactsOf = async (id: string): Promise<string[]> =>
      (
        await asOwner<{ day: string }>(
          database,
          'messages',
          `select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day from messages
           where debt_id = '${id}' and purpose = 'collection' order by at`,
        )
      ).map(({ day }) => day);
    const made = { silent: await contactsOf(silent), silentToo: await contactsOf(silentToo) };
    // Time has passed between the backup and the restoration.
    await asOwner(backup, 'debts', `update debts set updated_at = now() - interval '2 hours'`);

    // Only the command is to find what was lost, so that its words can be read; the schedule would say them to nobody.
    await temporal.schedule.getHandle('restart-lost').pause();
    app = await start(backup, server, wait);
    client = through(app, account);
    const { output } = await command({ database: backup, server }, 'restart');
    expect(output).toContain(`held\t${pays}\tclient ${account.id}`);
    expect(output).toMatch(/1 held for the decision of their clients/);
    for (const [id, contacts] of [
      [silent, made.silent],
      [silentToo, made.silentToo],
    ] as const) {
      const debt = await client.ended(id);
      await expectWholeSequence(debt);
      // The contacts of both databases are one sequence: what was made before is not made again.
      expect(steps(debt).slice(0, contacts.length)).toEqual(contacts);
      const deliveries = sent(debt, 'collection').map(({ delivery }) => delivery);
      expect(deliveries.slice(1, contacts.length)).toEqual(Array(contacts.length - 1).fill('unknown'));
      expect(await client.outbox(id)).toHaveLength(6 - (contacts.length - 1));
    }
    for (const [id, reason] of [
      [pays, 'end_forgotten'],
      [disputes, 'conversation_forgotten'],
    ] as const) {
      const debt = await client.reaches(id, 'held', ({ status }) => status === 'ON_HOLD');
      expect(ofKind(debt, 'needs_person')).toMatchObject([{ reason }]);
      expect(sent(debt, 'collection')).toHaveLength(1);
    }
    // The client decides, and everything comes to its end.
    await client.call('POST', `/api/debts/${pays}/withdraw`);
    await client.call('POST', `/api/debts/${disputes}/resume`, { note: 'O contrato foi conferido.' });
    await expectWholeSequence(
      await client.reaches(disputes, 'exhausted', ({ status }) => status === 'EXHAUSTED', 60_000),
    );
    await stop(app);
  }, 240_000);
});
