import { type DebtStatus, isLive } from '../../../kernel/debt-status.ts';
import { areaCodeOf, phonesBehind } from '../../../kernel/phone.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { Suppressed } from '../../messaging/use-cases/suppressions.ts';
import { stricterPack } from '../../policy/rules/campaign-settings.ts';
import type { ContactQuestion, Ledger } from '../../policy/rules/contact-question.ts';
import { bindingPack, type Channel } from '../../policy/rules/policy-pack.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';

const INACTIVE_CLIENT_STATUSES = ['PAUSED', 'CANCELLED'];

/** The launch of a draft asks for the operator's check itself, and nobody real is contacted in the sandbox. */
const isUnverified = ({ sandbox, clientVerified, campaignStatus }: DebtContext): boolean =>
  !sandbox && !clientVerified && campaignStatus !== 'DRAFT';

/** What the person has asked for about any debt holds each of them, until the client decides. */
const statusOf = ({ status, requests }: DebtContext): DebtStatus =>
  requests.length > 0 && (status === 'IMPORTED' || isLive(status)) ? 'ON_HOLD' : status;

export function questionAbout(
  debt: DebtContext,
  policy: Policy,
  facts: {
    readonly channel: Channel;
    readonly ledger: Ledger;
    readonly suppressed: Suppressed;
    readonly inboxWaiting: boolean;
    readonly now: number;
  },
): ContactQuestion {
  return {
    pack: stricterPack(bindingPack(policy.pack, debt.collectsFor), debt.ownRules, debt.contactHours),
    holidays: policy.holidays,
    channel: facts.channel,
    now: facts.now,
    phoneAreaCode: areaCodeOf(debt.debtorPhone),
    otherAreaCodes: phonesBehind(debt.phones, debt.debtorPhone).map(areaCodeOf),
    debt: {
      status: statusOf(debt),
      dueDate: debt.dueDate,
      promisedDate: debt.promisedFor,
      saidPaidAt: debt.saidPaidAt?.getTime() ?? null,
      staffAnswersUntil: debt.staffAnswersUntil?.getTime() ?? null,
    },
    suppressions: facts.suppressed,
    campaignPaused: debt.campaignStatus === 'PAUSED',
    campaignArchived: debt.campaignStatus === 'ARCHIVED',
    clientInactive: INACTIVE_CLIENT_STATUSES.includes(debt.clientStatus),
    clientUnverified: isUnverified(debt),
    inboxWaiting: facts.inboxWaiting,
    ledger: facts.ledger,
  };
}
