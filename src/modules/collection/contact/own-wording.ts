import type { EntityManager } from '@mikro-orm/postgresql';
import type { OwnWording } from '../../messaging/ports/collection-agent.ts';
import { newestTextOf } from '../../messaging/queries/message-texts.ts';

/** Returns the client's own words for a step of a campaign; null for the product's. The first step is 1. */
export async function ownWording(
  em: EntityManager,
  { campaignId, step }: { readonly campaignId: string; readonly step: number },
): Promise<OwnWording | null> {
  const row = await newestTextOf(em, campaignId, step);
  return row === undefined || row.text === null ? null : { version: row.version, text: row.text, short: row.short };
}
