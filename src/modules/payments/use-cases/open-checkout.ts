import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskName } from '../../../kernel/texts/mask-name.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtWithOffers } from '../../agreements/use-cases/debt-with-offers.ts';
import { debtsOnPage } from '../../debts/queries/persons.ts';
import { asPersonSees, type DebtContext, loadDebt, rowForDebtor } from '../../debts/use-cases/debt-context.ts';
import { chargedOf, type OwedToday, owedNow, paidInAll } from '../../debts/use-cases/owed.ts';
import { ownerOfDebt } from '../../debts/use-cases/owner-of-debt.ts';
import { pageOfPerson } from '../../debts/use-cases/rights-link.ts';
import type { SharedDeps } from '../../deps.ts';
import { type ShownCreditor, shownCreditor } from '../../messaging/use-cases/shown-creditor.ts';
import { dateOfConsent } from '../../policy/rules/consent.ts';
import type { Centavos } from '../../terms/rules/owed-on.ts';
import { linesOf, type OwedLine } from '../../terms/texts/formulas.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { type Charge, chargesOfDebt } from '../queries/charges.ts';
import { receiptsOfParts } from '../queries/debt-payments.ts';
import { type AgreementOnPage, type AskedOfAgreement, readAgreementOnPage } from './agreement-on-page.ts';
import { type CheckoutNotice, takeNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { findOrMakeCharge, type LiveCharge } from './find-or-make-charge.ts';
import { agreementOfDebt, isOpen, isPayable } from './payable.ts';
import { type CodeOnPage, codeOnPage, paymentStatusOf } from './payment-view.ts';
import { CHECKOUT_BUTTONS, type CheckoutButton, pressedButtons } from './press-button.ts';

/** What the pages of debtors need beside payments: whether a person has opted out decides about offers. */
export type PageDeps = PaymentDeps & Pick<SharedDeps, 'personKeys'>;

export interface PageRequest {
  /** The notice of the button that was just pressed. */
  readonly noticeId?: string | undefined;
  /** What the code of an agreement asks for. */
  readonly asked?: AskedOfAgreement | undefined;
}

export interface Charged {
  readonly parts: Centavos;
  readonly lines: readonly OwedLine[];
  /** Where the creditor's contract says what is added. */
  readonly clause: string | null;
}

/** The content of the debtor's page. Only the creditor is named; of the debtor's name two letters are shown. */
export interface Checkout {
  readonly debtId: string;
  readonly sandbox: boolean;
  readonly creditor: ShownCreditor;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly description: string | null;
  /** What is still open; for a paid debt, all of it. Null where nothing is to be paid. */
  readonly amountCentavos: number | null;
  /** What the amount is made of; null where nothing is ever added to the principal, or nothing is to be paid. */
  readonly charged: Charged | null;
  /** The part that was paid already; 0 unless the rest is asked for. */
  readonly receivedCentavos: number;
  /** The receipts of the parts that were paid already. */
  readonly partReceipts: readonly { readonly url: string; readonly paidCentavos: number }[];
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  /** The due date has not passed where the debtor is. */
  readonly notOverdue: boolean;
  /** With the date at the debtor's place; null when the client knows of none. */
  readonly consent: { readonly date: string; readonly source: string | null } | null;
  readonly status: PaymentStatus;
  readonly code: CodeOnPage | null;
  /** The agreement by which the debt is paid; its amounts, code and status are then those of the page. */
  readonly agreement: AgreementOnPage | null;
  readonly receiptUrl: string | null;
  /** The address of the debt's own page is known to somebody else, so that only the person's page shows the debt. */
  readonly pageClosed: boolean;
  /** The page with all debts of the person, when the client collects more than this one. */
  readonly personPageId: string | null;
  /** Names the page of rights of the person; null once they were erased. */
  readonly rightsPageId: string | null;
  /** The page leads to offers. */
  readonly hasOffers: boolean;
  /** The buttons that need not be pressed again, because what they say was received or is done. */
  readonly noted: readonly CheckoutButton[];
  /** The result of the button that was just pressed. It is shown once. */
  readonly notice: CheckoutNotice | null;
}

/**
 * The page of a row that an import has continued shows the current row, unless that names another person. Returns null
 * after a wrong person was reported, because the holder of the address may then be a stranger.
 */
export const openCheckout =
  (deps: PageDeps) =>
  async (debtId: string, { noticeId, asked }: PageRequest = {}): Promise<Checkout | null> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    const shownId = await deps.db.tenant(clientId).transactional(async (tx) => {
      const named = await loadDebt(tx, debtId);
      return named === null || named.pageClosed ? null : rowForDebtor(named);
    });
    const debtOnPage = shownId === null ? null : await readCheckout(deps, clientId, shownId, asked);
    if (shownId === null || debtOnPage === null || debtOnPage.pageClosed) return null;
    const further = await deps.db.tenant(clientId).transactional((tx) => furtherOnPage(tx, deps, shownId));
    const checkout = { ...debtOnPage, ...further };
    // A page that confirms the payment needs no notice.
    if (noticeId === undefined || (checkout.status === 'APPROVED' && checkout.agreement === null)) return checkout;
    return { ...checkout, notice: await takeNotice(deps.db, { clientId, debtIds: [debtId, shownId], noticeId }) };
  };

