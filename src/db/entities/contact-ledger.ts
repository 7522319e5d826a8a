import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from './columns.ts';
import { GATE_ONLY } from './tenant-table.ts';

/**
 * Contacts of persons over all clients: what was booked, and which later moments are held. Keyed by HMACs of CPF and
 * phone, so that the table alone names nobody. Only the contact gate (quita_worker) reads it: a client must not learn
 * of another, and no foreign key leads out of it.
 */
export const ContactLedger = defineEntity({
  name: 'ContactLedger',
  tableName: 'contact_ledger',
  properties: {
    id: id(),
    sandbox: p.boolean(),
    personKey: p.text(),
    phoneKey: p.text(),
    clientId: p.uuid(),
    debtId: p.uuid(),
    kind: p.text().$type<'booking' | 'hold'>(),
    /** By the debt's own clock. */
    at: instant(),
    /** Of a hold, in real time: a slot that nobody came for is free again. */
    holdUntil: instant().nullable(),
    /** Of a booking: the message, so that a contact that is known not to have been sent can be taken out again. */
    messageId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'contact_ledger_one_hold', properties: ['debtId'], where: "kind = 'hold'" },
    { name: 'contact_ledger_message', properties: ['messageId'] },
  ],
  indexes: [
    { name: 'contact_ledger_person', properties: ['personKey', 'sandbox', 'at'] },
    { name: 'contact_ledger_phone', properties: ['phoneKey', 'sandbox', 'at'] },
  ],
  checks: [
    { name: 'contact_ledger_kind_known', expression: oneOf('kind', ['booking', 'hold']) },
    { name: 'contact_ledger_hold_ends', expression: "(hold_until is not null) = (kind = 'hold')" },
  ],
  ...GATE_ONLY,
});
