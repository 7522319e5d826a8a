import { expect, it } from '@jest/globals';
import { DUE_DIGESTS } from '../../src/modules/debts/queries/inbox-digests.ts';
import { CLIENTS_TO_REMIND, DUE_RIGHTS_MAILS } from '../../src/modules/rights/queries/rights-mails.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { engineServices, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());

/** Runs the mails of the worker once with these statements failing, and returns which ones were asked. */
async function run(...failing: readonly object[]) {
  const asked: object[] = [];
  const readPrepared: Database['readPrepared'] = async (scope, query, params) => {
    asked.push(query);
    if (failing.includes(query)) throw new Error(`failed: ${failing.indexOf(query)}`);
    return engine.db.readPrepared(scope, query, params);
  };
  const services = engineServices({ ...engine.deps, db: { ...engine.db, readPrepared } });
  const outcome = await services.mailInboxDigests(() => {}).catch((error: Error) => error.message);
  return { asked, outcome };
}

it('mails to persons and digests to staff do not hold each other back, and each failure is told', async () => {
  expect(await run()).toEqual({ asked: [CLIENTS_TO_REMIND, DUE_RIGHTS_MAILS, DUE_DIGESTS], outcome: 0 });
  const ofPersons = await run(CLIENTS_TO_REMIND);
  expect(ofPersons.outcome).toBe('failed: 0');
  expect(ofPersons.asked).toContain(DUE_DIGESTS);
  const ofStaff = await run(DUE_DIGESTS);
  expect(ofStaff.outcome).toBe('failed: 0');
  expect(ofStaff.asked).toContain(DUE_RIGHTS_MAILS);
  expect((await run(DUE_RIGHTS_MAILS, DUE_DIGESTS)).outcome).toMatch(/failed: 0.*failed: 1/);
});
