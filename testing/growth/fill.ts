/**
 * The statements that fill a database as years of use would. Each is one `insert … select`, because rows that are sent
 * one by one would take hours. Names, numbers and texts are invented.
 *
 * The events and messages of a debt are inserted in rounds over all debts, so that they lie as far apart on the disk as
 * they do after months of collection.
 */
import type { TimelineKind } from '../../src/modules/debts/rules/timeline-entry.ts';

/** A debt is one of a hundred, by its number: so many of them have each status. */
const STATUSES = [
  ['PAID', 30],
  ['EXHAUSTED', 20],
  ['STOPPED', 8],
  ['UNREACHABLE', 4],
  ['OPTED_OUT', 4],
  ['IN_COLLECTION', 14],
  ['QUEUED', 6],
  ['PROMISED', 3],
  ['ON_HOLD', 4],
  ['DISPUTED', 2],
  ['IMPORTED', 5],
] as const;
const STATUS_LIST = STATUSES.flatMap(([status, share]) => Array(share).fill(`'${status}'`)).join(',');

const FIRST = `(array['ana','bruno','carla','daniel','elisa','fabio','gabriela','helena','igor','joana','karina','lucas','maria','nelson','olivia','paulo','rafael','sofia','tiago','vera'])`;
const LAST = `(array['silva','souza','costa','santos','oliveira','pereira','lima','almeida','ferreira','ribeiro','gomes','martins','rocha','barbosa','carvalho','araujo'])`;

/** A campaign has at most so many debts, as many as one import takes. */
const DEBTS_PER_CAMPAIGN = 50_000;

/** The clients have unequal sizes: the first has a fifth of all debts, the others less and less. */
export function sizesOf(debts: number, clients: number): number[] {
  const first = Math.floor(debts / 5);
  const weights = Array.from({ length: clients - 1 }, (_, at) => 1 / (at + 2));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const others = weights.map((weight) => Math.max(1, Math.floor(((debts - first) * weight) / sum)));
  return [first, ...others];
}

/** A random UUID by its form, because the API takes no other, and the same one for the same text. */
const uuidOf = (text: string): string => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

export const CLIENTS = `
  insert into clients (id, name, email, plan, status, cnpj, verified_at, verified_name, verified_cnpj, retention_days)
  select ${uuidOf("'client ' || n")}, 'Escola ' || n, 'financeiro@escola' || n || '.com.br', 'GROWTH', 'ACTIVE',
    lpad(n::text, 14, '0'), now(), 'Escola ' || n, lpad(n::text, 14, '0'), case when n % 4 = 1 then 365 end
  from generate_series(1, $1::int) n returning id`;

export const CAMPAIGNS = `
  insert into campaigns (id, client_id, name, status, sandbox, launched_at, created_at)
  select ${uuidOf("$1::text || ' campaign ' || n")}, $1::uuid, 'Mensalidades ' || n, 'RUNNING', false,
    now() - interval '900 days', now() - interval '900 days'
  from generate_series(0, ($2::int - 1) / ${DEBTS_PER_CAMPAIGN}) n`;

export const DEBTS = `
  insert into debts (client_id, campaign_id, position, debtor_name, name_key, debtor_phone, debtor_tax_id, debtor_email,
    original_amount_centavos, due_date, invoice_id, invoice_key, status, sandbox, score, scored_at, step, last_event_at,
    next_contact_at, created_at, updated_at)
  select $1::uuid, ${uuidOf(`$1::text || ' campaign ' || n / ${DEBTS_PER_CAMPAIGN}`)}, n % ${DEBTS_PER_CAMPAIGN} + 1,
    initcap(named.name), named.name, '+5511' || (900000000 + person), lpad(person::text, 11, '0'), null,
    1000 + n % 90000, (changed - interval '90 days')::date, 'NF-' || n, 'nf-' || n, status, false, n % 100,
    changed - interval '60 days', 3, changed,
    case when status in ('IN_COLLECTION', 'QUEUED', 'PROMISED') then now() + make_interval(hours => 1 + n % 400) end,
    changed - interval '60 days', changed
  from generate_series(0, $2::int - 1) n,
    lateral (select (n::bigint * 7919) % ($2::int * 2 / 3 + 1) as person,
      (array[${STATUS_LIST}])[1 + (n * 37) % 100] as status,
      now() - make_interval(hours => (n::bigint * 104729 % 26000)::int) as changed) as made,
    lateral (select ${FIRST}[1 + person % 20] || ' ' || ${LAST}[1 + person / 20 % 16] || ' ' ||
      ${LAST}[1 + person / 320 % 16] || ' ' || person as name) as named`;

