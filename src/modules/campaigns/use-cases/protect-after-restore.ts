import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import type { Database } from '../../../platform/database/database.ts';
import {
  addUnrecordedContacts,
  deliverAgain,
  runningRealCampaigns,
} from '../../../platform/database/queries/after-restore.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { changeCampaignStatus } from '../../debts/queries/campaign-changes.ts';
import { unrecordedContacts } from '../../policy/rules/unrecorded-contacts.ts';

export interface RestoredMoments {
  /** The copy of Temporal is as old as this moment. */
  readonly temporalAt: Date;
  /** The database knows everything until this moment. */
  readonly takenAt: Date;
  /** The service that was lost sent nothing after this moment. */
  readonly stoppedAt: Date;
}

export interface Protection {
  /** Work for Temporal that is delivered again. */
  readonly deliveries: number;
  /** The days on which a contact of each person counts although none is known. */
  readonly days: number;
  /** The campaigns that were paused, by client. */
  readonly paused: readonly { readonly clientId: string; readonly campaigns: number }[];
}

/** Relays of several machines may differ by less than this. */
const CLOCK_MARGIN_MS = 5 * 60_000;

/**
 * Prepares a database that was restored from a backup for its next start. Temporal is older than the database, so what it
 * was told since then is delivered again; everything delivered twice changes nothing. Of the time between the backup and
 * the end of the lost service nothing is known: the caps count a contact of everybody on each of its days, and campaigns
 * that contact real people are paused, because opt-outs, disputes and payments may be forgotten too.
 */
export const protectAfterRestore =
  ({ db }: { readonly db: Pick<Database, 'system' | 'tenant'> }) =>
  async ({ temporalAt, takenAt, stoppedAt }: RestoredMoments): Promise<Protection> => {
    const moments = unrecordedContacts(takenAt.getTime(), stoppedAt.getTime(), COUNTED_CONTACT_DAYS);
    const { deliveries, running } = await db.system().transactional(async (tx) => {
      const since = new Date(temporalAt.getTime() - CLOCK_MARGIN_MS);
      const again = await deliverAgain(tx, since);
      if (moments.length === 0) return { deliveries: again, running: [] };
      await addUnrecordedContacts(
        tx,
        moments.map((moment) => new Date(moment)),
      );
      return { deliveries: again, running: await runningRealCampaigns(tx) };
    });
    const paused = new Map<string, number>();
    for (const { id, clientId } of running) {
      await pauseCampaign(db, clientId, id);
      paused.set(clientId, (paused.get(clientId) ?? 0) + 1);
    }
    return {
      deliveries,
      days: moments.length,
      paused: [...paused].map(([clientId, campaigns]) => ({ clientId, campaigns })),
    };
  };

/** No gate can be deciding, because nothing else runs on this database. */
const pauseCampaign = (db: Pick<Database, 'tenant'>, clientId: string, campaignId: string): Promise<void> =>
  db.tenant(clientId).transactional(async (tx) => {
    await changeCampaignStatus(tx, campaignId, { from: ['RUNNING'], to: 'PAUSED' });
    const details = { from: 'RUNNING', because: 'restored' };
    await addAudit(tx, { clientId, actor: 'operator', action: 'campaign_paused', target: campaignId, details });
  });
