import { sql } from 'kysely';
import { CAMPAIGN_STATUSES_LEFT } from '../../../kernel/campaign-status.ts';
import { OPEN_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { AreaCodes, ContactHours } from '../../policy/rules/campaign-settings.ts';

/** The area codes of the phone in use and of those that may take over from it, as the gate asks about them. */
const CODES_OF_DEBT = sql<AreaCodes>`array(
  select substr(debts.debtor_phone, 4, 2) as code
  union
  select substr(later.phone, 4, 2) from debt_phones as later
  where later.debt_id = debts.id and later.position > coalesce((
    select used.position from debt_phones as used
    where used.debt_id = debts.id and used.phone = debts.debtor_phone limit 1), 0)
  order by code)`;

/** Returns the area codes of the open debts of a campaign, each combination once. */
export const areaCodesOfDebtors = async (tx: Tx, campaignId: string): Promise<readonly AreaCodes[]> =>
  (
    await queriesIn(tx)
      .selectFrom('debts')
      .select(CODES_OF_DEBT.as('codes'))
      .distinct()
      .where('campaignId', '=', campaignId)
      .where('status', 'in', OPEN_DEBT_STATUSES)
      .where('erasedAt', 'is', null)
      .execute()
  ).map(({ codes }) => codes);

/** Returns the campaigns of a client that have not ended, by the hours that they keep. */
export async function campaignsByHours(
  tx: Tx,
  clientId: string,
): Promise<readonly { readonly hours: ContactHours | null; readonly campaigns: { id: string; name: string }[] }[]> {
  const rows = await queriesIn(tx)
    .selectFrom('campaigns')
    .select(['id', 'name', 'contactHours'])
    .where('clientId', '=', clientId)
    .where('status', 'in', CAMPAIGN_STATUSES_LEFT)
    .execute();
  return [...Map.groupBy(rows, ({ contactHours }) => JSON.stringify(contactHours)).values()].map((campaigns) => ({
    hours: campaigns[0]!.contactHours,
    campaigns: campaigns.map(({ id, name }) => ({ id, name })),
  }));
}
