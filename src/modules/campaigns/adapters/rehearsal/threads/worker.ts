import { parentPort } from 'node:worker_threads';
import type { LedgerContact } from '../../../../policy/rules/contact-ledger.ts';
import { playCampaign } from '../../../rules/rehearsal/play-campaign.ts';
import type { RehearsalFrame, RehearsedDebt } from '../../../rules/rehearsal/rehearsed-debt.ts';
import { summarize } from '../../../rules/rehearsal/summarize.ts';
import { createReceiver, type Result, type Task } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

const receive = createReceiver();
const debts: RehearsedDebt[] = [];
const ledger: LedgerContact[] = [];
let frame: RehearsalFrame | undefined;

function perform(task: Task): Result | null {
  if (task.kind === 'begin') {
    frame = task.frame;
  } else if (task.kind === 'batch') {
    const batch = receive(task);
    debts.push(...batch.debts);
    ledger.push(...batch.ledger);
  } else if (frame !== undefined) {
    return { kind: 'played', summary: summarize(frame, playCampaign({ ...frame, debts, ledger })) };
  }
  return null;
}

port.on('message', (task: Task) => {
  let result: Result | null;
  try {
    result = perform(task);
  } catch {
    result = { kind: 'failed' };
  }
  if (result !== null) port.postMessage(result);
});
