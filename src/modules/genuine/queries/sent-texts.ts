import type { Insertable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type NewText = Pick<Insertable<Tables['sent_texts']>, 'clientId' | 'sandbox' | 'hash' | 'createdAt'>;

export const insertSentTexts = (tx: Tx, texts: readonly NewText[]) =>
  queriesIn(tx).insertInto('sent_texts').values(texts).execute();
