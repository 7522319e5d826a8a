import { AppError } from '../../../kernel/errors.ts';
import { storable } from '../../../kernel/received-text.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { stateOfButtons } from '../../debts/queries/debts.ts';
import { debtsOnPage, isPageClosed } from '../../debts/queries/persons.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { asPersonSees, type DebtContext, loadDebt, rowForDebtor } from '../../debts/use-cases/debt-context.ts';
import { ownerOfDebt } from '../../debts/use-cases/owner-of-debt.ts';
import { pageOfPerson } from '../../debts/use-cases/rights-link.ts';
import { receivedOnChannel } from '../../messaging/queries/messages.ts';
import { DISPUTE_OF_ALL, DISPUTE_OF_ONE } from '../../messaging/rules/page-disputes.ts';
import { storeReceived } from '../../messaging/use-cases/receive-message.ts';
import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { ownerOfDebtorPage } from './owner-of-debtor-page.ts';
import { isPayable } from './payable.ts';

/** The message that each button of the page sends. The agent understands it like one that the debtor typed. */
const BUTTON_TEXTS = {
  'said-paid': 'Já paguei.',
  dispute: DISPUTE_OF_ONE,
  'opt-out': 'PARAR. Não quero mais receber mensagens.',
} as const;

/** What a button means by itself, so that no reason that stands beside it changes that. */
const INTENTS: Readonly<Partial<Record<CheckoutButton, Intent>>> = { dispute: 'dispute', 'opt-out': 'opt_out' };

/** The dispute of all debts is another message than that of the debt with which it is stored. */
const DISPUTES_ALL = 'dispute-all';

const PAGE_CHANNEL = 'page';
/** The most characters of a reason. */
export const MAX_REASON = 500;

export type CheckoutButton = keyof typeof BUTTON_TEXTS;
export const CHECKOUT_BUTTONS = Object.keys(BUTTON_TEXTS) as CheckoutButton[];

/** The page of one debt, or the page of a person with several. */
export type ButtonPage = { readonly debtId: string } | { readonly pageId: string };

export type Press = ButtonPage & {
  readonly button: CheckoutButton;
  /** What the debtor wrote beside the button, for the staff of the client. */
  readonly reason?: string | undefined;
};

/**
 * Stores the button's message on the channel `page`, where it is handled like any other. A request counts for all debts of
 * the person, so the page of a person stores it with the first of them; a dispute says whether it does. The same button pressed twice in one state of
 * the debt is one message; after a contact or a change of the status it may be pressed again. Returns the id of the
 * notice that confirms the action to the debtor.
 */
export const pressButton =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'receipts' | 'workflows'>) =>
  ({ button, reason = '', ...page }: Press): Promise<string> =>
    onPage(deps, page, async (tx, { id: debtId, clientId }) => {
      const written = storable(reason).trim().slice(0, MAX_REASON).toWellFormed();
      const said = button === 'dispute' && 'pageId' in page ? DISPUTES_ALL : button;
      const text = said === DISPUTES_ALL ? DISPUTE_OF_ALL : BUTTON_TEXTS[said];
      const outcome = await storeReceived(tx, deps, {
        clientId,
        debtId,
        channel: PAGE_CHANNEL,
        channelMessageId: messageIdOf(debtId, said, await stateOfButtons(tx, debtId)),
        text: written === '' ? text : `${text} ${written}`,
        button: INTENTS[button] ?? null,
      });
      if (outcome === 'unknown_debt') throw new AppError('not_found');
      return addNotice(tx, { clientId, debtId, notice: outcome === 'stored' ? button : 'repeated' });
    });

/** What the page shows that asks before a button does something. */
export interface ButtonQuestion {
  readonly creditor: string;
  /** Names the page of rights of the person; null once they were erased. */
  readonly rightsPageId: string | null;
}

/** Returns what the page shows that asks before a button does something. Nothing of the debt is changed. */
export const readButtonPage =
  (deps: Pick<PaymentDeps, 'db'>) =>
  (page: ButtonPage): Promise<ButtonQuestion> =>
    onPage(deps, page, async (tx, debt) => ({
      creditor: debt.clientName,
      rightsPageId: await pageOfPerson(tx, debt),
    }));

/**
 * Runs with the debt of the page to which a button belongs, and with all debts of the page that are to be paid. A page
 * that its visitor may not use does not exist.
 */
export async function onPage<T>(
  { db }: Pick<PaymentDeps, 'db'>,
  page: ButtonPage,
  run: (tx: Tx, debt: DebtContext, toPay: readonly DebtContext[]) => Promise<T>,
): Promise<T> {
  if ('debtId' in page) {
    const clientId = await ownerOfDebt(db, page.debtId);
    return db.tenant(clientId).transactional(async (tx) => {
      const named = await loadDebt(tx, page.debtId);
      // The address may be known to somebody else, who decides nothing for the debtor.
      if (named?.pageClosed !== false) throw new AppError('not_found');
      const debt = asPersonSees((await loadDebt(tx, rowForDebtor(named))) ?? named);
      return run(tx, debt, isPayable(debt.status) ? [debt] : []);
    });
  }
  const { clientId, ...owner } = await ownerOfDebtorPage(db, page.pageId);
  return db.tenant(clientId).transactional(async (tx) => {
    const debts = (await isPageClosed(tx, page.pageId)) ? [] : await debtsOnPage(tx, owner);
    const toPay = debts.filter(({ wrongPerson, status }) => !wrongPerson && isPayable(status));
    const [debt] = toPay;
    if (debt === undefined) throw new AppError('not_found');
    return run(tx, debt, toPay);
  });
}

type Said = CheckoutButton | typeof DISPUTES_ALL;

const messageIdOf = (debtId: string, said: Said, state: Awaited<ReturnType<typeof stateOfButtons>>) =>
  `${debtId}:${said}:${state.step}:${state.changes}`;

/** Returns the buttons that were pressed in the present state of the debt, so that pressing one again does nothing. */
export async function pressedButtons(tx: Tx, debtId: string): Promise<readonly CheckoutButton[]> {
  const state = await stateOfButtons(tx, debtId);
  const ids = new Map(CHECKOUT_BUTTONS.map((button) => [messageIdOf(debtId, button, state), button]));
  ids.set(messageIdOf(debtId, DISPUTES_ALL, state), 'dispute');
  const found = await receivedOnChannel(tx, { debtId, channel: PAGE_CHANNEL, ids: [...ids.keys()] });
  return found.flatMap(({ channelMessageId }) => ids.get(channelMessageId ?? '') ?? []);
}
