import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { GATE_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/**
 * The contacts of persons over all clients: the booked contacts and the reserved slots. The keys are HMACs of CPF and
 * phone, so that the table alone identifies no person. It has no foreign key, because a client must not learn of another.
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
    kind: p.text().$type<'booking' | 'reservation'>(),
    /** The moment by the debt's own clock. */
    at: instant(),
    /** The end of a reservation in real time; after it an unused slot is free again. */
    reservedUntil: instant().nullable(),
    /** The message of a booking, so that the booking can be deleted when the message was certainly not sent. */
    messageId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'contact_ledger_one_reservation', properties: ['debtId'], where: "kind = 'reservation'" },
    { name: 'contact_ledger_message', properties: ['messageId'] },
  ],
  indexes: [
    { name: 'contact_ledger_person', properties: ['personKey', 'sandbox', 'at'] },
    { name: 'contact_ledger_phone', properties: ['phoneKey', 'sandbox', 'at'] },
    // A replay of a policy reads the contacts of a period, of one client or of all.
    { name: 'contact_ledger_bookings', properties: ['at', 'clientId', 'debtId'], where: "kind = 'booking'" },
  ],
  checks: [
    { name: 'contact_ledger_kind_known', expression: oneOf('kind', ['booking', 'reservation']) },
    { name: 'contact_ledger_reservation_ends', expression: "(reserved_until is not null) = (kind = 'reservation')" },
  ],
  ...GATE_TABLE,
});
