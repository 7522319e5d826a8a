import { type Selectable, sql } from 'kysely';
import { NOW, prepared, type Tables } from '../../../platform/database/queries/builder.ts';

type Act = Readonly<Pick<Selectable<Tables['sandbox_acts']>, 'clientId' | 'debtId' | 'kind' | 'text' | 'phone'>>;

/** Whoever holds a phone does the same act once, and only after the message that causes it is stored as sent. */
export const ADD_SANDBOX_ACT = prepared('sandbox_act_add', (queries, act: Act) =>
  queries
    .insertInto('sandbox_acts')
    .columns(['clientId', 'debtId', 'kind', 'text', 'phone', 'dueAt'])
    .expression(
      queries
        .selectNoFrom(({ val }) => [
          val(act.clientId).as('clientId'),
          val(act.debtId).as('debtId'),
          val(act.kind).as('kind'),
          val(act.text).as('text'),
          val(act.phone).as('phone'),
          sql<Date>`quita_now() + interval '150 milliseconds'`.as('dueAt'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('sandbox_acts')
                .select('id')
                .where('debtId', '=', act.debtId)
                .where('kind', '=', act.kind)
                .where('phone', '=', act.phone)
                .where('text', 'is not distinct from', act.text),
            ),
          ),
        ),
    ),
);

/** Reads the acts of all clients, which only quita_worker may do. */
export const DUE_SANDBOX_ACTS = prepared('sandbox_acts_due', (queries, { limit }: { readonly limit: number }) =>
  queries
    .selectFrom('sandbox_acts')
    .select(['id', 'clientId', 'debtId', 'kind', 'text', 'phone'])
    .where('doneAt', 'is', null)
    .where('dueAt', '<=', NOW)
    .orderBy('dueAt')
    .limit(limit),
);

const LEASE_SECONDS = 30;

/** Returns nothing when another process performs the act now. */
export const LEASE_SANDBOX_ACT = prepared('sandbox_act_claim', (queries, { id }: { readonly id: string }) =>
  queries
    .updateTable('sandbox_acts')
    .set({ dueAt: sql<Date>`quita_now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})` })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .where('dueAt', '<=', NOW)
    .returning('id'),
);

export const FINISH_SANDBOX_ACT = prepared('sandbox_act_done', (queries, { id }: { readonly id: string }) =>
  queries.updateTable('sandbox_acts').set({ doneAt: NOW }).where('id', '=', id),
);
