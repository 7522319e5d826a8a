import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../../testing/database.ts';
import { debtInput } from '../../testing/debts.ts';
import { collector, sent } from '../../testing/engine-harness.ts';
import { collectionWorkflowId } from '../../workflows/ids.ts';
import { command, expectWholeSequence, newDatabase, server, start, stop, temporal } from './restarts.ts';

describe('a collection that was terminated', () => {
  it('is started again by the command, and goes on with the step that follows', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    const { debts } = await client.launch([debtInput(11), debtInput(12)]);
    const [lost, whole] = debts.map(({ id }) => id) as [string, string];
    await client.reaches(lost, 'contacted', (debt) => sent(debt, 'collection').length === 1);
    await temporal.workflow.getHandle(collectionWorkflowId(lost)).terminate('test');
    const { code, output } = await command({ database, server }, 'restart');
    expect(output).toMatch(/^2 collections: 1 run, 1 started again, 0 woken, 0 held/m);
    expect(code).toBe(0);
    for (const id of [lost, whole]) await expectWholeSequence(await client.ended(id));
    expect(await client.outbox(lost)).toHaveLength(6);
    expect(await command({ database, server }, 'restart')).toEqual({
      code: 0,
      output: '0 collections: 0 run, 0 started again, 0 woken, 0 held for the decision of their clients\n',
    });
    await stop(app);
  });

  it('is named by its campaign, which must exist and run', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    const draft = await client.draft([debtInput(1)]);
    const unknown = '30467f92-92da-4899-b196-b7d0bf74b1cf';
    const on = { database, server };
    expect(await command(on, 'restart', '--campaign', unknown)).toEqual({
      code: 1,
      output: `There is no campaign ${unknown}\n`,
    });
    expect(await command(on, 'restart', `--campaign=${draft}`)).toEqual({
      code: 1,
      output: `The campaign ${draft} does not run: nothing of it is started\n`,
    });
    expect(await command(on, 'restart', '--campaign', 'x')).toEqual({ code: 1, output: 'There is no campaign x\n' });
    for (const args of [
      [],
      ['start'],
      ['restart', unknown],
      ['restart', '--campaign'],
      ['restart', '--campaign', unknown, 'x'],
    ]) {
      const { code, output } = await command(on, ...args);
      expect([code, output.startsWith('Usage:')]).toEqual([1, true]);
    }
    await stop(app);
  });
});
