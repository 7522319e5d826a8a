import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { anyOf, NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { TemplateState } from '../rules/template-states.ts';

interface AccountKey {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly accountId: string;
}

export interface StoredTemplate {
  readonly name: string;
  readonly state: TemplateState;
  readonly reason: string | null;
}

/** An account at a channel, of the client whose transaction it is. */
export type AccountOnChannel = Omit<AccountKey, 'clientId'>;

/** Returns what the channel last said about the templates of an account. One that it was never asked about is absent. */
export const STORED_TEMPLATES = prepared('stored_templates', (queries, params: AccountKey) =>
  queries
    .selectFrom('channel_templates')
    .select(['name', 'state', 'reason', 'marketingFrom'])
    .where('clientId', '=', params.clientId)
    .where('channel', '=', params.channel)
    .where('accountId', '=', params.accountId),
);

/** In the API an owner's transaction alone may insert. */
export async function storeTemplates(tx: Tx, key: AccountKey, templates: readonly StoredTemplate[]): Promise<void> {
  if (templates.length === 0) return;
  await queriesIn(tx)
    .insertInto('channel_templates')
    .values(templates.map(({ name, state, reason }) => ({ ...key, name, state, reason })))
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'channel', 'accountId', 'name']).doUpdateSet((row) => ({
        state: row.ref('excluded.state'),
        reason: row.ref('excluded.reason'),
        updatedAt: NOW,
      })),
    )
    .execute();
}

/** Locks what is known of the categories of some templates. One that the channel was never asked about has no row. */
export const lockCategories = (tx: Tx, { channel, accountId }: AccountOnChannel, names: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('channel_templates')
    .select(['name', 'marketingFrom', 'categoryToldAt'])
    .where('channel', '=', channel)
    .where('accountId', '=', accountId)
    .where('name', '=', anyOf(names, 'text'))
    .orderBy('name')
    .forUpdate()
    .execute();

/** Stores from when on some templates are advertising. One that is none any more is told of again when it becomes so. */
export const setCategory = (
  tx: Tx,
  { channel, accountId }: AccountOnChannel,
  names: readonly string[],
  to: { readonly marketingFrom: Date | null; readonly categoryToldAt: Date },
) =>
  queriesIn(tx)
    .updateTable('channel_templates')
    .set({ ...to, ...(to.marketingFrom === null ? { marketingMailedAt: null } : {}), updatedAt: NOW })
    .where('channel', '=', channel)
    .where('accountId', '=', accountId)
    .where('name', '=', anyOf(names, 'text'))
    .execute();

/**
 * Marks the templates of an account that became advertising as told to the client, unless it was told of others since
 * `lately`, and returns how many there are.
 */
export async function markMarketingMailed(
  tx: Tx,
  { channel, accountId }: AccountOnChannel,
  { now, lately }: { readonly now: Date; readonly lately: Date },
): Promise<number> {
  const told = await queriesIn(tx)
    .updateTable('channel_templates')
    .set({ marketingMailedAt: now })
    .where('channel', '=', channel)
    .where('accountId', '=', accountId)
    .where('marketingFrom', 'is not', null)
    .where('marketingMailedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('channel_templates as told')
            .select('told.name')
            .where('told.channel', '=', channel)
            .where('told.accountId', '=', accountId)
            .where('told.marketingMailedAt', '>', lately),
        ),
      ),
    )
    .returning('name')
    .execute();
  return told.length;
}

/** Returns the templates of a sender's account that are advertising or will be, for the mail that says so. */
export const MARKETING_TEMPLATES = prepared(
  'marketing_templates',
  (queries, params: { readonly clientId: string; readonly senderId: string }) =>
    queries
      .selectFrom('channel_templates as template')
      .innerJoin('channel_senders as sender', (join) =>
        join
          .onRef('sender.clientId', '=', 'template.clientId')
          .onRef('sender.channel', '=', 'template.channel')
          .onRef('sender.accountId', '=', 'template.accountId'),
      )
      .select(['sender.channel', 'sender.shownAs', 'template.name', 'template.marketingFrom'])
      .where('template.clientId', '=', params.clientId)
      .where('sender.id', '=', params.senderId)
      .where('sender.replacedAt', 'is', null)
      .where('template.marketingFrom', 'is not', null)
      .orderBy('template.name'),
);