/** The message of a round has an id that its event knows. */
const messageOf = (round: number | string): string => `md5(id::text || ' message ' || ${round})::uuid`;

/** How long before the debt's last change the round was. */
const before = (round: number): string => `updated_at - make_interval(days => ${(10 - round) * 6})`;

/** Imported and queued debts have not been written to. */
const WORKED = `status not in ('IMPORTED', 'QUEUED')`;

/** Three messages: two to the debtor, and an answer of half the debtors. */
export const MESSAGE_ROUNDS = [2, 5, 8] as const;
export const messages = (round: number): string =>
  round === 8
    ? `insert into messages (id, client_id, debt_id, direction, channel, text, intent, handled_at, channel_message_id, at, created_at)
       select ${messageOf(round)}, client_id, id, 'in', 'whatsapp', 'Bom dia, recebi a mensagem e vou ver com calma ainda hoje',
         case when status = 'OPTED_OUT' then 'opt_out' else 'question' end, ${before(round)},
         'wamid.' || md5(id::text || '${round}'), ${before(round)}, ${before(round)}
       from debts where ${WORKED} and position % 2 = 0`
    : `insert into messages (id, client_id, debt_id, direction, channel, purpose, text, delivery, channel_message_id,
         attempt_key, at, created_at)
       select ${messageOf(round)}, client_id, id, 'out', 'whatsapp', 'collection',
         'Olá! A Escola tem um assunto em aberto com você. Veja em https://exemplo.com.br/p/abcdefgh. Para não receber mais mensagens, responda PARAR.',
         'delivered', 'wamid.' || md5(id::text || '${round}'), ${messageOf(round)}::text, ${before(round)}, ${before(round)}
       from debts where ${WORKED}`;

const verdict = (allowed: boolean, rules: string): string =>
  `jsonb_build_object('allowed', ${allowed}, 'rules', '${rules}'::jsonb, 'ruleIds', '[]'::jsonb,
    'pack', '{"id": "br", "version": "2026-11-24"}'::jsonb, 'notBefore', null)`;
const sent = (round: number): string =>
  `jsonb_build_object('messageId', ${messageOf(round)}, 'channel', 'whatsapp', 'purpose', 'collection')`;

/** What happens to a debt, round by round. */
const ROUNDS: readonly (readonly [kind: TimelineKind, data: string])[] = [
  ['verdict', verdict(false, '["window"]')],
  ['verdict', `${verdict(true, '[]')} || jsonb_build_object('messageId', ${messageOf(2)})`],
  ['message_sent', sent(2)],
  ['status_changed', `jsonb_build_object('from', 'QUEUED', 'to', 'IN_COLLECTION')`],
  ['charge_created', `jsonb_build_object('paymentId', md5(id::text || ' charge')::uuid)`],
  ['verdict', `${verdict(true, '[]')} || jsonb_build_object('messageId', ${messageOf(5)})`],
  ['message_sent', sent(5)],
  ['verdict', verdict(false, '["caps"]')],
  ['message_received', `jsonb_build_object('messageId', ${messageOf(8)}, 'channel', 'whatsapp')`],
  ['status_changed', `jsonb_build_object('from', 'IN_COLLECTION', 'to', status)`],
];
export const EVENT_ROUNDS = ROUNDS.length;
export const events = (round: number): string => {
  const [kind, data] = ROUNDS[round]!;
  return `insert into debt_events (client_id, debt_id, at, kind, data)
    select client_id, id, ${before(round)}, '${kind}', ${data} from debts`;
};

const KEY = (column: string): string => `md5(${column} || 'key')`;

