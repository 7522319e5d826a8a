import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type DebtContext, selectDebtContexts } from './debt-context.ts';

/** A debtor of the client of the transaction. Sandbox debts and real debts of one CPF belong to different persons. */
export interface Person {
  readonly debtorTaxId: string;
  readonly sandbox: boolean;
}

/** Selects the debts of the person, the oldest first. */
const debtsOfPerson = (queries: Kysely<Tables>, { debtorTaxId, sandbox }: Person) =>
  selectDebtContexts(queries)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('debts.dueDate')
    .orderBy('debts.id');

/** Returns the live debts of the person in running campaigns, the oldest first. */
export const openDebtsOfPerson = prepared('person_open_debts', (queries, person: Person) =>
  debtsOfPerson(queries, person)
    .where('debts.status', 'in', LIVE_DEBT_STATUSES)
    .where('campaigns.status', '=', 'RUNNING'),
);

export interface SeenDebts {
  readonly debt: DebtContext;
  /** The other live debts of its person in running campaigns. */
  readonly open: readonly DebtContext[];
}

export async function debtWithOpenOnes(tx: Tx, debtId: string): Promise<SeenDebts | null> {
  return seenDebts(await readWithOpenOnes.run(tx, { debtId }), debtId);
}

/** Returns null when the debt is not among the rows. */
export function seenDebts<Row extends DebtContext>(rows: readonly Row[], debtId: string) {
  const debt = rows.find(({ id }) => id === debtId);
  if (debt === undefined) return null;
  return { debt, open: rows.filter(({ id, campaignStatus }) => id !== debtId && campaignStatus === 'RUNNING') };
}

/**
 * Selects a debt and the other live debts of its person, the oldest first. Erased debts of different persons have the same
 * empty CPF.
 */
export const selectWithOpenOnes = (queries: Kysely<Tables>, debtId: string) =>
  selectDebtContexts(queries)
    .where('debts.id', 'in', ({ selectFrom }) =>
      selectFrom('debts as named')
        .select('named.id')
        .where('named.id', '=', debtId)
        .unionAll(
          selectFrom('debts as named')
            .innerJoin('debts as open', (join) =>
              join
                .onRef('open.clientId', '=', 'named.clientId')
                .onRef('open.debtorTaxId', '=', 'named.debtorTaxId')
                .onRef('open.sandbox', '=', 'named.sandbox'),
            )
            .select('open.id')
            .where('named.id', '=', debtId)
            .where('named.erasedAt', 'is', null)
            .where('open.status', 'in', LIVE_DEBT_STATUSES),
        ),
    )
    .orderBy('debts.dueDate')
    .orderBy('debts.id');
const readWithOpenOnes = prepared('person_of_debt', (queries, { debtId }: { readonly debtId: string }) =>
  selectWithOpenOnes(queries, debtId),
);

/**
 * Returns whether a message of the person or a notification about a payment of theirs waits to be handled. Both may
 * forbid the next contact. What a simulated debtor is about to say counts as well: the simulated clock does not wait
 * for the process that plays the debtor, so on a busy machine the next contact would come before the answer.
 */
export async function hasUnhandledInbox(tx: Tx, { debtorTaxId, sandbox }: Person): Promise<boolean> {
  const [row] = await readUnhandled.run(tx, { debtorTaxId, sandbox });
  return Boolean(row?.waiting);
}

/** Whether something of the person waits to be handled: see `hasUnhandledInbox`. */
export const isUnhandled = (
  { or, exists, selectFrom }: ExpressionBuilder<Tables, never>,
  { debtorTaxId, sandbox }: Person,
) => {
  const debts = selectFrom('debts').where('debts.debtorTaxId', '=', debtorTaxId).where('debts.sandbox', '=', sandbox);
  return or([
    exists(
      debts
        .innerJoin('messages', 'messages.debtId', 'debts.id')
        .select('messages.id')
        .where('messages.direction', '=', 'in')
        .where('messages.handledAt', 'is', null),
    ),
    exists(
      debts
        .innerJoin('charges', 'charges.debtId', 'debts.id')
        .innerJoin('payment_notifications', 'payment_notifications.chargeId', 'charges.id')
        .select('payment_notifications.chargeId')
        .where('payment_notifications.handledAt', 'is', null),
    ),
    // Only simulated debtors have acts.
    exists(
      debts
        .innerJoin('sandbox_acts', 'sandbox_acts.debtId', 'debts.id')
        .select('sandbox_acts.id')
        .where('sandbox_acts.kind', '=', 'say')
        .where('sandbox_acts.doneAt', 'is', null),
    ),
  ]);
};
const readUnhandled = prepared('person_unhandled', (queries, person: Person) =>
  queries.selectNoFrom((eb) => isUnhandled(eb, person).as('waiting')),
);

/** Returns the address of the person's open page, which is made when it is needed first. */
export async function findOrMakeDebtorPage(
  tx: Tx,
  { clientId, debtorTaxId, sandbox }: Person & { readonly clientId: string },
): Promise<string> {
  const find = queriesIn(tx)
    .selectFrom('debtor_pages')
    .select('id')
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('closedAt', 'is', null);
  const known = await find.executeTakeFirst();
  if (known !== undefined) return known.id;
  await queriesIn(tx)
    .insertInto('debtor_pages')
    .values({ clientId, debtorTaxId, sandbox })
    .onConflict((conflict) =>
      // The predicate is the one of the index `debtor_pages_open`.
      conflict.columns(['clientId', 'debtorTaxId', 'sandbox']).where('closedAt', 'is', null).doNothing(),
    )
    .execute();
  return (await find.executeTakeFirstOrThrow()).id;
}

/** Returns whether the address became known to somebody else. */
export async function isPageClosed(tx: Tx, pageId: string): Promise<boolean> {
  const page = await queriesIn(tx)
    .selectFrom('debtor_pages')
    .select('closedAt')
    .where('id', '=', pageId)
    .executeTakeFirst();
  return page?.closedAt !== null;
}

/** The columns of the routine `owner_of_debtor_page`. */
type PageOwner = Pick<Selectable<Tables['debtor_pages']>, 'clientId' | 'debtorTaxId' | 'sandbox'>;

export const OWNER_OF_DEBTOR_PAGE = prepared('debtor_page_owner', (queries, { pageId }: { readonly pageId: string }) =>
  queries.selectFrom(sql<PageOwner>`owner_of_debtor_page(${pageId})`.as('owner')).selectAll(),
);

/** Deletes the pages of a person of whom the client has no debt left that names them. */
export const deleteDebtorPages = (tx: Tx, clientId: string, debtorTaxId: string) =>
  queriesIn(tx)
    .deleteFrom('debtor_pages')
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '=', debtorTaxId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debts')
            .select('debts.id')
            .where('clientId', '=', clientId)
            .where('debts.debtorTaxId', '=', debtorTaxId),
        ),
      ),
    )
    .execute();

/**
 * Returns the debts of a person that were launched, now or before they were imported again, the oldest first, for the
 * person's page. Each is there once, as its current row.
 */
export const debtsOnPage = (tx: Tx, person: Person) =>
  debtsOfPerson(queriesIn(tx), person)
    .where('debts.continuedBy', 'is', null)
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('debts.status', '<>', 'IMPORTED'),
        exists(
          selectFrom('debts as earlier')
            .select('earlier.id')
            .whereRef('earlier.identityId', '=', 'debts.identityId')
            .where('earlier.continuedBy', 'is not', null),
        ),
      ]),
    )
    .execute();
