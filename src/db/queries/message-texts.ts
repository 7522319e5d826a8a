import type { EntityManager } from '@mikro-orm/postgresql';
import type { Insertable } from 'kysely';
import { queriesIn, type Tables } from './builder.ts';

const newestFirst = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .selectFrom('message_texts')
    .distinctOn('step')
    .select(['step', 'version', 'text', 'short', 'createdAt'])
    .where('campaignId', '=', campaignId)
    .orderBy('step')
    .orderBy('version', 'desc');

/** Returns the newest version of each step, also those that return to the product's wording. */
export const newestTexts = (em: EntityManager, campaignId: string) => newestFirst(em, campaignId).execute();

export const newestTextOf = (em: EntityManager, campaignId: string, step: number) =>
  newestFirst(em, campaignId).where('step', '=', step).executeTakeFirst();

/** The caller holds the lock of the campaign, so that no two requests make the same version. */
export const insertText = (
  em: EntityManager,
  row: Pick<
    Insertable<Tables['message_texts']>,
    'clientId' | 'campaignId' | 'step' | 'version' | 'text' | 'short' | 'createdAt'
  >,
) => queriesIn(em).insertInto('message_texts').values(row).execute();
