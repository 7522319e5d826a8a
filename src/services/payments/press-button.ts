import { storeReceived } from '../collection/receive-message.ts';
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

/** A message on the channel `page`, obeyed like any other; the same button twice on one day is one message. */
export const pressButton =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'workflows'>) =>
  async ({ debtId, button }: { readonly debtId: string; readonly button: CheckoutButton }): Promise<void> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    const day = deps.now().toISOString().slice(0, 10);
    await deps.db.tenant(clientId).transactional((em) =>
      storeReceived(em, deps, {
        clientId,
        debtId,
        channel: 'page',
        channelMessageId: `${debtId}:${button}:${day}`,
        text: SAYS[button],
      }),
    );
  };
