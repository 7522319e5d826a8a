import { parentPort } from 'node:worker_threads';
import { createHolidayCalendar } from '../../../../../kernel/holidays.ts';
import { createReplay } from '../../../../policy/rules/replay.ts';
import type { ReplayAnswer, ReplayTask } from './replay-threads.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

let replay: ReturnType<typeof createReplay> | undefined;

function perform(task: ReplayTask): ReplayAnswer | null {
  if (task.kind === 'begin') {
    const { pack, holidays, from } = task.job;
    replay = createReplay({ pack, holidays: createHolidayCalendar(holidays), from });
  } else if (task.kind === 'batch') {
    for (const contact of task.contacts) replay?.add(contact);
  } else return replay?.result() ?? 'failed';
  return null;
}

port.on('message', (task: ReplayTask) => {
  let answer: ReplayAnswer | null;
  try {
    answer = perform(task);
  } catch {
    answer = 'failed';
  }
  if (answer !== null) port.postMessage(answer);
});
