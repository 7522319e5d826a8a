import { defineEntity, p } from '@mikro-orm/postgresql';
import { PAYMENT_NOTIFICATION_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, instant } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Charge } from './charge.ts';

const tenancy = tenantTable();

/** The inbox: the provider has reported that a charge changed. The service asks the provider for the new state. */
export const PaymentNotification = defineEntity({
  name: 'PaymentNotification',
  tableName: 'payment_notifications',
  properties: {
    /** The order of arrival. */
    seq: p.bigint('number').primary().autoincrement(),
    // There is no foreign key, because all notifications of a client would lock its one row, and the charge has one.
    clientId: p.uuid(),
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    /** The id of the request that delivered it, for readers of the logs. */
    requestId: p.text(),
    /** A digest of the `x-request-id` and `ts` that the provider signed. The same again is the same notification. */
    signedRequest: p.text().nullable(),
    /** When the service had asked the provider because of it. */
    handledAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'payment_notifications_client', properties: ['clientId'] },
    // There are few indexes, because each notification updates them before it is answered.
    { name: 'payment_notifications_handled', properties: ['handledAt'], where: 'handled_at is not null' },
    // For the metrics. It has few entries at any time, so that its pages stay in memory.
    { name: 'payment_notifications_unhandled', properties: ['createdAt'], where: 'handled_at is null' },
  ],
  // It also finds the notifications of a charge. A notification without a signed request is never equal to another one.
  uniques: [{ name: 'payment_notifications_request', properties: ['chargeId', 'signedRequest'] }],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`handled_at < (current_timestamp - '${PAYMENT_NOTIFICATION_DAYS} days'::interval)`),
    functionsPolicy('select'),
    functionsPolicy('insert'),
  ],
});
