import type { Insertable, Kysely } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { OwnWording } from '../ports/collection-agent.ts';

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

/** Returns the client's own words for a step of a campaign; null for the product's. The first step is 1. */
export const ownWording = async (
  tx: Tx,
  asked: { readonly campaignId: string; readonly step: number },
): Promise<OwnWording | null> => ownWordingOf((await readNewestText.run(tx, asked)).at(0) ?? null);

/** The newest version has no text when the client has gone back to the product's words. */
export const ownWordingOf = (
  newest: { readonly version: number; readonly text: string | null; readonly short: string | null } | null,
): OwnWording | null =>
  newest === null || newest.text === null ? null : { version: newest.version, text: newest.text, short: newest.short };

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
