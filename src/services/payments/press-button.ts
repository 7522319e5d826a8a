import { stateOfButtons } from '../../db/queries/debts.ts';
import { AppError } from '../../domain/errors.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { ownerOfDebt } from '../debts/owner-of-debt.ts';
import { storeReceived } from '../messaging/receive-message.ts';
import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';

/** The message that each button of the page sends. The agent understands it like one that the debtor typed. */
const BUTTON_TEXTS = {
  'said-paid': 'Já paguei.',
  dispute: 'Não reconheço esta dívida.',
  'opt-out': 'PARAR. Não quero mais receber mensagens.',
} as const;

export type CheckoutButton = keyof typeof BUTTON_TEXTS;
export const CHECKOUT_BUTTONS = Object.keys(BUTTON_TEXTS) as CheckoutButton[];

/**
 * Stores the button's message on the channel `page`, where it is handled like any other. The same button pressed twice in
 * one state of the debt is one message; after a contact or a change of the status it may be pressed again. Returns the id of the notice that confirms the action to the debtor.
 */
export const pressButton =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'workflows'>) =>
  async ({ debtId, button }: { readonly debtId: string; readonly button: CheckoutButton }): Promise<string> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    return deps.db.tenant(clientId).transactional(async (em) => {
      // The address may be known to somebody else, who decides nothing for the debtor.
      if ((await loadDebt(em, debtId))?.pageClosed !== false) throw new AppError('not_found');
      const { step, changes } = await stateOfButtons(em, debtId);
      const outcome = await storeReceived(em, deps, {
        clientId,
        debtId,
        channel: 'page',
        channelMessageId: `${debtId}:${button}:${step}:${changes}`,
        text: BUTTON_TEXTS[button],
      });
      if (outcome === 'unknown_debt') throw new AppError('not_found');
      return addNotice(em, { clientId, debtId, notice: outcome === 'stored' ? button : 'repeated' });
    });
  };
