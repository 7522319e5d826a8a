import { parentPort } from 'node:worker_threads';
import { createHolidayCalendar } from '../../../../../kernel/holidays.ts';
import { type Compared, type Comparison, compareBoundaries, compareSample } from '../../../rules/check/compare.ts';
import { compareMessages } from '../../../rules/check/compare-messages.ts';
import { decideContact } from '../../../rules/contact-policy.ts';
import type { CheckJob } from './check-threads.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

function perform({ pack, holidays, task }: CheckJob): Comparison {
  const compared: Compared = {
    decide: decideContact,
    pack,
    calendar: createHolidayCalendar(holidays),
    plainPack: pack,
    plainHolidays: holidays,
  };
  if (task.kind === 'sample') return compareSample(compared, task);
  if (task.kind === 'messages') return compareMessages(compared, task.areaCode, task);
  return compareBoundaries(compared, task.areaCode, task);
}

port.on('message', (job: CheckJob) => port.postMessage(perform(job)));
