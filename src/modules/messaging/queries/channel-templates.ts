import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
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

/** Returns what the channel last said about the templates of an account. One that it was never asked about is absent. */
export const STORED_TEMPLATES = prepared('stored_templates', (queries, params: AccountKey) =>
  queries
    .selectFrom('channel_templates')
    .select(['name', 'state', 'reason'])
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
