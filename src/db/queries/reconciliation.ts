import type { EntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';
import { NOW, queriesIn } from './builder.ts';

/** Returns charges of a debt that are not approved, the latest first. */
export const unsettledCharges = (em: EntityManager, debtId: string, limit: number) =>
  queriesIn(em)
    .selectFrom('charges')
    .select(['id', 'provider', 'accountId', 'providerPaymentId'])
    .where('debtId', '=', debtId)
    .where('providerPaymentId', 'is not', null)
    .where('status', '<>', 'APPROVED')
    .orderBy('attempt', 'desc')
    .limit(limit)
    .$narrowType<{ providerPaymentId: NotNull }>()
    .execute();

/** Returns the charges of all clients about which the provider has to be asked by `at`, the most overdue first. */
export const dueCharges = (em: EntityManager, { at, limit }: { readonly at: Date; readonly limit: number }) =>
  queriesIn(em)
    .selectFrom('charges')
    .select([
      'id',
      'clientId',
      'debtId',
      'provider',
      'accountId',
      'providerPaymentId',
      'createdAt',
      'expiresAt',
      'supersededAt',
    ])
    .where('askAt', '<=', at)
    .orderBy('askAt')
    .limit(limit)
    // Only a charge that the provider has made has a moment for the next question.
    .$narrowType<{ providerPaymentId: NotNull }>()
    .execute();

export type DueCharge = Awaited<ReturnType<typeof dueCharges>>[number];

/** Moves a due charge's next question; returns false when another run has moved it already. */
export async function takeDueCharge(
  em: EntityManager,
  chargeId: string,
  { dueBy, nextAskAt }: { readonly dueBy: Date; readonly nextAskAt: Date },
): Promise<boolean> {
  const taken = await queriesIn(em)
    .updateTable('charges')
    .set({ askAt: nextAskAt })
    .where('id', '=', chargeId)
    .where('askAt', '<=', dueBy)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Makes the reconciliation ask by `at`, unless it asks earlier or never again. */
export const askNoLaterThan = (em: EntityManager, chargeId: string, at: Date) =>
  queriesIn(em)
    .updateTable('charges')
    .set({ askAt: sql<Date>`least(ask_at, ${at}::timestamptz)` })
    .where('id', '=', chargeId)
    .where('askAt', 'is not', null)
    .execute();

/** Makes the next reconciliation ask about a charge that is still pending. */
export const askInNextRun = (em: EntityManager, chargeId: string) =>
  queriesIn(em)
    .updateTable('charges')
    .set({ askAt: NOW })
    .where('id', '=', chargeId)
    .where('status', '=', 'PENDING')
    .execute();

/** Stores that the provider answered, which ends these problems. */
export const storeAnswer = (em: EntityManager, chargeId: string, endedProblems: readonly string[]) =>
  queriesIn(em)
    .updateTable('charges')
    .set({
      lastAskedAt: NOW,
      problem: sql<string | null>`case when problem = any(${endedProblems}::text[]) then null else problem end`,
    })
    .where('id', '=', chargeId)
    .execute();
