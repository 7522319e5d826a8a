import { isLive, isOwed } from '../../../kernel/debt-status.ts';
import { areaCodeOf, phonesBehind } from '../../../kernel/phone.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { storePreference } from '../../debts/queries/person-requests.ts';
import { asPersonSees } from '../../debts/use-cases/debt-context.ts';
import { wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { type DebtorPreference, stricterPack, withoutWindow } from '../../policy/rules/campaign-settings.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import { debtsHeld, type HeldDebt } from '../queries/held-data.ts';
import type { RightsDeps } from './deps.ts';
import { onOpenPage } from './person-of-page.ts';
import { channelsOf, type OpenPage } from './read-rights.ts';
import { type Asked, CLOSED, refused, storeRequest } from './store-request.ts';

export interface Prefer extends OpenPage {
  /** Null ends what was asked before. */
  readonly preference: DebtorPreference | null;
}

/** Takes when and how the person wants to be written to, unless the law and the client's rules leave no moment in it. */
export const preferContacts =
  (deps: RightsDeps) =>
  async ({ preference, ...page }: Prefer): Promise<Asked> => {
    const key = await onOpenPage(deps, page, async (_, found) => found.key);
    if (key === 'closed') return CLOSED;
    await deps.takeFromAskRate(key);
    const done = await onOpenPage(deps, page, async (tx, { person, debt }): Promise<Asked> => {
      await lockDebtsOfPerson(tx, person);
      const debts = (await debtsHeld(tx, person)).map(asPersonSees);
      if (preference !== null) {
        const { channel } = preference;
        if (channel !== null && !(await channelsOf(tx, deps, debt)).includes(channel)) return refused('channel');
        // The hours of a debt that has ended close nothing any more.
        const open = Map.groupBy(debts.filter(isOwed), hoursOf);
        if ([...open.values()].some(([each]) => leavesNoOpening(deps, each!, preference))) return refused('no_opening');
      }
      await storePreference(tx, person, preference);
      // A debt without a next contact may have waited for the end of another wish.
      const waiting = debts.filter(
        ({ status, nextContactAt, pausedAt }) => isLive(status) && (nextContactAt !== null || pausedAt !== null),
      );
      await addOutboxRows(
        tx,
        waiting.map((each) => deps.workflows.wakeDebt(each, 'stateChanged')),
      );
      await wakeAgreementsOf(tx, deps.workflows, person);
      const { protocol } = await storeRequest(tx, deps, debt, { kind: 'preference', isDone: true });
      return { kind: 'done', protocol };
    });
    return done === 'closed' ? CLOSED : done;
  };

/** What decides about the hours of a debt, which most debts of a person have in common. */
const hoursOf = ({ collectsFor, ownRules, contactHours, debtorPhone, phones }: HeldDebt): string =>
  JSON.stringify([collectsFor, ownRules, contactHours, debtorPhone, phones]);

/** Whether a week has no moment for a contact about this debt. The channel was checked before. */
function leavesNoOpening(
  { policy: { pack, holidays }, now }: RightsDeps,
  debt: HeldDebt,
  preference: DebtorPreference,
): boolean {
  const hours = { ...preference, channel: null };
  const asked = stricterPack(bindingPack(pack, debt.collectsFor), debt.ownRules, debt.contactHours, hours);
  const places = [
    areaCodeOf(debt.debtorPhone),
    ...phonesBehind(debt.phones, debt.debtorPhone).map(areaCodeOf),
  ] as const;
  return withoutWindow(asked, holidays, now().getTime(), [places]).length > 0;
}
