import type { EntityManager } from '@mikro-orm/postgresql';
import type { Insertable, Kysely } from 'kysely';
import { preparedIn, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';

const newestFirst = (queries: Kysely<Tables>, campaignId: string) =>
  queries
    .selectFrom('message_texts')
    .distinctOn('step')
    .select(['step', 'version', 'text', 'short', 'createdAt'])
    .where('campaignId', '=', campaignId)
    .orderBy('step')
    .orderBy('version', 'desc');

/** Returns the newest version of each step, also those that return to the product's wording. */
export const newestTexts = (em: EntityManager, campaignId: string) => newestFirst(queriesIn(em), campaignId).execute();

export const newestTextOf = async (em: EntityManager, campaignId: string, step: number) =>
  (await readNewestText(em, { campaignId, step })).at(0);
const readNewestText = preparedIn(
  'message_text_newest',
  (queries, { campaignId, step }: { readonly campaignId: string; readonly step: number }) =>
    newestFirst(queries, campaignId).where('step', '=', step),
);

/** The caller holds the lock of the campaign, so that no two requests make the same version. */
export const insertText = (
  em: EntityManager,
  row: Pick<
    Insertable<Tables['message_texts']>,
    'clientId' | 'campaignId' | 'step' | 'version' | 'text' | 'short' | 'createdAt'
  >,
) => queriesIn(em).insertInto('message_texts').values(row).execute();
