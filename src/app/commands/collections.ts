import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { restartWorkflowId } from '../../../workflows/ids.ts';
import { LOWER_CASE_UUID } from '../../kernel/uuid.ts';
import type { FoundCampaign, RestartReport, RestartTask } from '../../modules/collection/rules/restart-report.ts';
import type { Config } from '../../platform/config/index.ts';
import { createGateway, type Gateway } from '../../platform/temporal/gateway.ts';
import { findTemporalAddress } from '../infrastructure.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita collections restart                 starts every campaign and collection whose workflow is lost, at once
  quita collections restart --campaign ID   the same for one campaign

A worker does the work, a limited number of collections a second. When this command is stopped, the work goes on.
`;

const ASK_EVERY_MS = 500;
/** A worker takes the request within seconds. After this time the operator is told that none does. */
const PATIENCE_MS = 15_000;

const DID: Readonly<Record<FoundCampaign['did'], string>> = {
  started: 'started again: its workflow was lost',
  completed: 'completed: no debt was left, and its end had been missed',
  told: 'has ended: its workflow had missed the end',
  woken: 'has debts without a plan: its workflow had missed them',
};

const REFUSED: Readonly<Record<NonNullable<RestartReport['refused']>, (id: string) => string>> = {
  unknown_campaign: (id) => `There is no campaign ${id}`,
  campaign_not_running: (id) => `The campaign ${id} does not run: nothing of it is started`,
};

/** Returns undefined when the arguments are not understood. */
function taskOf([name, flag, value, ...more]: readonly string[]): RestartTask | undefined {
  if (name !== 'restart') return undefined;
  if (flag === undefined) return { atOnce: true };
  const given = flag.startsWith('--campaign=') ? flag.slice('--campaign='.length) : flag === '--campaign' ? value : '';
  const tooMany = flag === '--campaign' ? more.length > 0 : value !== undefined;
  return given === undefined || given === '' || tooMany ? undefined : { atOnce: true, campaignId: given.toLowerCase() };
}

async function restart(gateway: Gateway, task: RestartTask): Promise<RestartReport> {
  const workflowId = restartWorkflowId(randomUUID());
  await gateway.start({ workflow: 'restart-lost', workflowId, input: { ...task } });
  const told = Date.now() + PATIENCE_MS;
  for (let warned = false; ; ) {
    const run = await gateway.describe(workflowId);
    if (run?.status === 'COMPLETED') return (await gateway.result(workflowId)) as RestartReport;
    if (run?.status !== 'RUNNING')
      throw new Error(`The work has failed (workflow ${workflowId}): see the worker's log`);
    if (!warned && Date.now() > told) {
      warned = true;
      const nobody = Object.values(await gateway.pollers()).some((ms) => ms === null);
      process.stderr.write(nobody ? 'No worker runs: start one. Waiting for it\n' : 'A worker is at it\n');
    }
    await sleep(ASK_EVERY_MS);
  }
}

function linesOf(report: RestartReport): string[] {
  const { asked, running, started, woken, heldCount, held, campaigns } = report;
  const counts = [`${asked} collections: ${running} run`, `${started} started again`, `${woken} woken`];
  return [
    ...campaigns.map(({ campaignId, did }) => `campaign\t${campaignId}\t${DID[did]}`),
    ...held.map(({ debtId, clientId }) => `held\t${debtId}\tclient ${clientId}\tTemporal says that it has ended`),
    [...counts, `${heldCount} held for the decision of their clients`].join(', '),
    ...(heldCount === 0 ? [] : ['A held debt waits until its client resumes or withdraws it: see the runbook.']),
  ];
}

async function run(config: Config, task: RestartTask): Promise<string> {
  const { campaignId } = task;
  if (campaignId !== undefined && !LOWER_CASE_UUID.test(campaignId))
    throw new Error(REFUSED.unknown_campaign(campaignId));
  const gateway = createGateway({ ...config.temporal, address: findTemporalAddress(config) });
  try {
    const report = await onDatabase(config, { name: 'collections restart' }, () => restart(gateway, task));
    if (report.refused !== null) throw new Error(REFUSED[report.refused](campaignId ?? ''));
    return linesOf(report).join('\n');
  } finally {
    await gateway.close();
  }
}

export async function runCollections(args: readonly string[]): Promise<void> {
  const task = taskOf(args);
  if (task === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    process.stdout.write(`${await run(loadWithSecrets([]), task)}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
