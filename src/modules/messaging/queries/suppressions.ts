import { type Kysely, type Selectable, sql } from 'kysely';
import {
  anyOf,
  prepared,
  queriesIn,
  type RowOf,
  type Tables,
  type Values,
} from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type Suppression = Selectable<Tables['suppressions']>;

/** Adds a suppression unless the same one is stored already. */
export const insertSuppression = (
  tx: Tx,
  { sandbox, kind, personKey, phoneKey, clientId, sender }: Omit<Suppression, 'id' | 'createdAt'>,
) =>
  queriesIn(tx)
    .insertInto('suppressions')
    .columns(['sandbox', 'kind', 'personKey', 'phoneKey', 'clientId', 'sender'])
    .expression(
      queriesIn(tx)
        .selectNoFrom((row) => [
          row.val(sandbox).as('sandbox'),
          row.val(kind).as('kind'),
          row.val(personKey).as('personKey'),
          row.val(phoneKey).as('phoneKey'),
          row.val(clientId).as('clientId'),
          row.val(sender).as('sender'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('suppressions')
                .select('id')
                .where('sandbox', '=', sandbox)
                .where('kind', '=', kind)
                .where('personKey', '=', personKey)
                .where('phoneKey', '=', phoneKey)
                .where('clientId', '=', clientId)
                .where('sender', 'is not distinct from', sql<string | null>`${sender}::text`),
            ),
          ),
        ),
    )
    .execute();

interface SuppressedPersons {
  readonly sandbox: boolean;
  readonly personKeys: Values;
  readonly phoneKeys: Values;
}

export const selectSuppressions = (queries: Kysely<Tables>, { sandbox, personKeys, phoneKeys }: SuppressedPersons) =>
  queries
    .selectFrom('suppressions')
    .select(['kind', 'phoneKey', 'personKey', 'clientId', 'sender'])
    .where('sandbox', '=', sandbox)
    .where((suppression) =>
      suppression.or([
        suppression('personKey', '=', anyOf(personKeys, 'text')),
        suppression('phoneKey', '=', anyOf(phoneKeys, 'text')),
      ]),
    )
    .unionAll(
      // Whoever asked this client for silence at a phone and has another number since has asked for it there too.
      queries
        .selectFrom('recipients as moved')
        .innerJoin('suppressions as earlier', (join) =>
          join
            .onRef('earlier.phoneKey', '=', 'moved.phoneKey')
            .onRef('earlier.clientId', '=', 'moved.clientId')
            .on('earlier.sandbox', '=', false),
        )
        .select(['earlier.kind', sql<string>`moved.moved_to_key`.as('phoneKey'), 'earlier.personKey'])
        .select(['earlier.clientId', 'earlier.sender'])
        .where('moved.movedToKey', '=', anyOf(phoneKeys, 'text'))
        .where(sql<boolean>`not ${sandbox}::boolean`),
    );
export const suppressionsOf = prepared('suppressions_of', selectSuppressions);

/** Returns whether the client has heard since that moment that the person, or whoever holds the phone, wants silence. */
export const silencedSince = async (
  tx: Tx,
  { sandbox, clientId, personKey, phoneKey }: Pick<Suppression, 'sandbox' | 'clientId' | 'personKey' | 'phoneKey'>,
  since: Date,
): Promise<boolean> =>
  undefined !==
  (await queriesIn(tx)
    .selectFrom('suppressions')
    .select('id')
    .where('sandbox', '=', sandbox)
    .where('clientId', '=', clientId)
    .where('kind', 'in', ['opt_out', 'phone_opt_out'])
    .where('createdAt', '>', since)
    .where((suppression) =>
      suppression.or([
        suppression.and([suppression('kind', '=', 'opt_out'), suppression('personKey', '=', personKey)]),
        suppression('phoneKey', '=', phoneKey),
      ]),
    )
    .executeTakeFirst());

/** Returns whether any client of the deployment must not contact one of them, by the routine `asked_for_silence`. */
export const ASKED_FOR_SILENCE = prepared(
  'asked_for_silence',
  (queries, { personKeys, phoneKeys }: Pick<SuppressedPersons, 'personKeys' | 'phoneKeys'>) =>
    queries.selectNoFrom(sql<boolean>`asked_for_silence(${personKeys}::text[], ${phoneKeys}::text[])`.as('asked')),
);

export type SuppressionRow = RowOf<typeof suppressionsOf>;
