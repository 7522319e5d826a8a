import type { EntityManager } from '@mikro-orm/postgresql';
import { LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { anyOf, NOW, queriesIn } from './builder.ts';

/** Returns the messages of the debtor that nobody has handled, in the order in which they came. */
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

/** Returns the messages that nobody had handled before. */
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

/** The attempt may then book another message. */
export const freeAttempt = (em: EntityManager, messageId: string) =>
  queriesIn(em).updateTable('messages').set({ attemptKey: null }).where('id', '=', messageId).execute();

interface Person {
  readonly debtorCpf: string;
  readonly sandbox: boolean;
}

/** Locks all debts of the person in one order, so that two requests of the same person do not deadlock. */
export const lockDebtsOfPerson = (em: EntityManager, { debtorCpf, sandbox }: Person) =>
  queriesIn(em)
    .selectFrom('debts')
    .select('id')
    .where('debtorCpf', '=', debtorCpf)
    .where('sandbox', '=', sandbox)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** Returns the live debts of the person except one; unless `debtorPhone` is null, only those with that phone. */
export const otherLiveDebts = (
  em: EntityManager,
  {
    debtId,
    debtorCpf,
    sandbox,
    debtorPhone,
  }: Person & { readonly debtId: string; readonly debtorPhone: string | null },
) =>
  queriesIn(em)
    .selectFrom('debts')
    .select('id')
    .where('debtorCpf', '=', debtorCpf)
    .where('sandbox', '=', sandbox)
    .where('id', '<>', debtId)
    .where('status', 'in', LIVE_DEBT_STATUSES)
    .$if(debtorPhone !== null, (query) => query.where('debtorPhone', '=', debtorPhone))
    .orderBy('id')
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
