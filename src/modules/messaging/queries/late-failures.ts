import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Finds the messages of a debt that the channel accepted and then could not deliver. */
export const LATE_FAILURES = prepared('late_failures', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('messages')
    .select(['id', 'purpose', 'failure', 'alsoAbout', 'attemptKey', 'phone', 'staff'])
    .where('debtId', '=', debtId)
    .where('isUndoDue', '=', true)
    .orderBy('createdAt'),
);

export const clearUndoDue = (tx: Tx, messageId: string) =>
  queriesIn(tx).updateTable('messages').set({ isUndoDue: false }).where('id', '=', messageId).execute();
