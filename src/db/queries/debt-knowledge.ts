import { sql } from 'kysely';
import { prepared } from './builder.ts';

/**
 * Returns the latest entry of the debt's timeline, and the latest contact about the debt that did not certainly fail,
 * also one that was made for another debt of the person.
 */
export const KNOWLEDGE_OF_DEBT = prepared('debt_knowledge', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .with('latest', (from) =>
      from.selectFrom('debt_events').select(['seq', 'at']).where('debtId', '=', debtId).orderBy('seq', 'desc').limit(1),
    )
    .with('contact', (from) =>
      from
        .selectFrom('debt_events')
        .innerJoin('messages', (join) =>
          join.on('messages.id', '=', sql<string>`(debt_events.data ->> 'messageId')::uuid`),
        )
        .select(['messages.id', 'messages.at', 'messages.delivery'])
        .where('debt_events.debtId', '=', debtId)
        .where('debt_events.kind', '=', 'verdict')
        .where(sql`debt_events.data ->> 'messageId'`, 'is not', null)
        .orderBy('debt_events.seq', 'desc')
        .limit(1),
    )
    .selectFrom('latest')
    .leftJoin('contact', (join) => join.on('contact.delivery', '<>', 'failed'))
    .select(['latest.seq as eventSeq', 'latest.at as eventAt', 'contact.id as contactId', 'contact.at as contactAt']),
);
