import { sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ContactHours } from '../../policy/rules/campaign-settings.ts';
import type { SequenceStep } from '../../policy/rules/collection-sequence.ts';
import type { DueReminders } from '../../policy/rules/reminder-days.ts';
import type { OnPartial } from '../rules/debt-payments.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor } from './creditor.ts';
import type { PersonOfClient } from './person-requests.ts';

/** Members that are absent stay as they are. */
export interface ChangedSettings {
  readonly name?: string;
  readonly channels?: readonly RealChannel[] | null;
  readonly sequence?: readonly SequenceStep[] | null;
  readonly contactHours?: ContactHours | null;
  readonly reminders?: DueReminders | null;
  readonly senderName?: string | null;
  readonly onPartial?: OnPartial;
}

const jsonb = <T>(value: T | null) => sql<T | null>`${value === null ? null : JSON.stringify(value)}::jsonb`;

export const changeCampaignSettings = (tx: Tx, campaignId: string, changed: ChangedSettings) => {
  const { name, channels, sequence, contactHours, reminders, senderName, onPartial } = changed;
  return queriesIn(tx)
    .updateTable('campaigns')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(channels === undefined ? {} : { channels: sql<RealChannel[] | null>`${channels}::text[]` }),
      ...(sequence === undefined ? {} : { sequence: jsonb<readonly SequenceStep[]>(sequence) }),
      ...(contactHours === undefined ? {} : { contactHours: jsonb<ContactHours>(contactHours) }),
      ...(reminders === undefined ? {} : { reminders: jsonb<DueReminders>(reminders) }),
      ...(senderName === undefined ? {} : { senderName }),
      ...(onPartial === undefined ? {} : { onPartial }),
      updatedAt: NOW,
    })
    .where('id', '=', campaignId)
    .execute();
};

/**
 * The next contact of each live debt was planned by settings that no longer hold. Without a campaign, all debts of the
 * client are meant. The rows are locked in the order in which every transaction locks them.
 */
export const markPlansOutdated = (tx: Tx, { campaignId }: { readonly campaignId: string | null }) =>
  queriesIn(tx)
    .with('live', (queries) => {
      const debts = queries.selectFrom('debts').select('id').where('status', 'in', LIVE_DEBT_STATUSES);
      return (campaignId === null ? debts : debts.where('campaignId', '=', campaignId)).orderBy('id').forNoKeyUpdate();
    })
    .updateTable('debts')
    .from('live')
    .set({ isPlanOutdated: true })
    .whereRef('debts.id', '=', 'live.id')
    .execute();

export const clearPlanOutdated = (tx: Tx, debtId: string) =>
  queriesIn(tx).updateTable('debts').set({ isPlanOutdated: false }).where('id', '=', debtId).execute();

/** Returns the moment from which the wait to the next contact counts; null before the first contact. */
export async function waitCountsFrom(tx: Tx, debtId: string): Promise<Date | null> {
  const { at } = await queriesIn(tx)
    .selectFrom('debt_events')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('debtId', '=', debtId)
    .where('kind', 'in', ['message_sent', 'message_received', 'status_changed'])
    .executeTakeFirstOrThrow();
  return at;
}

/**
 * Returns whether a debt has come back into collection since its last contact, as after a decision of the staff or the end
 * of an agreement. Its next contact then waits for no step, unless a message from or to the person has counted a wait for
 * all of their debts since.
 */
export async function isBackInCollection(
  tx: Tx,
  { id, clientId, debtorTaxId, sandbox }: PersonOfClient & { readonly id: string },
): Promise<boolean> {
  const back = await queriesIn(tx)
    .selectFrom('debt_events as back')
    .select('back.seq')
    .where('back.debtId', '=', id)
    .where('back.kind', '=', 'status_changed')
    .where(sql<boolean>`not (back.data ->> 'from' = any(${LIVE_DEBT_STATUSES}::text[]))`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debt_events as later')
            .select('later.seq')
            .whereRef('later.debtId', '=', 'back.debtId')
            .whereRef('later.seq', '>', 'back.seq')
            .where((later) =>
              later.or([
                later('later.kind', '=', 'status_changed'),
                later.and([later('later.kind', '=', 'verdict'), sql<boolean>`later.data -> 'allowed' = 'true'::jsonb`]),
              ]),
            ),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debt_events as written')
            .innerJoin('debts', 'debts.id', 'written.debtId')
            .select('written.seq')
            .where('debts.clientId', '=', clientId)
            .where('debts.debtorTaxId', '=', debtorTaxId)
            .where('debts.sandbox', '=', sandbox)
            .whereRef('written.seq', '>', 'back.seq')
            .where('written.kind', 'in', ['message_sent', 'message_received']),
        ),
      ),
    )
    .executeTakeFirst();
  return back !== undefined;
}

/** Returns the creditor as messages of the campaign name it. */
export const creditorOfCampaign = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('campaigns')
    .innerJoin('clients', 'clients.id', 'campaigns.clientId')
    .select(['campaigns.senderName', 'clients.contactEmail'])
    .select([
      nameOfCreditor('campaigns').as('name'),
      cnpjOfCreditor('campaigns').as('cnpj'),
      addressOfCreditor('campaigns').as('address'),
    ])
    .where('campaigns.id', '=', campaignId)
    .executeTakeFirst();
