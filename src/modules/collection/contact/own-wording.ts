import type { Tx } from '../../../platform/database/tx.ts';
import type { OwnWording } from '../../messaging/ports/collection-agent.ts';
import { newestTextOf } from '../../messaging/queries/message-texts.ts';
import type { ContactFacts } from '../queries/contact-facts.ts';

/** Returns the client's own words for a step of a campaign; null for the product's. The first step is 1. */
export const ownWording = async (
  tx: Tx,
  { campaignId, step }: { readonly campaignId: string; readonly step: number },
): Promise<OwnWording | null> => ownWordingOf((await newestTextOf(tx, campaignId, step)) ?? null);

/** The newest version has no text when the client has gone back to the product's words. */
export const ownWordingOf = (newest: ContactFacts['wording']): OwnWording | null =>
  newest === null || newest.text === null ? null : { version: newest.version, text: newest.text, short: newest.short };
