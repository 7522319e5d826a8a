import { type ExpressionBuilder, type QueryCreator, type Selectable, type SqlBool, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import { isRow } from '../../../platform/database/queries/is-row.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type Debt = Selectable<Tables['debts']>;

/** One debt of the input. */
interface Given {
  readonly index: number;
  readonly name: Debt['debtorName'];
  readonly nameKey: Debt['nameKey'];
  readonly phone: Debt['debtorPhone'];
  readonly taxId: Debt['debtorTaxId'];
  readonly email: Debt['debtorEmail'];
  /** All phones or e-mail addresses of a debt that has several, with spaces between; otherwise null. */
  readonly phones: string | null;
  readonly emails: string | null;
  readonly amount: Debt['originalAmountCentavos'];
  readonly due: Debt['dueDate'];
  readonly invoice: Debt['invoiceId'];
  readonly invoiceKey: Debt['invoiceKey'];
  readonly consentAt: Debt['consentAt'];
  readonly consentSource: Debt['consentSource'];
  readonly description: Debt['description'];
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

export function inputOf(queries: QueryCreator<Tables>, { personKey, ...columns }: GivenColumns) {
  const { index, name, nameKey, phone, taxId, email, phones, emails, amount, due } = columns;
  const { invoice, invoiceKey, consentAt, consentSource, description } = columns;
  const keys = personKey === null ? sql`` : sql`, ${personKey}::text[]`;
  const keyName = personKey === null ? sql`` : sql`, person_key`;
  return queries
    .selectFrom(
      sql<Given>`unnest(${index}::int[], ${name}::text[], ${nameKey}::text[], ${phone}::text[], ${taxId}::text[], ${email}::text[],
        ${phones}::text[], ${emails}::text[], ${amount}::bigint[], ${due}::date[], ${invoice}::text[], ${invoiceKey}::text[],
        ${consentAt}::text[], ${consentSource}::text[], ${description}::text[]${keys})`.as<'given'>(
        sql`given (index, name, name_key, phone, tax_id, email, phones, emails, amount, due, invoice, invoice_key, consent_at,
          consent_source, description${keyName})`,
      ),
    )
    .selectAll();
}

/**
 * Is true for a debt of `input` that the client has already, otherwise null. Each branch is one look-up in the index
 * `debts_invoice_key`, `debts_person`, `debts_imported_as` or `debts_erased_person`. With `exists`, PostgreSQL would build a hash table of all
 * debts of the client for each statement. An erased debtor is found by the stored key.
 */
export function isKnown(
  { case: cases, fn, selectFrom, ref }: ExpressionBuilder<Tables & { input: Given }, 'input'>,
  { clientId, sandbox, withErased, withCorrected }: KnownScope,
) {
  const client = sql`${clientId}::uuid`;
  const found = selectFrom('debts')
    .select(sql<true>`true`.as('found'))
    .where('debts.status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .where('debts.sandbox', '=', sandbox)
    .limit(1);
  const given = [ref('input.taxId'), client, ref('input.amount'), ref('input.due')];
  const asItIs = found.where(({ ref: of }) =>
    isRow(
      [of('debts.debtorTaxId'), of('debts.clientId'), of('debts.originalAmountCentavos'), of('debts.dueDate')],
      given,
    ),
  );
  const asImported = found.where(({ ref: of }) =>
    isRow(
      [of('debts.debtorTaxId'), of('debts.clientId'), of('debts.importedAmountCentavos'), of('debts.importedDueDate')],
      given,
    ),
  );
  /** Of the person; `narrow` leaves out debts with an invoice of their own where the given one has another. */
  const ofPerson = (narrow: (query: typeof found) => typeof found) => {
    const first = narrow(asItIs).$asScalar();
    return withCorrected ? fn.coalesce(first, narrow(asImported).$asScalar()) : first;
  };
  const ofInvoice = found.where(({ ref: of }) =>
    isRow([of('debts.invoiceKey'), of('debts.clientId')], [ref('input.invoiceKey'), client]),
  );
  const known = cases()
    .when('input.invoice', 'is', null)
    .then(ofPerson((query) => query))
    .else(
      fn.coalesce(
        ofInvoice.$asScalar(),
        ofPerson((query) => query.where('debts.invoiceKey', 'is', null)),
      ),
    )
    .end();
  const erased = found
    .where(({ ref: of }) =>
      isRow([of('debts.erasedPersonKey'), of('debts.clientId')], [ref('input.personKey'), client]),
    )
    .where(({ or, ref: of }) => {
      const amountAndDue = [ref('input.amount'), ref('input.due')];
      return or([
        isRow([of('debts.originalAmountCentavos'), of('debts.dueDate')], amountAndDue),
        isRow([of('debts.importedAmountCentavos'), of('debts.importedDueDate')], amountAndDue),
      ]);
    })
    .where(({ eb, or }) => or([eb('input.invoice', 'is', null), eb('debts.invoiceId', 'is', null)]));
  return withErased ? fn.coalesce(known, erased.$asScalar()) : known;
}

/** Returns the indexes of the given debts that the client has already. */
export async function knownDebts(tx: Tx, scope: KnownScope, columns: GivenColumns): Promise<number[]> {
  const queries = queriesIn(tx);
  const rows = await queries
    .selectFrom(inputOf(queries, columns).as('input'))
    .select('input.index')
    .where((eb) => isKnown(eb, scope).$castTo<SqlBool>())
    .execute();
  return rows.map(({ index }) => index);
}
