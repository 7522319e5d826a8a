import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';

/** Finds the messages of a debt that the channel accepted and then could not deliver. */
export const LATE_FAILURES = prepared('late_failures', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('messages')
    .select(['id', 'purpose', 'failure', 'alsoAbout', 'attemptKey', 'phone', 'staff'])
    .where('debtId', '=', debtId)
    .where('isUndoDue', '=', true)
    .orderBy('createdAt'),
);

export const clearUndoDue = (em: EntityManager, messageId: string) =>
  queriesIn(em).updateTable('messages').set({ isUndoDue: false }).where('id', '=', messageId).execute();
