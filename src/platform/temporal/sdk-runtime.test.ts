import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { sdkLogger } from './sdk-runtime.ts';

describe('the log of the SDK', () => {
  const lines: string[] = [];
  const logger = sdkLogger(pino({ level: 'debug' }, { write: (line) => void lines.push(line) }));

  it('is written to ours, without the texts of errors', () => {
    logger.warn('An activity failed', { error: new TypeError('Maria wrote: PARAR'), attempt: 2 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'An activity failed', error: 'TypeError', attempt: 2 });
    expect(lines[0]).not.toContain('Maria');
  });

  it('leaves out that the second worker has no workflows, because it is meant so', () => {
    logger.warn('No workflows registered, not polling for workflow tasks', { taskQueue: 'quita-answers' });
    expect(lines).toHaveLength(1);
  });
});
