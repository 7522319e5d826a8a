import { AppError } from '../../domain/errors.ts';
import { storeReceived } from '../collection/receive-message.ts';
import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { ownerOfDebt } from './owner-of-debt.ts';

/** What each button of the page says for the debtor; understood as surely as if it had been typed. */
const SAYS = {
  'said-paid': 'Já paguei.',
  dispute: 'Não reconheço esta dívida.',
  'opt-out': 'PARAR. Não quero mais receber mensagens.',
} as const;

export type CheckoutButton = keyof typeof SAYS;
export const CHECKOUT_BUTTONS = Object.keys(SAYS) as CheckoutButton[];

/**
 * A message on the channel `page`, obeyed like any other; the same button twice on one day is one message. Gives the id of
 * the notice that tells the debtor what was done.
 */
export const pressButton =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'workflows'>) =>
  async ({ debtId, button }: { readonly debtId: string; readonly button: CheckoutButton }): Promise<string> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    const day = deps.now().toISOString().slice(0, 10);
    return deps.db.tenant(clientId).transactional(async (em) => {
      const outcome = await storeReceived(em, deps, {
        clientId,
        debtId,
        channel: 'page',
        channelMessageId: `${debtId}:${button}:${day}`,
        text: SAYS[button],
      });
      if (outcome === 'unknown_debt') throw new AppError('not_found');
      return addNotice(em, { clientId, debtId, notice: outcome === 'stored' ? button : 'repeated' });
    });
  };
