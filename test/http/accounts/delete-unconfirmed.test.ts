import { describe, expect, it } from '@jest/globals';
import { emailHash } from '../../../src/modules/accounts/use-cases/login-lockout.ts';
import { OWN_TABLES } from '../../../src/modules/privacy/queries/overdue-clients.ts';
import { purgeExpired } from '../../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { waitingSessions } from '../../../testing/waiting-sessions.ts';
import { confirmAddress, logIn, me, newKey, refusal, signUp } from './accounts.ts';

const app = await opened(startApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));

const purge = () => purgeExpired({ db: worker })();
const late = (id: string) =>
  app.query(`update clients set confirm_email_by = now() - interval '1 second' where id = $1`, [id]);
const exists = async (id: string) => (await app.query('select from clients where id = $1', [id])).length === 1;

describe('an account whose address is not confirmed in 14 days', () => {
  it('is deleted with all its rows; the address can be used again, and the audit log stays', async () => {
    const { id, email, token } = await signUp(app);
    await logIn(app, email);
    const key = await newKey(app, token);
    const expiry = `now() + interval '5 minutes'`;
    await app.query(
      `insert into email_confirmations (client_id, token_hash, expires_at) values ($1::uuid, $1::text, ${expiry})`,
      [id],
    );
    const ofMember = 'from members where client_id = $1';
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, id, ${expiry} ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into identities (client_id, member_id, issuer, subject) select client_id, id, 'i', id ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into second_factors (client_id, member_id, pending_sealed) select client_id, id, 's' ${ofMember}`,
      [id],
    );
    await app.query(`insert into saved_answers (client_id, name, text) values ($1, 'n', 't')`, [id]);
    await app.query(
      `insert into recovery_codes (client_id, member_id, code_hash) select client_id, id, 'h' ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into passkeys (client_id, member_id, credential_id, public_key, counter, transports, device_type, backed_up, name)
       select client_id, id, id::text, '', 0, '{}', 'singleDevice', false, 'n' ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into login_challenges (client_id, member_id, token_hash, kind, expires_at)
       select client_id, id, 'h', 'program', ${expiry} ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into email_changes (client_id, member_id, of_company, present_email, new_email, expires_at)
       select client_id, id, false, 'a@x.com.br', 'b@x.com.br', ${expiry} ${ofMember}`,
      [id],
    );
    await app.query(
      `insert into invitations (client_id, email, name, role, expires_at) values ($1, 'b@x.com.br', 'B', 'agent', ${expiry})`,
      [id],
    );
    await app.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id) values ($1, 'mercadopago', 's', 'a')`,
      [id],
    );
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as) values ($1, 'whatsapp', '1', '1')`,
      [id],
    );
    await app.query(
      `insert into channel_templates (client_id, channel, account_id, name, state)
       values ($1, 'whatsapp', '2', 'quita_first', 'approved')`,
      [id],
    );
    await app.query(
      `insert into unmatched_messages (client_id, channel, sender_id, channel_message_id, sealed)
       values ($1, 'whatsapp', '1', 'm', 's')`,
      [id],
    );
    await app.query(
      `insert into sandbox_outbox (id, client_id, channel, recipient, purpose, text, at)
       values (gen_random_uuid(), $1, 'email', $2, 'email_confirmation', 'x', now())`,
      [id, email],
    );
    await app.query(`insert into webhooks (client_id, url, secret) values ($1, 'https://x.example', 's')`, [id]);
    await app.query(`insert into client_rules (client_id, version, rules) values ($1, 1, '{}')`, [id]);
    await app.query(
      `insert into late_payment_terms (client_id, version, effective_from, fine_basis_points, interest_kind, correction,
         grace_days, business_day_shift) values ($1, 1, '2026-01-01', 0, 'none', 'none', 0, false)`,
      [id],
    );
    await app.query('insert into offer_policies (client_id, version) values ($1, 1)', [id]);
    await app.query(
      `insert into received_payments (client_id, source, key, amount_centavos, paid_at, method, state)
       values ($1, 'bank', 'k', 1, now(), 'pix', 'unmatched')`,
      [id],
    );
    for (const table of OWN_TABLES) {
      expect([table, (await app.query(`select from ${table} where client_id = $1`, [id])).length > 0]).toEqual([
        table,
        true,
      ]);
    }
    await late(id);
    expect(await purge()).toBeGreaterThan(0);
    expect(await exists(id)).toBe(false);
    for (const table of OWN_TABLES)
      expect(await app.query(`select from ${table} where client_id = $1`, [id])).toEqual([]);
    expect(await app.query('select from login_sources where email_hash = $1', [emailHash(email)])).toEqual([]);
    for (const bearer of [token, key]) expect(refusal(await me(app, bearer))).toBe('401 token_invalid');
    const entries = await app.query<{ actor: string; action: string }>(
      'select actor, action from audit_log where client_id = $1 order by seq',
      [id],
    );
    expect(entries[0]).toEqual({ actor: 'client', action: 'sign_up' });
    expect(entries.at(-1)).toEqual({ actor: 'system', action: 'account_deleted' });
    await signUp(app, { email });
  });

  it('stays while it has a campaign, is confirmed, or has time left', async () => {
    const [withCampaign, confirmed, early] = [await signUp(app), await signUp(app), await signUp(app)];
    await app.post('/api/campaigns', { name: 'Atrasados' }, withCampaign.token);
    await late(withCampaign.id);
    await confirmAddress(app, confirmed.id);
    await purge();
    expect(await Promise.all([withCampaign, confirmed, early].map(({ id }) => exists(id)))).toEqual([true, true, true]);
  });

  it('stays when a campaign is created at the same moment', async () => {
    const { id } = await signUp(app);
    await late(id);
    await app.query('begin');
    await app.query(`insert into campaigns (client_id, name, status) values ($1, 'Nova', 'DRAFT')`, [id]);
    const purging = purge();
    await until('the purge waits', async () => (await waitingSessions(app)) > 0);
    await app.query('commit');
    await purging;
    expect(await exists(id)).toBe(true);
  });

  it('is unknown to a campaign that is created a moment later', async () => {
    const { id, token } = await signUp(app);
    await app.query('begin');
    await app.query('select from clients where id = $1 for update', [id]);
    const making = app.post('/api/campaigns', { name: 'Tarde demais' }, token);
    await until('the campaign waits', async () => (await waitingSessions(app)) > 0);
    for (const table of OWN_TABLES) await app.query(`delete from ${table} where client_id = $1`, [id]);
    await app.query('delete from clients where id = $1', [id]);
    await app.query('commit');
    expect(refusal(await making)).toBe('401 token_invalid');
  });

  it('one that cannot be deleted does not prevent the deletion of others, and is reported', async () => {
    const stuck = await signUp(app);
    const other = await signUp(app);
    await app.query('create table holds (client_id uuid references clients (id))');
    try {
      await app.query('insert into holds values ($1)', [stuck.id]);
      await late(stuck.id);
      await late(other.id);
      await expect(purge()).rejects.toMatchObject({ message: expect.stringContaining('holds') });
      expect(await exists(stuck.id)).toBe(true);
      expect(await exists(other.id)).toBe(false);
    } finally {
      await app.query('drop table holds');
    }
    await purge();
    expect(await exists(stuck.id)).toBe(false);
  });

  it('has rows only in tables that are emptied and in those of a campaign', async () => {
    const withCampaign = [
      'agreement_debts',
      'agreements',
      'annual_quittances',
      'attachments',
      'campaigns',
      'campaign_days',
      'campaign_due_counts',
      'campaign_status_counts',
      'bureau_listings',
      'case_viewers',
      'charges',
      'checkout_notices',
      'counted_messages',
      'debt_events',
      'debt_notes',
      'debt_phones',
      'debtor_pages',
      'debts',
      'evidence_lines',
      'inbox_items',
      'message_texts',
      'messages',
      'offers',
      'person_requests',
      'phone_requests',
      'receipt_deliveries',
      'receipts',
      'recipients',
      'refunds',
      'rights_files',
      'rights_requests',
      'sandbox_acts',
      // Only a message has one, and a message has a campaign.
      'sent_texts',
    ];
    // A debt refers to the client of its campaign.
    const referring = await app.query<{ name: string }>(
      `select distinct conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid in ('clients'::regclass, 'campaigns'::regclass)`,
    );
    expect(referring.map(({ name }) => name).sort()).toEqual([...OWN_TABLES, ...withCampaign].sort());
  });
});

describe('the purge', () => {
  it('deletes sources of logins after 30 days, and expired links', async () => {
    const { id, email } = await signUp(app);
    await app.query(
      `insert into login_sources (email_hash, source_hash, last_login_at)
       values ($1, 'old', now() - interval '30 days 1 second'), ($1, 'new', now() - interval '29 days')`,
      [emailHash(email)],
    );
    await app.query(
      `insert into email_confirmations (client_id, token_hash, expires_at)
       values ($1::uuid, $1::text || 'old', now() - interval '1 second'),
         ($1::uuid, $1::text || 'new', now() + interval '1 minute')`,
      [id],
    );
    await purge();
    const sources = await app.query('select source_hash from login_sources where email_hash = $1', [emailHash(email)]);
    expect(sources).toEqual([{ source_hash: 'new' }]);
    const links = await app.query('select token_hash from email_confirmations where client_id = $1', [id]);
    expect(links).toEqual([{ token_hash: `${id}new` }]);
  });
});
