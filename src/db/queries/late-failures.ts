import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared, queriesIn } from './builder.ts';

/** Finds whether a debt has messages that the channel accepted and then could not deliver. */
export const LATE_FAILURES = prepared('late_failures', (queries, { debtId }: { readonly debtId: string }) =>
  queries.selectFrom('messages').select('id').where('debtId', '=', debtId).where('isUndoDue', '=', true).limit(1),
);

export const lateFailures = (em: EntityManager, debtId: string) =>
  queriesIn(em)
    .selectFrom('messages')
    .select(['id', 'purpose', 'failure', 'alsoAbout', 'attemptKey', 'phone'])
    .where('debtId', '=', debtId)
    .where('isUndoDue', '=', true)
    .orderBy('createdAt')
    .execute();

export const clearUndoDue = (em: EntityManager, messageId: string) =>
  queriesIn(em).updateTable('messages').set({ isUndoDue: false }).where('id', '=', messageId).execute();
