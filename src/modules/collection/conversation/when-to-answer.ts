import { areaCodeOf } from '../../../kernel/phone.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { ReceivedMessage } from '../../messaging/queries/conversations.ts';
import type { Sender } from '../../messaging/use-cases/deps.ts';
import { nextOpening } from '../../policy/rules/message-policy.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import type { CollectionDeps } from '../deps.ts';

const SOONEST_RETRY_MS = 15_000;
const LATEST_RETRY_MS = 30 * 60_000;
/** An answer that fails is not tried again after this time. The staff have read of it in the inbox. */
export const MAX_RETRY_MS = 24 * 60 * 60_000;
/** Whoever wrote within this time still waits for the answer, which may come at any hour. Later it keeps the window. */
const AT_ONCE_MS = 15 * 60_000;

/** The longer the debtor has waited, the more rarely the answer is tried again. */
export const retryDelay = (waitedMs: number): number =>
  Math.min(LATEST_RETRY_MS, Math.max(SOONEST_RETRY_MS, waitedMs / 2));

interface LateAnswer {
  readonly debt: DebtContext;
  readonly phone: string;
  /** The sender that may carry the answer first; undefined when none may. */
  readonly by: Sender | undefined;
  /** What the debtor wrote in this turn. */
  readonly written: readonly Pick<ReceivedMessage, 'at'>[];
  readonly now: number;
}

/**
 * Returns how long an answer has to wait for the window because it could not go out at once, such as over a weekend; 0
 * when it may go now. What the debtor has added just now is answered at once, together with what came before.
 */
export function waitForWindow(
  deps: Pick<CollectionDeps, 'policy'>,
  { debt, phone, by, written, now }: LateAnswer,
): number {
  const newest = written.at(-1)?.at.getTime() ?? now;
  if (by === undefined || now - newest < AT_ONCE_MS) return 0;
  const opening = nextOpening({
    pack: bindingPack(deps.policy.pack, debt.collectsFor),
    holidays: deps.policy.holidays,
    channel: by.channel.capabilities.policyChannel,
    phoneAreaCode: areaCodeOf(phone),
    now,
  });
  return opening === null ? 0 : opening - now;
}
