import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { findOrMakeDebtorPage, type Person } from '../queries/persons.ts';
import { loadDebt } from './debt-context.ts';

/** The page on which a person sees what a client holds of them, and asks for what the law gives. */
export const rightsUrl = (publicUrl: string, pageId: string): string => `${publicUrl}/direitos/${pageId}`;

type Named = Person & { readonly clientId: string; readonly erased: boolean };

/** Returns the id of the person's page, which is made when it is needed first. Nobody has the page of an erased person. */
export const pageOfPerson = async (tx: Tx, debt: Named): Promise<string | null> =>
  debt.erased ? null : findOrMakeDebtorPage(tx, debt);

/** Returns the address for the person of a debt; null when the person was erased, or the phone was another person's. */
export const rightsUrlOfDebt = (
  { db, publicUrl }: { readonly db: Pick<Database, 'tenant'>; readonly publicUrl: string },
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
): Promise<string | null> =>
  db.tenant(clientId).transactional(async (tx) => {
    const debt = await loadDebt(tx, debtId);
    const pageId = debt === null || debt.wrongPerson ? null : await pageOfPerson(tx, debt);
    return pageId === null ? null : rightsUrl(publicUrl, pageId);
  });
