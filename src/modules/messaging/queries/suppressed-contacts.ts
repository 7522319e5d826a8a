import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';

interface Contact {
  readonly clientId: string;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Finds the persons of the client's debts with a phone or an address. An erased debtor has no tax id. */
export const TAX_IDS_OF_CONTACT = prepared('tax_ids_of_contact', (queries, { clientId, phone, email }: Contact) =>
  queries
    .selectFrom('debts')
    .select('debtorTaxId')
    .distinct()
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '<>', '')
    .where(({ or, eb }) =>
      or([
        eb('debtorPhone', '=', sql<string>`${phone}::text`),
        eb(sql`lower(debtor_email)`, '=', sql`lower(${email}::text)`),
        sql<boolean>`lower(${email}::text) = any (lower(debtor_emails::text)::text[])`,
      ]),
    )
    .limit(100),
);
