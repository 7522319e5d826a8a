import { AppError } from '../../../kernel/errors.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { isPageClosed } from '../../debts/queries/persons.ts';
import { closePages } from '../../messaging/queries/conversations.ts';
import type { RightsDeps } from './deps.ts';
import { onOpenPage, onRightsPage } from './person-of-page.ts';
import type { OpenPage } from './read-rights.ts';
import { type Asked, CLOSED, say, storeRequest } from './store-request.ts';

/** The person wants no more messages. */
export const askForSilence =
  (deps: RightsDeps) =>
  async (page: OpenPage): Promise<Asked> => {
    const key = await onOpenPage(deps, page, async (_, found) => found.key);
    if (key === 'closed') return CLOSED;
    await deps.takeFromAskRate(key);
    const done = await onOpenPage(deps, page, async (tx, { debt }) => {
      const { id, protocol } = await storeRequest(tx, deps, debt, { kind: 'silence', isDone: true });
      await say(tx, deps, debt, { kind: 'silence', requestId: id });
      return protocol;
    });
    return done === 'closed' ? CLOSED : { kind: 'done', protocol: done };
  };

/**
 * The holder of the address is not the person. Nothing has to be proved for that. The address ends at once, and so do
 * those of the debts' pages; each phone in use is given up by the workflows, for every client that has it of the person.
 */
export const sayNotMine =
  (deps: RightsDeps) =>
  async (token: string): Promise<{ readonly protocol: string }> => {
    const key = await onRightsPage(deps, token, async (_, found) => found.key);
    await deps.takeFromAskRate(key);
    return onRightsPage(deps, token, async (tx, { person, debts, debt: first }) => {
      await lockDebtsOfPerson(tx, person);
      // Another press of the same button may have come first.
      if (await isPageClosed(tx, token)) throw new AppError('not_found');
      const { id, protocol } = await storeRequest(tx, deps, first, { kind: 'not_mine', isDone: true });
      const byPhone = new Map(debts.toReversed().map((debt) => [debt.debtorPhone, debt]));
      for (const debt of byPhone.values()) await say(tx, deps, debt, { kind: 'not_mine', requestId: id });
      await closePages(tx, person);
      return { protocol };
    });
  };