/** Returns one debt with its code, without what a page shows around it; null after a wrong person was reported. */
export async function readCheckout(
  deps: PaymentDeps,
  clientId: string,
  debtId: string,
  asked: AskedOfAgreement = 'next',
): Promise<Checkout | null> {
  const readDebt = async (tx: Tx): Promise<DebtContext | null> => {
    const stored = await loadDebt(tx, debtId);
    return stored === null ? null : asPersonSees(stored);
  };
  const seen = await deps.db.tenant(clientId).transactional(readDebt);
  const agreementId = seen === null || seen.wrongPerson ? null : agreementOfDebt(seen);
  const agreement =
    agreementId === null ? null : await readAgreementOnPage(deps, { clientId, agreementId, debtId, asked });
  const code = agreementId === null ? await codeFor(deps, seen) : null;
  const found = await deps.db.tenant(clientId).transactional(async (tx) => {
    const debt = await readDebt(tx);
    if (debt === null) return null;
    const charges = await chargesOfDebt(tx, debtId);
    const hasParts = isPayable(debt.status) && charges.some(({ underpaidAt }) => underpaidAt !== null);
    const partReceipts = hasParts ? await receiptsOfParts(tx, debtId) : [];
    return { debt, charges, partReceipts, pressed: await pressedButtons(tx, debtId) };
  });
  if (found === null) throw new AppError('not_found');
  if (found.debt.wrongPerson) return null;
  const checkout = checkoutOf(deps, found, code);
  return agreement === null ? checkout : inAgreement(checkout, agreement);
}

/** The agreement says what is paid, and the debt by itself asks for nothing. */
const inAgreement = (checkout: Checkout, agreement: AgreementOnPage): Checkout => ({
  ...checkout,
  agreement,
  amountCentavos: agreement.openCentavos,
  receivedCentavos: 0,
  partReceipts: [],
  code: agreement.code,
  status: agreement.status,
});

/** Returns where the page of a debt leads to: offers, and the page of a person who has another debt to be paid. */
async function furtherOnPage(
  tx: Tx,
  deps: PageDeps,
  debtId: string,
): Promise<Pick<Checkout, 'personPageId' | 'rightsPageId' | 'hasOffers'>> {
  const debt = await loadDebt(tx, debtId);
  if (debt === null || debt.erased) return { personPageId: null, rightsPageId: null, hasOffers: false };
  const others = (await debtsOnPage(tx, debt)).filter(
    ({ id, wrongPerson, status }) => id !== debt.id && !wrongPerson && isPayable(status),
  );
  const pageId = await pageOfPerson(tx, debt);
  return {
    personPageId: others.length === 0 ? null : pageId,
    rightsPageId: pageId,
    hasOffers: isPayable(debt.status) && (await debtWithOffers(tx, deps, debt, [debt.id])) !== null,
  };
}

