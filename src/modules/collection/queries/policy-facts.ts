import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { prepared, rowsOfJson } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUnhandled, type Person } from '../../debts/queries/persons.ts';
import {
  type ContactsOfPersons,
  type LedgerRow,
  selectContactsOfPersons,
} from '../../messaging/queries/contact-ledger.ts';
import { type SuppressionRow, selectSuppressions } from '../../messaging/queries/suppressions.ts';

type Asked = Person & ContactsOfPersons;

/** What the policy is asked with besides the debt itself. */
export interface PolicyFacts {
  readonly contacts: readonly LedgerRow[];
  readonly suppressions: readonly SuppressionRow[];
  readonly inboxWaiting: boolean;
}

export async function policyFacts(tx: Tx, asked: Asked): Promise<PolicyFacts> {
  const [row] = await readFacts.run(tx, asked);
  if (row === undefined) throw new Error('A statement without a table returns one row');
  return {
    contacts: rowsOfJson<LedgerRow>(row.contacts, ['at']),
    suppressions: rowsOfJson<SuppressionRow>(row.suppressions),
    inboxWaiting: Boolean(row.inboxWaiting),
  };
}
const readFacts = prepared('policy_facts', (queries, asked: Asked) =>
  queries.selectNoFrom((eb) => [
    jsonArrayFrom(selectContactsOfPersons(queries, asked)).as('contacts'),
    jsonArrayFrom(selectSuppressions(queries, asked)).as('suppressions'),
    isUnhandled(eb, asked).as('inboxWaiting'),
  ]),
);
