import { randomUUID } from 'node:crypto';
import { HOUR } from '../../../kernel/calendar.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import { connectedSenderOf } from '../queries/channel-senders.ts';
import {
  type AccountOnChannel,
  lockCategories,
  markMarketingMailed,
  setCategory,
} from '../queries/channel-templates.ts';
import { type CategoryNews, marketingFromAfter, toldAt } from '../rules/template-states.ts';

/** A channel may move many templates one after the other, and one mail tells of all. */
const MAILED_EVERY_MS = 6 * HOUR;

export interface NamedNews extends CategoryNews {
  readonly name: string;
}

/**
 * Stores what a channel says of the categories of templates. News that are older than the last ones change nothing:
 * a channel repeats for days what it could not deliver.
 */
export async function followCategories(
  tx: Tx,
  { now: clock }: Pick<SharedDeps, 'now'>,
  account: AccountOnChannel,
  news: readonly NamedNews[],
): Promise<void> {
  if (news.length === 0) return;
  const now = clock();
  const known = await lockCategories(tx, account, [...new Set(news.map(({ name }) => name))]);
  const changed = new Map<string, { marketingFrom: Date | null; categoryToldAt: Date }>();
  for (const one of news) {
    const before = changed.get(one.name) ?? known.find(({ name }) => name === one.name);
    const categoryToldAt = toldAt(one, now);
    if (before === undefined || (before.categoryToldAt !== null && before.categoryToldAt > categoryToldAt)) continue;
    changed.set(one.name, { marketingFrom: marketingFromAfter(before.marketingFrom, one, now), categoryToldAt });
  }
  // Most templates of a check have the same news.
  const alike = Map.groupBy(changed, ([, to]) => JSON.stringify(to));
  for (const some of alike.values()) {
    const names = some.map(([name]) => name);
    await setCategory(tx, account, names, some[0]![1]);
  }
}

/**
 * Tells the client by mail that templates have become advertising, or will, and which of its senders has them. What came
 * shortly after a mail is told by the next check.
 */
export async function tellOfMarketing(
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'note' | 'workflows'>,
  { clientId, ...account }: AccountOnChannel & { readonly clientId: string },
): Promise<void> {
  const now = deps.now();
  const moved = await markMarketingMailed(tx, account, { now, lately: new Date(now.getTime() - MAILED_EVERY_MS) });
  if (moved === 0) return;
  deps.note('A channel takes templates for advertising: they are not sent.', {
    clientId,
    ...account,
    moved: String(moved),
  });
  const sender = await connectedSenderOf(tx, account);
  if (sender === undefined) return;
  const mail = { clientId, requestId: randomUUID(), kind: 'template_marketing', about: sender.id } as const;
  await addOutbox(tx, deps.workflows.mailClient(mail));
}
