import { describe, expect, it } from '@jest/globals';
import { ask, createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';

/**
 * The privileges of each role on each table: select, insert, update, delete (upper case for all columns, lower case for
 * some). A new table is added here with the privileges that its statements use, and its migration grants exactly these.
 */
const GRANTS: Readonly<Record<string, readonly [api: string, worker: string]>> = {
  account_hours: ['', 'SIUD'],
  agreement_debts: ['SI', 'SI'],
  agreements: ['SIU', 'SIU'],
  annual_quittances: ['SIu', 'SIu'],
  api_keys: ['SIU', 'SD'],
  attachments: ['SI', 'SUD'],
  audit_log: ['SI', 'sID'],
  bank_calls: ['SIU', 'SIUD'],
  bureau_listings: ['SIu', 'Su'],
  campaign_days: ['SIU', 'SIU'],
  campaign_due_counts: ['SIU', 'SIU'],
  campaign_status_counts: ['SIU', 'SIU'],
  campaigns: ['SIU', 'SIU'],
  case_viewers: ['SIU', ''],
  channel_senders: ['SIu', 'SIUD'],
  channel_templates: ['SIu', 'SIUD'],
  charges: ['SIU', 'SIU'],
  checkout_notices: ['SIU', 'SID'],
  client_credentials: ['SIUD', 'SIUD'],
  client_rules: ['SI', 'SD'],
  clients: ['Siu', 'siuD'],
  contact_ledger: ['s', 'SIUD'],
  contact_pace: ['', 'SIUD'],
  counted_messages: ['SIu', 'SIuD'],
  debt_events: ['SI', 'SID'],
  debt_notes: ['SI', 'suD'],
  debt_phones: ['SID', 'SD'],
  debtor_pages: ['SIu', 'SIUD'],
  debts: ['SIUD', 'SIU'],
  email_changes: ['SIUD', 'suD'],
  email_confirmations: ['SIU', 'SID'],
  events: ['SI', 'SD'],
  evidence_lines: ['S', 'su'],
  idempotency_keys: ['SIU', 'sD'],
  identities: ['SI', 'SD'],
  inbox_items: ['SIu', 'SIU'],
  index_values: ['S', 'SIU'],
  invitations: ['SIUD', 'SuD'],
  late_payment_terms: ['SI', 'SD'],
  login_challenges: ['SIUD', 'sD'],
  login_lockouts: ['SIU', 'SD'],
  login_sources: ['SIUD', 'SD'],
  members: ['SIU', 'sD'],
  message_texts: ['SI', 'S'],
  messages: ['SIu', 'SIUD'],
  mikro_orm_migrations: ['', ''],
  offer_policies: ['SI', 'SD'],
  offers: ['SIu', 'SIu'],
  operator_acts: ['SI', 'sD'],
  operator_invitations: ['SIUD', 'sD'],
  operator_sessions: ['SIUD', 'sD'],
  operators: ['SIU', ''],
  outbox: ['', 'SIUD'],
  passkey_challenges: ['SID', 'sD'],
  passkeys: ['SIUD', 'sD'],
  password_resets: ['SIU', 'SID'],
  payment_notifications: ['s', 'SUD'],
  person_requests: ['SIU', 'SIUD'],
  phone_requests: ['SIu', 'SuD'],
  policy_versions: ['S', 'SI'],
  rate_limits: ['SIUD', 'SD'],
  receipt_deliveries: ['SIU', 'SIU'],
  receipts: ['SIU', 'SIU'],
  received_payments: ['SIU', 'SIUD'],
  recipients: ['SIU', 'SIUD'],
  recovery_codes: ['SIUD', 'sD'],
  refresh_tokens: ['SIU', 'SD'],
  refunds: ['SIU', 'SIU'],
  rights_files: ['SI', 'suD'],
  rights_requests: ['SIu', 'SUD'],
  sandbox_acts: ['SIU', 'SIU'],
  sandbox_charges: ['SIU', 'SIU'],
  sandbox_outbox: ['SI', 'SIUD'],
  saved_answers: ['SIUD', 'sD'],
  second_factors: ['SIUD', 'sD'],
  sender_pace: ['', 'SIUD'],
  sent_texts: ['', 'sID'],
  sessions: ['SIU', 'SD'],
  suppressions: ['s', 'SI'],
  unmatched_messages: ['SI', 'SD'],
  unrecorded_contacts: ['S', 'S'],
  webhook_deliveries: ['SIUD', 'SUD'],
  webhooks: ['SIUD', 'SUD'],
};

const VERBS = `string_agg(case
    when verb = 'delete' then case when has_table_privilege($1, c.oid, verb) then 'D' else '' end
    when has_table_privilege($1, c.oid, verb) then upper(left(verb, 1))
    when has_any_column_privilege($1, c.oid, verb) then left(verb, 1)
    else '' end, '' order by n)`;
const OF_ROLE = `
  select relname as table, ${VERBS} as verbs
  from pg_class c, unnest(array['select', 'insert', 'update', 'delete']) with ordinality as v (verb, n)
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') group by 1 order by 1`;
const COLUMNS = `
  select column_name as column from information_schema.columns
  where table_schema = 'public' and table_name = $2 and not has_column_privilege($1, 'public.' || table_name, column_name, $3)
  order by 1`;

const VERIFIED = ['address', 'at', 'cnpj', 'name', 'senders'].map((part) => `verified_${part}`);
const OPERATOR_KEPT_FROM = [
  'auto_refund_excess',
  'collects_for',
  'created_at',
  'id',
  'lawful_ground',
  'require_second_factor',
];

const database = await opened(createTestDatabase());

describe('the privileges of the roles', () => {
  it.each([
    ['quita_app', 0],
    ['quita_worker', 1],
  ] as const)('%s has the verbs that its statements use, table by table', async (role, index) => {
    const rows = await ask<{ table: string; verbs: string }>(database.url, OF_ROLE, [role]);
    const expected = Object.entries(GRANTS).map(([table, verbs]) => ({ table, verbs: verbs[index] }));
    expect(rows).toEqual(expected);
  });

  it.each([
    ['quita_app', 'clients', 'select', []],
    [
      'quita_app',
      'clients',
      'insert',
      ['auto_refund_excess', 'collects_for', 'lawful_ground', 'require_second_factor', 'retention_days', ...VERIFIED],
    ],
    ['quita_app', 'clients', 'update', ['created_at', 'id', 'plan', ...VERIFIED]],
    ['quita_worker', 'clients', 'select', []],
    ['quita_worker', 'members', 'select', ['password_hash', 'updated_at']],
    [
      'quita_worker',
      'passkeys',
      'select',
      [
        'backed_up',
        'counter',
        'created_at',
        'credential_id',
        'device_type',
        'id',
        'last_used_at',
        'member_id',
        'name',
        'public_key',
        'transports',
      ],
    ],
    [
      'quita_worker',
      'second_factors',
      'select',
      ['confirmed_at', 'created_at', 'id', 'last_step', 'member_id', 'pending_sealed', 'sealed', 'updated_at'],
    ],
    [
      'quita_worker',
      'clients',
      'insert',
      ['auto_refund_excess', 'collects_for', 'lawful_ground', 'require_second_factor', 'retention_days', ...VERIFIED],
    ],
    ['quita_worker', 'clients', 'update', [...OPERATOR_KEPT_FROM, 'retention_days', ...VERIFIED]],
    ['quita_operator', 'clients', 'update', OPERATOR_KEPT_FROM],
    ['quita_worker', 'audit_log', 'select', ['action', 'actor', 'client_id', 'details', 'ip', 'member_id', 'target']],
  ] as const)('%s is kept from columns of %s (%s)', async (role, table, verb, columns) => {
    const rows = await ask<{ column: string }>(database.url, COLUMNS, [role, table, verb]);
    expect(rows.map(({ column }) => column)).toEqual(columns);
  });

  it('there are no default privileges, and no other role has any privilege', async () => {
    expect(await ask(database.url, 'select * from pg_default_acl')).toEqual([]);
    const others = await ask(
      database.url,
      `select relname from pg_class, aclexplode(relacl) acl
       where relnamespace in ('public'::regnamespace, 'quita_private'::regnamespace) and (acl.grantee = 0
         or acl.grantee not in (relowner, 'quita_app'::regrole, 'quita_worker'::regrole, 'quita_operator'::regrole, 'quita_functions'::regrole))`,
    );
    expect(others).toEqual([]);
  });

  it('security definer functions may be called by the roles that need them only, and name a schema for every object', async () => {
    const rows = await ask<{ name: string; owner: string; roles: string[] }>(
      database.url,
      `select proname as name, proowner::regrole::text as owner,
         array(select grantee::regrole::text from aclexplode(proacl) where grantee <> proowner order by 1) as roles
       from pg_proc where prosecdef order by 1`,
    );
    expect(rows).toEqual([
      { name: 'add_outbox', owner: 'quita_functions', roles: ['quita_app', 'quita_worker'] },
      { name: 'asked_for_silence', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'chain_delivery', owner: 'quita_functions', roles: [] },
      { name: 'chain_timeline', owner: 'quita_functions', roles: [] },
      { name: 'checkout_states', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'clients_of_api_keys', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'clients_of_messages', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'clients_of_senders', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'complete_evidence', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'debt_payments', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'end_verification_of_sender', owner: 'quita_functions', roles: [] },
      { name: 'members_of_sessions', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'note_notified_payments', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'note_received_pix', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'operator_parked', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'operator_problems', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'operator_waiting', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'origin_of_content', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'outbox_backlog', owner: 'quita_functions', roles: ['quita_app', 'quita_worker'] },
      { name: 'owner_of_debtor_page', owner: 'quita_functions', roles: ['quita_app'] },
      { name: 'queue_deliveries', owner: 'quita_functions', roles: [] },
      { name: 'quita_applied_migrations', owner: 'quita', roles: ['quita_app', 'quita_worker'] },
      {
        name: 'quita_scope',
        owner: 'quita',
        roles: ['quita_app', 'quita_functions', 'quita_operator', 'quita_worker'],
      },
      { name: 'take_due_charges', owner: 'quita_functions', roles: ['quita_worker'] },
      { name: 'tell_of_campaign', owner: 'quita_functions', roles: [] },
      { name: 'tell_of_debts', owner: 'quita_functions', roles: [] },
      { name: 'tell_of_receipt', owner: 'quita_functions', roles: [] },
      { name: 'tell_of_timeline', owner: 'quita_functions', roles: [] },
      { name: 'verify_client', owner: 'quita_functions', roles: ['quita_app'] },
    ]);
  });
});
