import type { EntityManager } from '@mikro-orm/postgresql';
import { type ExpressionBuilder, type QueryCreator, type Selectable, type SqlBool, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { queriesIn, type Tables } from './builder.ts';
import { isRow } from './is-row.ts';

type Debt = Selectable<Tables['debts']>;

/** One debt of the input. */
interface Given {
  readonly index: number;
  readonly name: Debt['debtorName'];
  readonly nameKey: Debt['nameKey'];
  readonly phone: Debt['debtorPhone'];
  readonly cpf: Debt['debtorCpf'];
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
  readonly personKey: string;
}

/** The columns of the given debts as array literals, because a literal is one parameter and quick to bind. */
export interface GivenColumns extends Readonly<Record<Exclude<keyof Given, 'personKey'>, string>> {
  /** Null when the client has no debt of an erased debtor, so that no debt has to be compared with one. */
  readonly personKey: string | null;
}

export function inputOf(queries: QueryCreator<Tables>, { personKey, ...columns }: GivenColumns) {
  const { index, name, nameKey, phone, cpf, email, phones, emails, amount, due } = columns;
  const { invoice, invoiceKey, consentAt, consentSource } = columns;
  const keys = personKey === null ? sql`` : sql`, ${personKey}::text[]`;
  const keyName = personKey === null ? sql`` : sql`, person_key`;
  return queries
    .selectFrom(
      sql<Given>`unnest(${index}::int[], ${name}::text[], ${nameKey}::text[], ${phone}::text[], ${cpf}::text[], ${email}::text[],
        ${phones}::text[], ${emails}::text[], ${amount}::bigint[], ${due}::date[], ${invoice}::text[], ${invoiceKey}::text[],
        ${consentAt}::text[], ${consentSource}::text[]${keys})`.as<'given'>(
        sql`given (index, name, name_key, phone, cpf, email, phones, emails, amount, due, invoice, invoice_key, consent_at,
          consent_source${keyName})`,
      ),
    )
    .selectAll();
}

/**
 * Is true for a debt of `input` that the client has already, otherwise null. Each branch is one look-up in the index
 * `debts_invoice_key`, `debts_person` or `debts_erased_person`. With `exists`, PostgreSQL would build a hash table of all
 * debts of the client for each statement. An erased debtor is found by the stored key.
 */
export function isKnown(
  { case: cases, fn, selectFrom, ref }: ExpressionBuilder<Tables & { input: Given }, 'input'>,
  clientId: string,
  withErased: boolean,
) {
  const client = sql`${clientId}::uuid`;
  const found = selectFrom('debts')
    .select(sql<true>`true`.as('found'))
    .where('debts.status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .limit(1);
  const ofPerson = found.where(({ ref: of }) =>
    isRow(
      [of('debts.debtorCpf'), of('debts.clientId'), of('debts.originalAmountCentavos'), of('debts.dueDate')],
      [ref('input.cpf'), client, ref('input.amount'), ref('input.due')],
    ),
  );
  const ofInvoice = found.where(({ ref: of }) =>
    isRow([of('debts.invoiceKey'), of('debts.clientId')], [ref('input.invoiceKey'), client]),
  );
  const known = cases()
    .when('input.invoice', 'is', null)
    .then(ofPerson.$asScalar())
    .else(fn.coalesce(ofInvoice.$asScalar(), ofPerson.where('debts.invoiceKey', 'is', null).$asScalar()))
    .end();
  const erased = found
    .where(({ ref: of }) =>
      isRow(
        [of('debts.erasedPersonKey'), of('debts.clientId'), of('debts.originalAmountCentavos'), of('debts.dueDate')],
        [ref('input.personKey'), client, ref('input.amount'), ref('input.due')],
      ),
    )
    .where(({ eb, or }) => or([eb('input.invoice', 'is', null), eb('debts.invoiceId', 'is', null)]));
  return withErased ? fn.coalesce(known, erased.$asScalar()) : known;
}

/** Returns the indexes of the given debts that the client has already. */
export async function knownDebts(em: EntityManager, clientId: string, columns: GivenColumns): Promise<number[]> {
  const queries = queriesIn(em);
  const rows = await queries
    .selectFrom(inputOf(queries, columns).as('input'))
    .select('input.index')
    .where((eb) => isKnown(eb, clientId, columns.personKey !== null).$castTo<SqlBool>())
    .execute();
  return rows.map(({ index }) => index);
}
