import { isRunning } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { AgreementSignal, CollectionSignal } from '../../../kernel/ports/collection-workflows.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { holdClocks, readCampaignStatus } from '../../debts/queries/campaign-changes.ts';
import { CLOCKS_OF_CAMPAIGN } from '../../debts/queries/campaigns.ts';
import { sandboxDebtsWithClocks } from '../../debts/queries/later-debts.ts';
import type { SharedDeps } from '../../deps.ts';

export const CLOCK_COMMANDS = ['hold', 'passDay', 'release'] as const;
export type ClockCommand = (typeof CLOCK_COMMANDS)[number];

const SIGNAL_OF = {
  hold: 'clockHeld',
  passDay: 'dayPassed',
  release: 'clockReleased',
} as const satisfies Readonly<Record<ClockCommand, CollectionSignal & AgreementSignal>>;

interface OneCampaign {
  readonly clientId: string;
  readonly campaignId: string;
}

/**
 * Commands the simulated clocks of all debts of a campaign, and of their agreements, as long as one is being collected.
 * Each clock runs apart from the others, so each goes on by a day from where it stands. Clocks of real debts take no
 * commands.
 */
export const moveSandboxClock =
  (deps: Pick<SharedDeps, 'db' | 'workflows'>) =>
  async (request: OneCampaign & { readonly command: ClockCommand; readonly source: RequestSource }): Promise<void> => {
    const { clientId, campaignId, command, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const campaign = await readCampaignStatus(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      const debts = await sandboxDebtsWithClocks(tx, campaignId);
      if (!debts.some(({ status }) => isRunning(status))) throw new AppError('campaign_state');
      await holdClocks(tx, campaignId, command !== 'release');
      await addOutboxRows(
        tx,
        debts.flatMap((debt) => requestsOf(deps, debt, SIGNAL_OF[command])),
      );
      const entry = { action: 'sandbox_clock_moved', target: campaignId, details: { command } } as const;
      await addRequestAudit(tx, { clientId, source, ...entry });
    });
  };

/**
 * The clock of a debt that has an agreement is that of the agreement, of which all its debts tell alike. The debt's own
 * workflow keeps its clock for the time after the agreement, so that it is told too.
 */
const requestsOf = (
  { workflows }: Pick<SharedDeps, 'workflows'>,
  debt: Awaited<ReturnType<typeof sandboxDebtsWithClocks>>[number],
  signal: (typeof SIGNAL_OF)[ClockCommand],
) => [
  workflows.wakeDebt(debt, signal),
  ...(debt.status === 'AGREEMENT' && debt.agreementId !== null
    ? [workflows.wakeAgreement({ ...debt, id: debt.agreementId }, signal)]
    : []),
];

export const readSandboxClock =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (one: OneCampaign): Promise<{ readonly state: 'running' | 'held' }> => {
    const [campaign] = await db.readPrepared({ clientId: one.clientId }, CLOCKS_OF_CAMPAIGN, one);
    if (campaign === undefined) throw new AppError('not_found');
    return { state: campaign.clocksHeld ? 'held' : 'running' };
  };
