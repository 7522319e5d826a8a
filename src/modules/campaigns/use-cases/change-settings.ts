import type { CampaignStatus } from '../../../kernel/campaign-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { collectsForOf } from '../../accounts/queries/clients.ts';
import { waitForGates } from '../../accounts/queries/pause-locks.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { lockCampaign, readCampaignToLaunch } from '../../debts/queries/campaign-changes.ts';
import {
  type ChangedSettings,
  changeCampaignSettings,
  markPlansOutdated,
} from '../../debts/queries/campaign-settings.ts';
import type { OnPartial } from '../../debts/rules/debt-payments.ts';
import { REMINDER_TEMPLATES } from '../../messaging/use-cases/product-templates.ts';
import { newestRules } from '../../policy/queries/client-rules.ts';
import type { ContactHours } from '../../policy/rules/campaign-settings.ts';
import type { SequenceStep } from '../../policy/rules/collection-sequence.ts';
import type { DueReminders } from '../../policy/rules/reminder-days.ts';
import { type CampaignView, readCampaign } from './campaign-view.ts';
import { requireReadyChannels } from './channel-readiness.ts';
import { readiness } from './launch-campaign.ts';
import { requireOpenings } from './require-openings.ts';
import { wakeAgreementsOfCampaign } from './wake-agreements.ts';

export interface SettingsChange {
  readonly name?: string | undefined;
  readonly channels?: readonly RealChannel[] | null | undefined;
  readonly sequence?: readonly SequenceStep[] | null | undefined;
  readonly hours?: ContactHours | null | undefined;
  readonly reminders?: DueReminders | null | undefined;
  readonly sender?: string | null | undefined;
  readonly onPartial?: OnPartial | undefined;
}

/** The settings of a campaign that has ended concern nothing any more; its name still does. */
const ENDED: readonly CampaignStatus[] = ['COMPLETED', 'ARCHIVED'];
const LAUNCHED: readonly CampaignStatus[] = ['RUNNING', 'PAUSED'];

/**
 * Changes the settings of a campaign, for all that has not happened yet: debts that wait for their next contact and
 * agreements that wait for a notice plan it again, and the gate decides about every contact by the new settings as soon
 * as this has committed.
 */
export const changeSettings =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly change: SettingsChange;
    readonly source: RequestSource;
  }): Promise<CampaignView> => {
    const { clientId, campaignId, change, source } = request;
    const changed = settingsOf(change);
    const members = Object.entries(change).flatMap(([member, value]) => (value === undefined ? [] : [member]));
    // A channel may be asked, which must not happen while the campaign is locked.
    if (changed.reminders != null) await requireReminderTemplates(deps, clientId, campaignId, changed.reminders);
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // A gate that has decided by the settings before sends before this goes on.
      if (members.some((member) => member !== 'name')) await waitForGates(tx, campaignId);
      const { sequence, contactHours, reminders } = changed;
      const isPlanned = [sequence, contactHours, reminders].some((setting) => setting !== undefined);
      // Debts are locked before their campaign, as by everything that ends them.
      if (isPlanned) await markPlansOutdated(tx, { campaignId });
      const campaign = await lockCampaign(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      if (members.length === 0) return;
      if (ENDED.includes(campaign.status) && members.some((member) => member !== 'name')) {
        throw new AppError('campaign_state', {
          detail: `Of a campaign in status ${campaign.status} only the name may change.`,
        });
      }
      if (changed.contactHours != null) {
        await requireOpenings(tx, deps, {
          collectsFor: await collectsForOf(tx, clientId),
          own: (await newestRules(tx, clientId)) ?? null,
          hours: changed.contactHours,
          campaigns: [{ id: campaignId, name: campaign.name }],
          pointer: '/hours',
        });
      }
      await changeCampaignSettings(tx, campaignId, changed);
      const details = { members: members.join(' ') };
      await addRequestAudit(tx, { clientId, source, action: 'campaign_changed', target: campaignId, details });
      if (!isPlanned || !LAUNCHED.includes(campaign.status)) return;
      await addOutboxRows(tx, deps.workflows.wakeAll({ campaignId }, deps.now()));
      // Notices of agreements keep the hours too, and a notice whose day has passed is lost.
      if (contactHours !== undefined) await wakeAgreementsOfCampaign(tx, deps.workflows, campaignId);
    });
    return readCampaign(deps)({ clientId, campaignId });
  };

/** Reminders have templates of their own, which the launch of a campaign without them has not asked for. */
async function requireReminderTemplates(
  deps: CollectionDeps,
  clientId: string,
  campaignId: string,
  reminders: DueReminders,
): Promise<void> {
  const campaign = await deps.db.tenant(clientId).transactional((tx) => readCampaignToLaunch(tx, campaignId));
  if (campaign === undefined || campaign.sandbox === true || !LAUNCHED.includes(campaign.status)) return;
  const channels = await readiness(deps, clientId, { ...campaign, reminders });
  const ofReminders = channels.map(({ channel, missing }) => ({
    channel,
    missing: missing.filter(({ template }) => template !== null && REMINDER_TEMPLATES.includes(template)),
  }));
  requireReadyChannels(null, ofReminders);
}

function settingsOf({
  name,
  channels,
  sequence,
  hours,
  reminders,
  sender,
  onPartial,
}: SettingsChange): ChangedSettings {
  return {
    ...(name === undefined ? {} : { name }),
    ...(channels === undefined ? {} : { channels }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(hours === undefined ? {} : { contactHours: hours }),
    ...(reminders === undefined ? {} : { reminders: storedReminders(reminders) }),
    ...(sender === undefined ? {} : { senderName: sender }),
    ...(onPartial === undefined ? {} : { onPartial }),
  };
}

/** The earliest reminder comes first. No days are no reminders. */
const storedReminders = (reminders: DueReminders | null): DueReminders | null =>
  reminders === null || reminders.daysBefore.length === 0
    ? null
    : { daysBefore: reminders.daysBefore.toSorted((one, other) => other - one) };
