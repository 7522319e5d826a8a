import { defineEntity, p } from '@mikro-orm/postgresql';
import { Charge } from './charge.ts';
import { createdAt, instant } from './columns.ts';
import { functionsPolicy, purgePolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/** The inbox: that the provider has something to tell about a charge. What it is, the provider is asked. */
export const PaymentNotification = defineEntity({
  name: 'PaymentNotification',
  tableName: 'payment_notifications',
  properties: {
    /** The order of arrival. */
    seq: p.bigint('number').primary().autoincrement(),
    // Without a foreign key: all notifications of a client would lock its one row, and the charge has one already.
    clientId: p.uuid(),
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    /** The request that brought it, for whoever reads logs. */
    requestId: p.text(),
    /** A digest of the `x-request-id` and `ts` that the provider signed. The same again is the same notification. */
    signedRequest: p.text().nullable(),
    /** When the provider had been asked because of it. */
    handledAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'payment_notifications_client', properties: ['clientId'] },
    // Few indexes: each notification pays for them before it is answered.
    { name: 'payment_notifications_handled', properties: ['handledAt'], where: 'handled_at is not null' },
  ],
  // It also finds the notifications of a charge. A notification without a signed request is never equal to another one.
  uniques: [{ name: 'payment_notifications_request', properties: ['chargeId', 'signedRequest'] }],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy("handled_at < (current_timestamp - '90 days'::interval)"),
    functionsPolicy('select'),
    functionsPolicy('insert'),
  ],
});
