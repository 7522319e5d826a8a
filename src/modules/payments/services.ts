import { askRefund } from './use-cases/ask-refund.ts';
import { assignReceived, dismissReceived } from './use-cases/assign-received.ts';
import { cancelAgreement } from './use-cases/cancel-agreement.ts';
import { checkoutStatuses } from './use-cases/checkout-status.ts';
import { connectAccount } from './use-cases/connect-account.ts';
import { listPaymentAccounts } from './use-cases/list-payment-accounts.ts';
import { moveOnPage } from './use-cases/move-on-page.ts';
import { acceptOnPage, openOffersPage, readOfferOnPage } from './use-cases/offers-on-page.ts';
import { openCheckout, type PageDeps } from './use-cases/open-checkout.ts';
import { openPersonPage } from './use-cases/open-person-page.ts';
import { payInSandbox } from './use-cases/pay-in-sandbox.ts';
import { payOnPage } from './use-cases/pay-on-page.ts';
import { pressButton, readButtonPage } from './use-cases/press-button.ts';
import { readDebtPayments } from './use-cases/read-debt-payments.ts';
import { readPayment } from './use-cases/read-payment.ts';
import { exportSettlements, readSettlements } from './use-cases/read-settlements.ts';
import { recordNotification } from './use-cases/record-notification.ts';
import { recordPixNotification } from './use-cases/record-pix-notification.ts';
import { settleDebt } from './use-cases/settle-debt.ts';
import { undoSettlement } from './use-cases/undo-settlement.ts';

/** The use cases of payments that a request of the API may call. */
export const createPaymentsServices = (deps: PageDeps) => ({
  acceptOnPage: acceptOnPage(deps),
  askRefund: askRefund(deps),
  assignReceived: assignReceived(deps),
  cancelAgreement: cancelAgreement(deps),
  ...checkoutStatuses(deps),
  connectPaymentAccount: connectAccount(deps),
  dismissReceived: dismissReceived(deps),
  exportSettlements: exportSettlements(deps),
  listPaymentAccounts: listPaymentAccounts(deps),
  moveOnPage: moveOnPage(deps),
  openCheckout: openCheckout(deps),
  openOffersPage: openOffersPage(deps),
  openPersonPage: openPersonPage(deps),
  payInSandbox: payInSandbox(deps),
  payOnPage: payOnPage(deps),
  pressButton: pressButton(deps),
  readButtonPage: readButtonPage(deps),
  readOfferOnPage: readOfferOnPage(deps),
  readDebtPayments: readDebtPayments(deps),
  readPayment: readPayment(deps),
  readSettlements: readSettlements(deps),
  recordNotification: recordNotification(deps),
  recordPixNotification: recordPixNotification(deps),
  settleDebt: settleDebt(deps),
  undoSettlement: undoSettlement(deps),
});
