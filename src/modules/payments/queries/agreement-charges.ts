import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Returns what was asked and paid for an agreement, beginning with what happened last. The routine `checkout_states` has
 * the same order.
 */
export const chargesOfAgreement = (tx: Tx, agreementId: string) =>
  queriesIn(tx)
    .selectFrom('charges')
    .select(['id', 'status', 'instalment', 'amountCentavos', 'provider', 'accountId', 'providerPaymentId'])
    .select(['brCode', 'expiresAt', 'underpaidAt', 'supersededAt'])
    .where('agreementId', '=', agreementId)
    .where(({ or, eb }) => or([eb('providerPaymentId', 'is not', null), eb('approvedAt', 'is not', null)]))
    .orderBy(sql`coalesce(approved_at, created_at)`, 'desc')
    .orderBy('attempt', 'desc')
    .execute();
