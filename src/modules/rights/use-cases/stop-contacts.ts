import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { isPageClosed } from '../../debts/queries/persons.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { closePages } from '../../messaging/queries/conversations.ts';
import { setEmailInUse } from '../../receipts/queries/receipt-deliveries.ts';
import { debtsHeld, type EmailInUse, emailsInUse } from '../queries/held-data.ts';
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
      const request = await storeRequest(tx, deps, debt, { kind: 'silence', isDone: true });
      await say(tx, deps, debt, { kind: 'silence', request });
      return request.protocol;
    });
    return done === 'closed' ? CLOSED : { kind: 'done', protocol: done };
  };

/**
 * The holder of the address is not the person. Nothing has to be proved for that. The address ends at once, and so do
 * those of the debts' pages. Nobody knows by which way the address came, so each e-mail in use is given up at once, and
 * each phone in use by the workflows, for every client that has it of the person.
 */
export const sayNotMine =
  (deps: RightsDeps) =>
  async (token: string): Promise<{ readonly protocol: string }> => {
    const key = await onRightsPage(deps, token, async (_, found) => found.key);
    await deps.takeFromAskRate(key);
    return onRightsPage(deps, token, async (tx, { person, debt: first }) => {
      await lockDebtsOfPerson(tx, person);
      // Another press of the same button may have come first.
      if (await isPageClosed(tx, token)) throw new AppError('not_found');
      const request = await storeRequest(tx, deps, first, { kind: 'not_mine', isDone: true });
      const debts = await debtsHeld(tx, person);
      const byPhone = new Map(debts.toReversed().map((debt) => [debt.debtorPhone, debt]));
      for (const debt of byPhone.values()) await say(tx, deps, debt, { kind: 'not_mine', request });
      for (const email of await emailsInUse(tx, person)) await giveUpEmail(tx, email, deps.now().getTime());
      await closePages(tx, person);
      return { protocol: request.protocol };
    });
  };

/** Never writes to the e-mail in use again. The next one of the debt takes over, as with phones. */
async function giveUpEmail(tx: Tx, { id, debtorEmail, debtorEmails, clockOffsetMs }: EmailInUse, now: number) {
  const from = Math.max(0, debtorEmails?.indexOf(debtorEmail) ?? 0);
  const next = debtorEmails?.[from + 1] ?? null;
  if (!(await setEmailInUse(tx, id, { refused: debtorEmail, next }))) return;
  const places = next === null ? { from } : { from, to: from + 1 };
  await recordEntries(tx, id, debtNow(clockOffsetMs, now), [
    { kind: 'debt_changed', field: 'debtorEmail', reason: 'wrong_person', ...places },
  ]);
}