/**
 * Opening the page makes or renews the code. When the provider fails, the page has no code but is shown without error.
 */
async function codeFor(deps: PaymentDeps, debt: DebtContext | null): Promise<LiveCharge | 'provider' | null> {
  if (debt === null || debt.wrongPerson || !isPayable(debt.status)) return null;
  try {
    return await findOrMakeCharge(deps)({ clientId: debt.clientId, debtId: debt.id });
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return 'provider';
  }
}

function checkoutOf(
  deps: PaymentDeps,
  {
    debt,
    charges,
    partReceipts,
    pressed,
  }: {
    readonly debt: DebtContext;
    readonly charges: readonly Charge[];
    readonly partReceipts: Awaited<ReturnType<typeof receiptsOfParts>>;
    readonly pressed: readonly CheckoutButton[];
  },
  code: LiveCharge | 'provider' | null,
): Checkout {
  const payable = isPayable(debt.status);
  const live = payable && code !== null && code !== 'provider' && stillOpen(charges, code) ? code : null;
  const latest = charges.find((charge) => charge.providerPaymentId !== null);
  const owed = owedNow(deps, debt);
  return {
    debtId: debt.id,
    sandbox: debt.sandbox || deps.sandboxOnly,
    creditor: shownCreditor(debt),
    debtorName: maskName(debt.debtorName),
    invoiceId: debt.invoiceId,
    description: debt.description,
    amountCentavos: amountOf(debt, owed, live),
    charged: payable ? chargedParts(debt, owed) : null,
    receivedCentavos: payable ? owed.paid : 0,
    partReceipts: partReceipts.map(({ protocol, paidCentavos }) => ({
      url: deps.receiptLinks.downloadUrl(protocol),
      paidCentavos,
    })),
    dueDate: debt.dueDate,
    notOverdue: debt.dueDate >= owed.on,
    consent: consentOf(debt),
    status: paymentStatusOf({
      debtStatus: debt.status,
      wrongPerson: debt.wrongPerson,
      chargeStatus: latest?.status ?? null,
    }),
    code: live === null ? null : codeOnPage(deps, live),
    agreement: null,
    noted: CHECKOUT_BUTTONS.filter((button) => pressed.includes(button) || isDone(button, debt)),
    receiptUrl: debt.receiptProtocol === null ? null : deps.receiptLinks.downloadUrl(debt.receiptProtocol),
    pageClosed: debt.pageClosed,
    personPageId: null,
    rightsPageId: null,
    hasOffers: false,
    notice: null,
  };
}

function chargedParts(debt: DebtContext, owed: OwedToday): Charged | null {
  const parts = chargedOf(debt, owed);
  return parts && { parts, lines: linesOf(owed, debt.terms), clause: debt.terms?.clause ?? null };
}

/** The status that a button's request leads to. */
const DONE_BY_STATUS: Readonly<Partial<Record<CheckoutButton, DebtStatus>>> = {
  dispute: 'DISPUTED',
  'opt-out': 'OPTED_OUT',
};

/** A claim of payment stands until a payment or a person of the client's staff ends it, whatever the status is. */
const isDone = (button: CheckoutButton, { status, requests, saidPaidAt }: DebtContext): boolean =>
  button === 'said-paid' ? saidPaidAt !== null || requests.includes('said_paid') : DONE_BY_STATUS[button] === status;

function consentOf({ consentAt, consentSource, debtorPhone }: DebtContext): Checkout['consent'] {
  if (consentAt === null) return null;
  const consent = { at: consentAt, source: consentSource };
  return { date: dateOfConsent(consent, displayOffset(areaCodeOf(debtorPhone))), source: consentSource };
}

const stillOpen = (charges: readonly Charge[], { id }: LiveCharge): boolean =>
  charges.some((charge) => charge.id === id && isOpen(charge));

function amountOf(debt: DebtContext, owed: OwedToday, live: LiveCharge | null): Checkout['amountCentavos'] {
  if (debt.status === 'PAID') return paidInAll(debt, owed);
  if (!isPayable(debt.status)) return null;
  return live?.amountCentavos ?? owed.total;
}
