import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';

/**
 * Returns what decides the next step of a debt, the latest entry of the debt's timeline, and the latest contact about the debt that did not certainly fail,
 * also one that was made for another debt of the person. The ids of the contacts are read before the join: under row
 * security a comparison with `->>`, which is not leakproof, reaches no index.
 */
export const KNOWLEDGE_OF_DEBT = prepared('debt_knowledge', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .with('latest', (from) =>
      from
        .selectFrom('debt_events')
        .select(['seq', 'at', 'kind', 'data'])
        .where('debtId', '=', debtId)
        .orderBy('seq', 'desc')
        .limit(1),
    )
    .with(
      (cte) => cte('verdicts').materialized(),
      (from) =>
        from
          .selectFrom('debt_events')
          .select(['seq', sql<string>`(data ->> 'messageId')::uuid`.as('messageId')])
          .where('debtId', '=', debtId)
          .where('kind', '=', 'verdict')
          .where(sql`data ->> 'messageId'`, 'is not', null),
    )
    .with('contact', (from) =>
      from
        .selectFrom('verdicts')
        .innerJoin('messages', 'messages.id', 'verdicts.messageId')
        .select(['messages.id', 'messages.at', 'messages.delivery'])
        .orderBy('verdicts.seq', 'desc')
        .limit(1),
    )
    .selectFrom('debts')
    .leftJoin('latest', (join) => join.onTrue())
    .leftJoin('contact', (join) => join.on('contact.delivery', '<>', 'failed'))
    .select(['latest.seq as eventSeq', 'latest.at as eventAt', 'contact.id as contactId', 'contact.at as contactAt'])
    .select(['debts.status', 'debts.nextContactAt', 'debts.pausedAt', 'latest.kind', 'latest.data'])
    .select((debt) =>
      debt
        .selectFrom('receipt_deliveries')
        .select((delivery) => delivery.fn.min('dueAt').as('dueAt'))
        .where('debtId', '=', debtId)
        .where('state', '=', 'waiting')
        .as('receiptDueAt'),
    )
    .where('debts.id', '=', debtId),
);
