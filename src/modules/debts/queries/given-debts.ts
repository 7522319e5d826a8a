import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import { isRow } from '../../../platform/database/queries/is-row.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type Debt = Selectable<Tables['debts']>;

/** What a debt of the input is looked up by. */
interface Given {
  readonly index: number;
  readonly taxId: Debt['debtorTaxId'];
  readonly amount: Debt['originalAmountCentavos'];
  readonly due: Debt['dueDate'];
  readonly invoiceKey: Debt['invoiceKey'];
  readonly personKey: string;
}

/** The columns of the given debts as array literals, because a literal is one parameter and quick to bind. */
export interface GivenColumns extends Readonly<Record<Exclude<keyof Given, 'personKey'>, string>> {
  /** Null when the client has no debt of an erased debtor, so that no debt has to be compared with one. */
  readonly personKey: string | null;
}

/** The debts that the given ones are compared with. */
export interface KnownScope {
  readonly clientId: string;
  /** Whether the debts go to the sandbox. A debt is known only among those that are in the sandbox like it, or not. */
  readonly sandbox: boolean;
  readonly withErased: boolean;
  /** Whether the client has corrected debts, which are recognised by what was imported too. */
  readonly withCorrected: boolean;
}

/** A debt of the client that has the invoice of a given one, or its person, amount and due date. */
export interface SimilarDebt {
  /** The index of the given debt. */
  readonly index: number;
  readonly invoiceKey: string | null;
  readonly hasSameSum: boolean;
}

const inputOf = ({ index, taxId, amount, due, invoiceKey, personKey }: GivenColumns) => {
  const keys = personKey === null ? sql`` : sql`, ${personKey}::text[]`;
  const keyName = personKey === null ? sql`` : sql`, person_key`;
  return sql<Given>`unnest(${index}::int[], ${taxId}::text[], ${amount}::bigint[], ${due}::date[], ${invoiceKey}::text[]${keys})`.as<'given'>(
    sql`given (index, tax_id, amount, due, invoice_key${keyName})`,
  );
};

/**
 * Each branch is one look-up in the index `debts_invoice_key`, `debts_person`, `debts_imported_as` or
 * `debts_erased_person`, and gives one debt at most: a client may have thousands of one person that differ by their
 * invoices alone. A sum says something only where the given debt or the found one has no invoice. An erased debtor is
 * found by the stored key.
 */
function similarDebtsOf(
  { selectFrom, ref }: ExpressionBuilder<Tables & { given: Given }, 'given'>,
  { clientId, sandbox, withErased, withCorrected }: KnownScope,
) {
  const client = sql`${clientId}::uuid`;
  const found = (hasSameSum: boolean) =>
    selectFrom('debts')
      .select(['debts.invoiceKey', sql.lit(hasSameSum).as('hasSameSum')])
      .where('debts.status', 'not in', REIMPORTABLE_DEBT_STATUSES)
      .where('debts.sandbox', '=', sandbox)
      .limit(1);
  const bySum = found(true).where(({ eb, or }) =>
    or([eb('given.invoiceKey', 'is', null), eb('debts.invoiceKey', 'is', null)]),
  );
  const sum = [ref('given.amount'), ref('given.due')];
  const person = [ref('given.taxId'), client, ...sum];
  const ofInvoice = found(false).where(({ ref: of }) =>
    isRow([of('debts.invoiceKey'), of('debts.clientId')], [ref('given.invoiceKey'), client]),
  );
  const asItIs = bySum.where(({ ref: of }) =>
    isRow(
      [of('debts.debtorTaxId'), of('debts.clientId'), of('debts.originalAmountCentavos'), of('debts.dueDate')],
      person,
    ),
  );
  const asImported = bySum.where(({ ref: of }) =>
    isRow(
      [of('debts.debtorTaxId'), of('debts.clientId'), of('debts.importedAmountCentavos'), of('debts.importedDueDate')],
      person,
    ),
  );
  const erased = bySum
    .where(({ ref: of }) =>
      isRow([of('debts.erasedPersonKey'), of('debts.clientId')], [ref('given.personKey'), client]),
    )
    .where(({ or, ref: of }) =>
      or([
        isRow([of('debts.originalAmountCentavos'), of('debts.dueDate')], sum),
        isRow([of('debts.importedAmountCentavos'), of('debts.importedDueDate')], sum),
      ]),
    );
  // A limit belongs to one part of a union only inside a select of its own.
  const alone = (query: typeof ofInvoice) => selectFrom(query.as('one')).selectAll();
  const either = alone(ofInvoice).unionAll(alone(asItIs));
  const orImported = withCorrected ? either.unionAll(alone(asImported)) : either;
  return withErased ? orImported.unionAll(alone(erased)) : orImported;
}

/** Returns the debts of the client that may be the same as given ones; the rule of the import's `seen-debts.ts` decides. */
export async function similarDebts(tx: Tx, scope: KnownScope, columns: GivenColumns): Promise<readonly SimilarDebt[]> {
  return queriesIn(tx)
    .selectFrom(inputOf(columns))
    .innerJoinLateral(
      (given) => similarDebtsOf(given, scope).as('similar'),
      (join) => join.onTrue(),
    )
    .select(['given.index', 'similar.invoiceKey', 'similar.hasSameSum'])
    .execute();
}
