import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import type { InboxReason } from '../../domain/inbox-reasons.ts';
import { anyOf, queriesIn } from './builder.ts';
import { isRow } from './is-row.ts';

/** What a person asks for all of its debts, and only the client can decide. */
const REQUESTS: readonly InboxReason[] = ['hardship', 'human', 'negotiate'];

/**
 * Returns what the client knows of the persons of the given debts from their other debts, for each debt whose person has
 * others: when the person is contacted next, what it has promised or reported, and what it waits for.
 */
export const otherDebtsOfPersons = (em: EntityManager, debtIds: readonly string[]) =>
  queriesIn(em)
    .selectFrom('debts as fresh')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('debts as other')
          .innerJoin('campaigns', 'campaigns.id', 'other.campaignId')
          .select(({ fn, eb, and, selectFrom }) => {
            const isLive = eb('other.status', 'in', LIVE_DEBT_STATUSES);
            const isContacted = and([isLive, eb('campaigns.status', '=', 'RUNNING'), eb('other.pausedAt', 'is', null)]);
            return [
              fn.countAll<number>().as('count'),
              fn.min('other.nextContactAt').filterWhere(isContacted).as('nextContactAt'),
              fn.max('other.promisedFor').filterWhere(isLive).as('promisedFor'),
              fn.max('other.saidPaidAt').filterWhere(isLive).as('saidPaidAt'),
              fn
                .min(
                  selectFrom('inbox_items')
                    .select('inbox_items.reason')
                    .whereRef('inbox_items.debtId', '=', 'other.id')
                    .where('inbox_items.closedAt', 'is', null)
                    .where('inbox_items.reason', '=', anyOf(REQUESTS, 'text').$castTo<InboxReason>())
                    .orderBy('inbox_items.reason')
                    .limit(1)
                    .$asScalar(),
                )
                .filterWhere('other.status', '=', 'ON_HOLD')
                .as('heldFor'),
            ];
          })
          .where(({ ref }) =>
            isRow([ref('other.debtorCpf'), ref('other.clientId')], [ref('fresh.debtorCpf'), ref('fresh.clientId')]),
          )
          .whereRef('other.sandbox', '=', 'fresh.sandbox')
          .whereRef('other.id', '<>', 'fresh.id')
          .as('others'),
      (join) => join.onTrue(),
    )
    .select(['fresh.id as debtId', 'others.nextContactAt', 'others.promisedFor', 'others.saidPaidAt'])
    .select(sql<InboxReason | null>`others.held_for`.as('heldFor'))
    .where('fresh.id', '=', anyOf(debtIds, 'uuid'))
    .where('others.count', '>', 0)
    .execute();
