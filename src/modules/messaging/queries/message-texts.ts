import type { Insertable, Kysely } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const newestFirst = (queries: Kysely<Tables>, campaignId: string) =>
  queries
    .selectFrom('message_texts')
    .distinctOn('step')
    .select(['step', 'version', 'text', 'short', 'createdAt'])
    .where('campaignId', '=', campaignId)
    .orderBy('step')
    .orderBy('version', 'desc');

/** Returns the newest version of each step, also those that return to the product's wording. */
export const newestTexts = (tx: Tx, campaignId: string) => newestFirst(queriesIn(tx), campaignId).execute();

export const newestTextOf = async (tx: Tx, campaignId: string, step: number) =>
  (await readNewestText.run(tx, { campaignId, step })).at(0);
const readNewestText = prepared(
  'message_text_newest',
  (queries, { campaignId, step }: { readonly campaignId: string; readonly step: number }) =>
    newestFirst(queries, campaignId).where('step', '=', step),
);

/** The caller holds the lock of the campaign, so that no two requests make the same version. */
export const insertText = (
  tx: Tx,
  row: Pick<
    Insertable<Tables['message_texts']>,
    'clientId' | 'campaignId' | 'step' | 'version' | 'text' | 'short' | 'createdAt'
  >,
) => queriesIn(tx).insertInto('message_texts').values(row).execute();
