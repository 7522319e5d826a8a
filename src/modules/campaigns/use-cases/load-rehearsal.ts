import { daysBetween, localDate } from '../../../kernel/calendar.ts';
import { phonesBehind } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isPrescribed } from '../../agreements/use-cases/person-of-offers.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { questionAbout, sequenceOf } from '../../collection/gate/ask-policy.ts';
import { NOTHING_ASKED } from '../../collection/planning/plan-collection.ts';
import { scoreInputOf } from '../../collection/planning/score-campaign.ts';
import { debtsToScore } from '../../collection/queries/scores.ts';
import { requestsOfPersons } from '../../debts/queries/person-requests.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { owedNow } from '../../debts/use-cases/owed.ts';
import { sendersReaching } from '../../messaging/use-cases/candidates.ts';
import { type LedgerKey, ledgerKeyOf, readLedgerRows } from '../../messaging/use-cases/contact-ledger.ts';
import { wantedSenders } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { type LedgerContact, NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import type { RehearsalBatch } from '../ports/rehearsal-runner.ts';
import { debtsToRehearse, knownRecipients, openDebtsOfPersons } from '../queries/rehearsals.ts';
import type { RehearsedDebt, RehearsedPhone } from '../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalChannels } from './rehearsal-channels.ts';

/** A page takes a few milliseconds of the event loop. */
const PAGE = 250;

export interface RehearsalSource {
  readonly clientId: string;
  readonly campaignId: string;
  readonly sandbox: boolean;
  readonly channels: RehearsalChannels;
  readonly now: number;
  /** Whether the client offers agreements. */
  readonly hasOffers: boolean;
}

type LoadDeps = Pick<CollectionDeps, 'db' | 'agent' | 'policy' | 'personKeys'>;

/** A debt of the draft, as its launch would leave it. */
export const asLaunched = (debt: DebtContext, sandbox: boolean): DebtContext => ({
  ...debt,
  sandbox,
  status: debt.status === 'IMPORTED' ? 'QUEUED' : debt.status,
  campaignStatus: 'RUNNING',
});

/** Reads a draft page by page in transactions that cannot write, with what the client may know of its people. */
export async function* loadRehearsal(deps: LoadDeps, source: RehearsalSource): AsyncGenerator<RehearsalBatch> {
  const { clientId, campaignId, sandbox } = source;
  const read = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    deps.db.tenant(clientId).transactional(work, { readOnly: true });
  const others = new Set<string>();
  const seen = new Set<string>();
  for (let after = 0; ; ) {
    const from = after;
    const loadPage = async (tx: Tx) => {
      const own = await debtsToRehearse(tx, { campaignId, after: from, limit: PAGE });
      const taxIds = [...new Set(own.filter(({ erased }) => !erased).map(({ debtorTaxId }) => debtorTaxId))];
      const open = await openDebtsOfPersons(tx, { taxIds, sandbox });
      const asked = await requestsOfPersons(tx, { taxIds, sandbox });
      const debts = [...own.map((debt) => asLaunched(debt, sandbox)), ...open.filter(({ id }) => !others.has(id))].map(
        (debt) => ({ ...debt, ...(asked.get(debt.debtorTaxId) ?? NOTHING_ASKED) }),
      );
      return { last: own.at(-1)?.position, ...(await knownOf(tx, deps, source, debts)) };
    };
    const [page, scores] = await Promise.all([read(loadPage), read((tx) => scoresOf(tx, deps, source, from))]);
    if (page.last === undefined) return;
    after = page.last;
    const ledger = page.ledger.filter((row) => {
      const name = `${row.kind} ${row.debtId} ${row.at.getTime()}`;
      return !seen.has(name) && seen.add(name);
    });
    for (const { id, campaignId: campaign } of page.debts) if (campaign !== campaignId) others.add(id);
    yield { debts: page.debts.map((debt) => rehearsed(debt, deps, source, page, scores)), ledger };
  }
}

/** The page of queued debts that begins there holds all those of the page of debts. */
async function scoresOf(
  tx: Tx,
  { agent }: LoadDeps,
  { campaignId, sandbox, now }: RehearsalSource,
  after: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await debtsToScore(tx, { campaignId, after, limit: PAGE, launch: { sandbox } });
  const today = localDate(now, -3);
  const scored = await agent.score(rows.map((row) => scoreInputOf(row, today)));
  return new Map(scored.map(({ debtId, score }) => [debtId, score]));
}

interface Known {
  readonly debts: readonly DebtContext[];
  readonly keys: ReadonlyMap<string, readonly LedgerKey[]>;
  readonly ledger: readonly LedgerContact[];
  readonly suppressions: Awaited<ReturnType<typeof readSuppressions>>;
  readonly recipients: ReadonlyMap<string, Awaited<ReturnType<typeof knownRecipients>>[number]>;
}

const phonesOf = (debt: DebtContext): readonly string[] => [
  debt.debtorPhone,
  ...phonesBehind(debt.phones, debt.debtorPhone),
];

/** Row security shows what this client has made, and nothing of another. */
async function knownOf(
  tx: Tx,
  { personKeys }: LoadDeps,
  { clientId, now }: RehearsalSource,
  debts: readonly DebtContext[],
): Promise<Known> {
  const keys = new Map(
    debts.map((debt) => [
      debt.id,
      phonesOf(debt).map((debtorPhone) => ledgerKeyOf({ ...debt, debtorPhone }, personKeys)),
    ]),
  );
  const all = [...keys.values()].flat();
  const ledger = await readLedgerRows(tx, all, now);
  const suppressions = await readSuppressions(tx, all);
  const people = [...new Set(all.map(({ personKey }) => personKey))];
  const recipients = await knownRecipients(tx, clientId, people);
  const byAddress = new Map(recipients.map((row) => [addressOf(row), row]));
  return { debts, keys, ledger, suppressions, recipients: byAddress };
}

const addressOf = (row: { readonly channel: string; readonly personKey: string; readonly phoneKey: string }): string =>
  `${row.channel} ${row.personKey} ${row.phoneKey}`;

function rehearsed(
  debt: DebtContext,
  { policy }: Pick<LoadDeps, 'policy'>,
  { campaignId, channels, now, hasOffers }: RehearsalSource,
  known: Known,
  scores: ReadonlyMap<string, number>,
): RehearsedDebt {
  const keys = known.keys.get(debt.id) ?? [];
  const wanted = wantedSenders(channels.list, debt);
  const plannedBy = wanted[0]?.channel.capabilities.policyChannel ?? 'whatsapp';
  const phones = phonesOf(debt).map((debtorPhone, place): RehearsedPhone => {
    const key = keys[place]!;
    const reachingOf = (senders: typeof wanted) =>
      sendersReaching(
        senders,
        debt,
        ({ channel }) => known.recipients.get(addressOf({ ...key, channel: channel.name })) ?? null,
        now,
      );
    const byWanted = reachingOf(wanted);
    // As in `candidatesFor`, the policy keeps a wish for a channel that does not reach the person.
    const reaching = byWanted.length > 0 ? byWanted : reachingOf(channels.list);
    // A launch that reaches real people asks for the operator's check by itself.
    const question = questionAbout({ ...debt, debtorPhone, clientVerified: true }, policy, {
      channel: reaching[0]?.channel.capabilities.policyChannel ?? plannedBy,
      ledger: NO_CONTACTS,
      suppressed: suppressedBy(known.suppressions, { ...key, numbers: [...channels.numbers] }),
      inboxWaiting: false,
      now,
    });
    return { phoneKey: key.phoneKey, question, channels: reaching.map((each) => channels.list.indexOf(each)) };
  });
  const { principal, fine, interest, correction, on } = owedNow({ policy, now: () => new Date(now) }, debt);
  const [first, ...behind] = phones;
  if (first === undefined) throw new Error('a debt has at least one phone');
  return {
    debtId: debt.id,
    // Erased debts of different persons have the same empty CPF.
    personKey: debt.erased ? debt.id : (keys[0]?.personKey ?? debt.id),
    isOwn: debt.campaignId === campaignId,
    score: scores.get(debt.id) ?? 0,
    owed: { principal, fine, interest, correction },
    offerable:
      hasOffers && !debt.erased
        ? {
            debtId: debt.id,
            status: debt.status,
            importedAs: 0,
            dueDate: debt.dueDate,
            daysLate: daysBetween(debt.dueDate, on),
            principalCentavos: principal,
            chargesCentavos: fine + interest + correction,
            prescribed: isPrescribed({ policy }, debt, debtNow(debt.clockOffsetMs, now)),
            hardship: debt.requests.includes('hardship'),
            optedOut: keys.some((key) => suppressedBy(known.suppressions, { ...key, numbers: [] }).optedOut),
            died: debt.requests.includes('death'),
            clientCancelled: debt.clientStatus === 'CANCELLED',
          }
        : null,
    sequence: sequenceOf(debt, policy),
    step: debt.step,
    nextContactAt: debt.nextContactAt?.getTime() ?? null,
    plannedBy,
    lastEventAt: debt.lastEventAt,
    phones: [first, ...behind],
  };
}
