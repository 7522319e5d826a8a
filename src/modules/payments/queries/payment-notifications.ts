import { type Kysely, type NotNull, sql } from 'kysely';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { NOW, prepared, queriesIn, type RowOf, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The three lists have one element for each notification. */
interface NewNotifications {
  readonly paymentKeys: readonly string[];
  readonly requestIds: readonly string[];
  readonly signedRequests: readonly (string | null)[];
  readonly sandboxMaxWaitMs: number;
}

/** The routine builds what `workflows.wakeDebt` would build for a debt that nobody has read yet; a test compares them. */
export const NOTE_PAYMENTS = prepared('note_payments', (queries, params: NewNotifications) =>
  queries.selectNoFrom(
    sql<unknown>`note_notified_payments(${params.paymentKeys}, ${params.requestIds}, ${params.signedRequests},
      ${params.sandboxMaxWaitMs})`.as('noted'),
  ),
);

/** `txids` has an empty text for a payment that names none. */
export const NOTE_RECEIVED_PIX = prepared(
  'note_received_pix',
  (queries, { account, txids }: { readonly account: string; readonly txids: readonly string[] }) =>
    queries.selectNoFrom(sql<unknown>`note_received_pix(${account}, ${txids})`.as('noted')),
);

const notifiedCharges = (queries: Kysely<Tables>) =>
  queries
    .selectFrom('charges')
    .innerJoin('payment_notifications', (join) =>
      join.onRef('payment_notifications.chargeId', '=', 'charges.id').on('payment_notifications.handledAt', 'is', null),
    )
    .select(['charges.id', 'charges.debtId', 'charges.provider', 'charges.accountId', 'charges.providerPaymentId'])
    .select(sql<string[]>`array_agg(payment_notifications.seq::text)`.as('notifications'))
    .select(({ fn }) => fn.min('payment_notifications.createdAt').as('since'))
    .where('charges.providerPaymentId', 'is not', null)
    .groupBy('charges.id')
    .orderBy('charges.attempt')
    .$narrowType<{ providerPaymentId: NotNull; provider: PaymentProviderName }>();

/** Returns the charges of a debt that have unhandled notifications, with these. Those of an agreement are its own. */
export const NOTIFIED_CHARGES = prepared('notified_charges', (queries, { debtId }: { readonly debtId: string }) =>
  notifiedCharges(queries).where('charges.debtId', '=', debtId).where('charges.agreementId', 'is', null),
);

export const NOTIFIED_CHARGES_OF_AGREEMENT = prepared(
  'notified_charges_of_agreement',
  (queries, { agreementId }: { readonly agreementId: string }) =>
    notifiedCharges(queries).where('charges.agreementId', '=', agreementId),
);

export type NotifiedCharge = RowOf<typeof NOTIFIED_CHARGES>;

export const markHandled = (tx: Tx, notifications: readonly string[]) =>
  queriesIn(tx)
    .updateTable('payment_notifications')
    .set({ handledAt: NOW })
    .where('seq', '=', sql<number>`any(${notifications}::bigint[])`)
    .execute();
