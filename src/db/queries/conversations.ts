import type { EntityManager } from '@mikro-orm/postgresql';
import type { DebtStatus } from '../../domain/debt-status.ts';
import { anyOf, NOW, queriesIn } from './builder.ts';
import { debtContexts } from './debts.ts';
import type { Person } from './persons.ts';

/** Returns the unhandled messages of the debtor in the order of their arrival. */
export const unhandledMessages = (em: EntityManager, debtId: string, limit: number) =>
  queriesIn(em)
    .selectFrom('messages')
    .select(['id', 'text'])
    .where('debtId', '=', debtId)
    .where('direction', '=', 'in')
    .where('handledAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Marks messages as handled, and returns those that were unhandled before. */
export const setHandled = (em: EntityManager, messageIds: readonly string[], intent: string | null) =>
  queriesIn(em)
    .updateTable('messages')
    .set({ handledAt: NOW, intent })
    .where('id', '=', anyOf(messageIds, 'uuid'))
    .where('handledAt', 'is', null)
    .returning('id')
    .execute();

export const setUnhandled = (em: EntityManager, messageIds: readonly string[]) =>
  queriesIn(em).updateTable('messages').set({ handledAt: null }).where('id', '=', anyOf(messageIds, 'uuid')).execute();

/** Frees the attempt, so that it may book another message. */
export const freeAttempt = (em: EntityManager, messageId: string) =>
  queriesIn(em).updateTable('messages').set({ attemptKey: null }).where('id', '=', messageId).execute();

/** Returns the other debts of the person in these statuses; unless `debtorPhone` is null, only those with that phone. */
export const debtsOfPersonIn = (
  em: EntityManager,
  { id, debtorCpf, sandbox }: Person & { readonly id: string },
  { statuses, debtorPhone }: { readonly statuses: readonly DebtStatus[]; readonly debtorPhone: string | null },
) =>
  debtContexts(em)
    .where('debts.debtorCpf', '=', debtorCpf)
    .where('debts.sandbox', '=', sandbox)
    .where('debts.id', '<>', id)
    .where('debts.status', 'in', statuses)
    .$if(debtorPhone !== null, (query) => query.where('debts.debtorPhone', '=', debtorPhone))
    .orderBy('debts.id')
    .execute();

/** All debts of the person with this phone are marked, because nothing of them may be shown to the phone's owner. */
export const setWrongPerson = (
  em: EntityManager,
  { debtorCpf, debtorPhone, sandbox }: Person & { readonly debtorPhone: string },
) =>
  queriesIn(em)
    .updateTable('debts')
    .set({ wrongPersonAt: NOW, updatedAt: NOW })
    .where('debtorCpf', '=', debtorCpf)
    .where('debtorPhone', '=', debtorPhone)
    .where('sandbox', '=', sandbox)
    .where('wrongPersonAt', 'is', null)
    .execute();

export const setPromise = (em: EntityManager, debtId: string, promisedFor: string) =>
  queriesIn(em).updateTable('debts').set({ promisedFor, updatedAt: NOW }).where('id', '=', debtId).execute();

export const setSaidPaid = (em: EntityManager, debtId: string, saidPaidAt: Date) =>
  queriesIn(em).updateTable('debts').set({ saidPaidAt, updatedAt: NOW }).where('id', '=', debtId).execute();
