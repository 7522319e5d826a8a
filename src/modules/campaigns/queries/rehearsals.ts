import { LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtContexts } from '../../debts/queries/debt-context.ts';

/** Returns a page of the debts of a campaign in the order of import. */
export const debtsToRehearse = (
  tx: Tx,
  { campaignId, after, limit }: { readonly campaignId: string; readonly after: number; readonly limit: number },
) =>
  debtContexts(tx)
    .select('debts.position')
    .where('debts.campaignId', '=', campaignId)
    .where('debts.position', '>', after)
    .orderBy('debts.position')
    .limit(limit)
    .execute();

/** Returns the live debts of these people in running campaigns, one of which a contact may speak of too. */
export const openDebtsOfPersons = (
  tx: Tx,
  { taxIds, sandbox }: { readonly taxIds: readonly string[]; readonly sandbox: boolean },
) =>
  debtContexts(tx)
    .where('debts.debtorTaxId', '=', anyOf(taxIds, 'text'))
    .where('debts.sandbox', '=', sandbox)
    .where('debts.status', 'in', LIVE_DEBT_STATUSES)
    .where('campaigns.status', '=', 'RUNNING')
    .execute();

export const debtsById = (tx: Tx, debtIds: readonly string[]) =>
  debtContexts(tx).where('debts.id', '=', anyOf(debtIds, 'uuid')).execute();

/** Returns what is known of the addresses of these people, where a channel has reached one or could not. */
export const knownRecipients = (tx: Tx, clientId: string, personKeys: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('recipients')
    .select(['channel', 'personKey', 'phoneKey', 'reachedAt', 'unreachableAt', 'wroteAt'])
    .where('clientId', '=', clientId)
    .where('personKey', '=', anyOf(personKeys, 'text'))
    .where((row) => row.or([row('reachedAt', 'is not', null), row('unreachableAt', 'is not', null)]))
    .execute();
