import { isLive } from '../../../kernel/debt-status.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { DebtFacts, Understanding } from '../../messaging/ports/collection-agent.ts';
import type { Sender } from '../../messaging/use-cases/deps.ts';

interface ClaimFound {
  readonly before: DebtContext;
  readonly after: DebtContext;
  readonly understood: Understanding;
  readonly facts: Pick<DebtFacts, 'together'>;
  readonly phone: string;
  readonly by: Sender;
}

/**
 * Whether the receipt that now follows is the whole answer: the claim of payment has just turned out to be true, nothing
 * else was said or is open, and the receipt goes to the same phone at once. Two messages would say the same, and cost twice.
 */
export const isAnsweredByReceipt = ({ before, after, understood, facts, phone, by }: ClaimFound): boolean =>
  isLive(before.status) &&
  after.status === 'PAID' &&
  understood.intent === 'already_paid' &&
  understood.also.length === 0 &&
  facts.together === null &&
  phone === after.debtorPhone &&
  by.channel.capabilities.reaches === 'phone';
