import { randomUUID } from 'node:crypto';
import type { DebtStatus } from '../../src/kernel/debt-status.ts';
import type { App } from '../../testing/app.ts';

type Query = Pick<App, 'query'>['query'];

/** What is still open about a debt. */
export const OPEN_THINGS = [
  'nothing',
  'inbox item',
  'waiting rights request',
  'unhandled message',
  'waiting message',
  'late failure',
  'waiting receipt',
  'asked charge',
  'payment without receipt',
  'imported again',
] as const;
export type OpenThing = (typeof OPEN_THINGS)[number];

export interface Aged {
  readonly id: string;
  readonly status: DebtStatus;
  /** Days since the last change. */
  readonly age: number;
  readonly open: OpenThing;
}

const rowsOf = (count: number): string => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');

export async function insert(query: Query, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = Object.keys(row);
  await query(`insert into ${table} (${columns.join(', ')}) values (${rowsOf(columns.length)})`, Object.values(row));
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

let position = 1_000;

/** Stores a debt with a timeline, a conversation, a note, a charge and whatever is open about it. */
export async function storeAged(
  query: Query,
  { clientId, campaignId }: { readonly clientId: string; readonly campaignId: string },
  { id, status, age, open }: Aged,
): Promise<void> {
  const at = daysAgo(age);
  position += 1;
  const identity = randomUUID();
  const debt = {
    client_id: clientId,
    campaign_id: campaignId,
    debtor_name: 'Joana Prado',
    debtor_phone: `+55119${80_000_000 + position}`,
    debtor_tax_id: String(position).padStart(11, '0'),
    original_amount_centavos: 10_000,
    due_date: '2020-10-05',
    identity_id: identity,
    created_at: at,
    updated_at: at,
  };
  const own = { client_id: clientId, debt_id: id };
  // A debt that was imported again has another current row.
  const continuedBy = open === 'imported again' ? randomUUID() : null;
  await insert(query, 'debts', { ...debt, id, position, status, continued_by: continuedBy });
  const [out, received, noteId, chargeId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const message = { ...own, channel: 'sandbox', at, created_at: at };
  await insert(query, 'messages', {
    ...message,
    id: out,
    direction: 'out',
    purpose: 'collection',
    text: 'Olá, Joana',
    delivery: open === 'waiting message' ? 'waiting' : 'sent',
    is_undo_due: open === 'late failure',
  });
  await insert(query, 'counted_messages', {
    message_id: out,
    client_id: clientId,
    campaign_id: campaignId,
    channel: 'whatsapp',
    sender_id: '1',
    kind: 'utility',
    accepted_at: at,
  });
  await insert(query, 'messages', {
    ...message,
    id: received,
    direction: 'in',
    text: 'Não me escreva mais',
    phone: debt.debtor_phone,
    intent: 'opt_out',
    handled_at: open === 'unhandled message' ? null : at,
  });
  await insert(query, 'debt_notes', { ...own, id: noteId, text: 'Joana ligou', at });
  const events = [
    ['verdict', { allowed: true, messageId: out }],
    ['message_sent', { messageId: out, purpose: 'collection' }],
    ['message_received', { messageId: received }],
    ['note', { noteId }],
    ['charge_created', { paymentId: chargeId }],
    ['status_changed', { from: 'IN_COLLECTION', to: status, noteId }],
    ['payment_changed', { paymentId: chargeId, change: 'refunded' }],
  ] as const;
  for (const [kind, data] of events)
    await insert(query, 'debt_events', { ...own, at, kind, data: JSON.stringify(data) });
  const isPaid = open === 'payment without receipt';
  await insert(query, 'charges', {
    ...own,
    id: chargeId,
    attempt: 1,
    provider: 'sandbox',
    status: isPaid ? 'APPROVED' : 'PENDING',
    amount_centavos: 10_000,
    expires_at: at,
    approved_at: isPaid ? at : null,
    ask_at: open === 'asked charge' ? at : null,
  });
  if (open === 'inbox item') await insert(query, 'inbox_items', { ...own, reason: 'refunded' });
  if (open === 'waiting rights request')
    await insert(query, 'rights_requests', {
      ...own,
      kind: 'correction',
      protocol: randomUUID(),
      text: 'O valor está errado.',
      created_at: at,
    });
  if (open === 'imported again') {
    position += 1;
    await insert(query, 'debts', { ...debt, id: continuedBy, position, status: 'IN_COLLECTION' });
  }
  if (open === 'waiting receipt') {
    const receiptId = randomUUID();
    await insert(query, 'receipts', {
      ...own,
      id: receiptId,
      charge_id: chargeId,
      protocol: `QT-2020-${receiptId}`,
      facts: '{}',
      issued_at: at,
    });
    await insert(query, 'receipt_deliveries', {
      ...own,
      receipt_id: receiptId,
      way: 'email',
      on_confirmation: true,
      wished_at: at,
      due_at: at,
    });
  }
  // The timeline's trigger and the inserts above leave the debt as it was.
  await query('update debts set updated_at = $2 where id = $1', [id, at]);
}