/** The rest, in the order of the foreign keys. */
export const OTHERS: Readonly<Record<string, string>> = {
  contact_ledger: `
    insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at, message_id, created_at)
    select false, ${KEY('debtor_tax_id')}, ${KEY('debtor_phone')}, debts.client_id, debts.id, 'booking', messages.at,
      messages.id, messages.at
    from messages join debts on debts.id = messages.debt_id where messages.direction = 'out'`,
  suppressions: `
    insert into suppressions (sandbox, kind, person_key, phone_key, client_id)
    select false, 'opt_out', ${KEY('debtor_tax_id')}, ${KEY('debtor_phone')}, client_id from debts where status = 'OPTED_OUT'`,
  charges: `
    insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
      amount_centavos, paid_centavos, expires_at, approved_at, paid_at, credited_on, principal_centavos, settled_centavos, ask_at, created_at)
    select md5(id::text || ' charge')::uuid, client_id, id, 1, 'mercadopago', md5(id::text || ' charge'),
      md5(id::text || ' charge'), case when status = 'PAID' then 'APPROVED' else 'PENDING' end, original_amount_centavos,
      case when status = 'PAID' then original_amount_centavos else 0 end, updated_at,
      case when status = 'PAID' then updated_at end, case when status = 'PAID' then updated_at end,
      case when status = 'PAID' then updated_at::date end,
      case when status = 'PAID' then original_amount_centavos else 0 end,
      case when status = 'PAID' then original_amount_centavos end,
      case when status = 'IN_COLLECTION' and position % 10 = 0 then now() + make_interval(mins => position % 600 - 60) end,
      updated_at
    from debts where ${WORKED}`,
  receipts: `
    insert into receipts (client_id, debt_id, charge_id, protocol, facts, template_version, sha256, pdf, rendered_at, issued_at)
    select client_id, debt_id, id, 'QT-2026-' || md5(id::text),
      jsonb_build_object('debtor', jsonb_build_object('name', 'Maria'), 'payment', jsonb_build_object('id', id)), 1,
      md5(id::text) || md5(id::text), convert_to(repeat(md5(id::text), 8), 'UTF8'), approved_at, approved_at
    from charges where approved_at is not null`,
  inbox_items: `
    insert into inbox_items (client_id, debt_id, reason, since, closed_at, told_at)
    select client_id, id, case when status = 'DISPUTED' then 'disputed' else 'negotiate' end, updated_at,
      case when status in ('DISPUTED', 'ON_HOLD') then null else updated_at end, updated_at
    from debts where status in ('DISPUTED', 'ON_HOLD') or position % 12 = 0`,
  debt_phones: `
    insert into debt_phones (debt_id, position, client_id, phone)
    select id, n, client_id, case when n = 1 then debtor_phone else '+5521' || substr(debtor_phone, 6) end
    from debts, generate_series(1, 2) n where debts.position % 10 = 0`,
  events: `
    insert into events (client_id, type, debt_id, campaign_id, at, sandbox, data, place, created_at)
    select client_id, 'debt.status_changed', id, campaign_id, updated_at, false,
      jsonb_build_object('status', status, 'previousStatus', 'IN_COLLECTION'), 1, updated_at
    from debts, generate_series(1, 2) where updated_at > now() - interval '30 days'`,
  campaign_status_counts: `
    insert into campaign_status_counts (campaign_id, status, slot, client_id, debts, amount_centavos)
    select campaign_id, status, 0, client_id, count(*), sum(original_amount_centavos) from debts group by 1, 2, 4`,
  campaign_due_counts: `
    insert into campaign_due_counts (campaign_id, due_date, slot, client_id, debts, amount_centavos)
    select campaign_id, due_date, 0, client_id, count(*), sum(original_amount_centavos) from debts
    where status in ('IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED') group by 1, 2, 4`,
  campaign_days: `
    insert into campaign_days (campaign_id, client_id, day, slot, contacts_sent, payments_approved, recovered_centavos)
    select id, client_id, current_date - n, 0, 20, 3, 60000 from campaigns, generate_series(0, 364) n`,
};
