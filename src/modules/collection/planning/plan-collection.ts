import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nextContactsOfPersons } from '../../debts/queries/later-debts.ts';
import { requestsOfPersons } from '../../debts/queries/person-requests.ts';
import { lockDebts } from '../../debts/use-cases/debt-context.ts';
import {
  ledgerKeyOf,
  lockPersons,
  type NewReservation,
  readLedgerRows,
  replaceReservations,
} from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, wantedSenders } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { takeMoments } from '../../policy/queries/contact-pace.ts';
import { NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import { intervalOf } from '../../policy/rules/contact-pace.ts';
import {
  DEBTS_OF_PAGE,
  type FirstContact,
  momentsOfFirstContacts,
  planFirstSlots,
  wavesOf,
} from '../../policy/rules/first-contacts.ts';
import type { CollectionDeps } from '../deps.ts';
import { questionAbout } from '../gate/ask-policy.ts';
import { holdForPerson } from '../gate/hold-debt.ts';
import { reservedUntil } from '../gate/next-slot.ts';
import { debtsToContact, storeFirstContacts, workLeft } from '../queries/contact-plan.ts';

type PlannedDebt = Awaited<ReturnType<typeof debtsToContact>>[number];

/** A debt that is planned, as its person's requests leave it. */
interface Followed {
  readonly debt: PlannedDebt;
  /** The moment of the next message to the person, which will speak of this debt too. */
  readonly joinsAt: number | null;
}

/** Of a person who has asked for nothing. */
export const NOTHING_ASKED = {
  promisedFor: null,
  saidPaidAt: null,
  staffAnswersUntil: null,
  preference: null,
  requests: [],
};

/**
 * A request that waits for the client holds a new debt of the person too, which then stands in the inbox beside the
 * others. Returns the debts that are not held. The caller holds the locks of the persons: what a person has asked for is
 * read again, because it may have been said after the debts were read.
 */
async function followPersons(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'now' | 'policy'>,
  debts: readonly PlannedDebt[],
  { isLater }: { readonly isLater: boolean },
): Promise<readonly Followed[]> {
  const taxIds = debts.filter(({ erased }) => !erased).map(({ debtorTaxId }) => debtorTaxId);
  const asked = await requestsOfPersons(tx, { taxIds, sandbox: debts[0]?.sandbox ?? false });
  // The debts of a launch are planned together. A debt that comes later joins the message that is planned already.
  const moments = isLater
    ? await nextContactsOfPersons(
        tx,
        debts.map(({ id }) => id),
        { steps: deps.policy.sequence.steps.length, begun: false },
      )
    : new Map<string, Date>();
  const followed: Followed[] = [];
  for (const planned of debts) {
    const debt = { ...planned, ...(asked.get(planned.debtorTaxId) ?? NOTHING_ASKED) };
    if (debt.requests.length > 0) {
      await holdForPerson(tx, deps, debt, { requests: debt.requests, at: deps.now().getTime() });
    } else {
      followed.push({ debt, joinsAt: moments.get(debt.id)?.getTime() ?? null });
    }
  }
  return followed;
}

/**
 * Gives each first contact its own moment, in the given order. All contacts that wait for one opening, over all
 * campaigns, keep the pace that a deployment can contact, and so do those that are allowed at once.
 */
async function paceFirstContacts(
  tx: Tx,
  deps: Pick<CollectionDeps, 'contactsPerSecond'>,
  { scope, now }: { readonly scope: string; readonly now: number },
  contacts: readonly FirstContact[],
): Promise<ReadonlyMap<string, number>> {
  const { contactsPerSecond } = deps;
  const waves = wavesOf(contacts, now);
  const pace = { scope, now: new Date(now), intervalMs: intervalOf(contactsPerSecond) };
  const wishes = waves.map(({ opening, contacts: wave }) => ({ opening, contacts: wave.length }));
  const firstOf = await takeMoments(tx, pace, wishes);
  return momentsOfFirstContacts(contacts, waves, { now, firstOf, contactsPerSecond });
}

export interface CollectionPlan {
  readonly debts: readonly { readonly debtId: string; readonly firstAt: number | null }[];
  readonly next: string | null;
  readonly clockHeld?: boolean;
}

interface CampaignReview {
  readonly over: boolean;
  readonly later?: { readonly behind: number };
}

/** The cursor is the last debt of a page, as `score:id`. */
function readCursor(cursor: string): { score: number; id: string } {
  const [score, id = ''] = cursor.split(':');
  return { score: Number(score), id };
}

/**
 * Returns the next page of a campaign, best score first. The moment of each debt is reserved for it, so that debts of
 * one person get different slots from the start and are not refused at the gate.
 */
export const planCollection =
  (deps: CollectionDeps) =>
  async (task: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly after: string | null;
    /** Only debts that came into the running campaign behind this position. */
    readonly behind?: number;
  }): Promise<CollectionPlan> =>
    deps.db.tenant(task.clientId).transactional(async (tx) => {
      const { campaignId, behind } = task;
      const after = task.after === null ? null : readCursor(task.after);
      const page = await debtsToContact(tx, { campaignId, behind, after, limit: DEBTS_OF_PAGE });
      const [first] = page;
      const last = page.at(-1);
      if (first === undefined || last === undefined) return { debts: [], next: null };
      const isLater = behind !== undefined;
      // The client may pause the campaign at any time. The rest is planned when it is resumed.
      if (isLater && first.campaignStatus !== 'RUNNING') return { debts: [], next: null };
      const now = deps.now().getTime();
      const senders = await deps.sendersOf(tx, first);
      const numbers = numbersOf(senders);
      await lockPersons(
        tx,
        page.map((debt) => ledgerKeyOf(debt, deps.personKeys)),
      );
      const followed = await followPersons(tx, deps, page, { isLater });
      const debts = followed.map(({ debt }) => debt);
      const keys = debts.map((debt) => ledgerKeyOf(debt, deps.personKeys));
      const rows = await readLedgerRows(tx, keys, now);
      const suppressions = await readSuppressions(tx, keys);
      const toPlan = followed.map(({ debt, joinsAt }, index) => {
        const key = keys[index]!;
        const question = questionAbout(debt, deps.policy, {
          ledger: NO_CONTACTS,
          channel: policyChannelOf(wantedSenders(senders, debt)),
          suppressed: suppressedBy(suppressions, { ...key, numbers }),
          now,
          // The workflow of each debt handles what has come before it contacts anybody.
          inboxWaiting: false,
        });
        return { key, question, joinsAt };
      });
      const { contacts, reserved } = planFirstSlots(toPlan, rows, now);
      const scope = first.sandbox ? campaignId : 'real';
      const moments = await paceFirstContacts(tx, deps, { scope, now }, contacts);
      const slots = new Set(reserved.map(({ debtId }) => debtId));
      const reservations = keys
        .filter(({ debtId }) => slots.has(debtId))
        .map((key): NewReservation => {
          const at = moments.get(key.debtId) ?? now;
          return { key, at, until: reservedUntil(deps, { exact: first.sandbox, now, at }) };
        });
      await replaceReservations(tx, reservations);
      await lockDebts(
        tx,
        debts.map(({ id }) => id),
      );
      // A debt that may not be contacted at all is planned too: its workflow finds out why.
      const mayRun = await storeFirstContacts(
        tx,
        debts.map(({ id }) => ({ debtId: id, at: new Date(moments.get(id) ?? now) })),
      );
      // A workflow that runs already waits for this plan, and that of the campaign cannot start it a second time.
      await addOutboxRows(
        tx,
        debts.filter(({ id }) => mayRun.has(id)).map((debt) => deps.workflows.wakeDebt(debt, 'stateChanged')),
      );
      return {
        debts: debts.map(({ id }) => ({ debtId: id, firstAt: moments.get(id) ?? null })),
        next: page.length < DEBTS_OF_PAGE ? null : `${last.score}:${last.id}`,
        ...(first.clockHeld ? { clockHeld: true } : {}),
      };
    });

/** Returns whether the campaign's workflow may end, and the position behind which debts have no plan yet. */
export const reviewCampaign =
  (deps: Pick<CollectionDeps, 'db'>) =>
  async (task: { readonly clientId: string; readonly campaignId: string }): Promise<CampaignReview> => {
    const { live, status, unplanned } = await deps.db
      .tenant(task.clientId)
      .transactional((tx) => workLeft(tx, task.campaignId));
    const over = !live || status === 'ARCHIVED';
    // Debts that come in during a pause are planned after it, so that their first contacts keep pace and order then.
    return over || status !== 'RUNNING' || unplanned === null ? { over } : { over, later: { behind: unplanned - 1 } };
  };
