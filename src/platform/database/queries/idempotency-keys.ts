import { sql } from 'kysely';
import { IDEMPOTENCY_KEY_HOURS } from '../../../kernel/retention-periods.ts';
import { NOW, prepared } from './builder.ts';

interface Key {
  readonly clientId: string;
  readonly route: string;
  readonly keyHash: string;
}

interface Attempt {
  readonly clientId: string;
  readonly workId: string;
  readonly attempt: string;
}

const EXPIRED = sql<boolean>`idempotency_keys.created_at
  < quita_now() - make_interval(hours => ${sql.lit(IDEMPOTENCY_KEY_HOURS)})`;

const secondsFromNow = (seconds: number) => sql<Date>`quita_now() + make_interval(secs => ${seconds}::int)`;

/**
 * Gives a key to an attempt: a new key, one that has expired, or one of the same request whose attempt does not hold it
 * any more. Returns no row when the key has an answer or belongs to somebody else.
 */
export const CLAIM_KEY = prepared(
  'idempotency_key_claim',
  (queries, params: Key & Attempt & { readonly requestHash: string; readonly seconds: number }) =>
    queries
      .insertInto('idempotency_keys')
      .values({
        id: params.workId,
        clientId: params.clientId,
        route: params.route,
        keyHash: params.keyHash,
        requestHash: params.requestHash,
        attempt: params.attempt,
        runningUntil: secondsFromNow(params.seconds),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['clientId', 'route', 'keyHash'])
          .doUpdateSet(({ ref }) => ({
            id: sql<string>`case when ${EXPIRED} then excluded.id else idempotency_keys.id end`,
            createdAt: sql<Date>`case when ${EXPIRED} then quita_now() else idempotency_keys.created_at end`,
            requestHash: ref('excluded.requestHash'),
            attempt: ref('excluded.attempt'),
            runningUntil: ref('excluded.runningUntil'),
            answer: null,
          }))
          .where(({ and, eb, or }) =>
            or([
              EXPIRED,
              and([
                eb('idempotency_keys.runningUntil', '<', NOW),
                eb('idempotency_keys.requestHash', '=', eb.ref('excluded.requestHash')),
              ]),
            ]),
          ),
      )
      .returning('id as workId'),
);

export const FIND_KEY = prepared('idempotency_key_find', (queries, params: Key) =>
  queries
    .selectFrom('idempotency_keys')
    .select(['requestHash', 'answer'])
    .where('clientId', '=', params.clientId)
    .where('route', '=', params.route)
    .where('keyHash', '=', params.keyHash),
);

/** Holds the key longer. With 0 seconds the next attempt may take it at once. */
export const HOLD_KEY = prepared('idempotency_key_hold', (queries, params: Attempt & { readonly seconds: number }) =>
  queries
    .updateTable('idempotency_keys')
    .set({ runningUntil: secondsFromNow(params.seconds) })
    .where('clientId', '=', params.clientId)
    .where('id', '=', params.workId)
    .where('attempt', '=', params.attempt)
    .where('answer', 'is', null),
);

export const KEEP_ANSWER = prepared(
  'idempotency_key_answer',
  (queries, params: Attempt & { readonly answer: Buffer }) =>
    queries
      .updateTable('idempotency_keys')
      .set({ answer: params.answer, runningUntil: null })
      .where('clientId', '=', params.clientId)
      .where('id', '=', params.workId)
      .where('attempt', '=', params.attempt),
);
