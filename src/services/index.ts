import { askForConfirmation } from './ask-for-confirmation.ts';
import { authenticate } from './authenticate.ts';
import { changeAccount } from './change-account.ts';
import { changePassword } from './change-password.ts';
import { checkCorporateEmail } from './check-corporate-email.ts';
import { createCollectionRequests } from './collection/requests.ts';
import { confirmEmail } from './confirm-email.ts';
import { createApiKey } from './create-api-key.ts';
import { createCampaign } from './create-campaign.ts';
import type { ServiceDeps } from './deps.ts';
import { forgetPassword } from './forget-password.ts';
import { importCsv } from './import/import-csv.ts';
import { importDebts } from './import/import-debts.ts';
import { importJson } from './import/import-json.ts';
import { createKeyUses } from './key-uses.ts';
import { listCampaigns } from './list-campaigns.ts';
import { listDebts } from './list-debts.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { checkoutStatus } from './payments/checkout-status.ts';
import { openCheckout } from './payments/open-checkout.ts';
import { payAsClient } from './payments/pay-as-client.ts';
import { payOnPage } from './payments/pay-on-page.ts';
import { pressButton } from './payments/press-button.ts';
import { readPayment } from './payments/read-payment.ts';
import { recordNotification } from './payments/record-notification.ts';
import { readAccount } from './read-account.ts';
import { readAudit } from './read-audit.ts';
import { readCampaign } from './read-campaign.ts';
import { readDashboard } from './read-dashboard.ts';
import { readDebt } from './read-debt.ts';
import { readStatistics } from './read-statistics.ts';
import { createReceiptRequests } from './receipts/index.ts';
import { refreshSession } from './refresh-session.ts';
import { resetPassword } from './reset-password.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { signUp } from './sign-up.ts';

/** The use cases that API requests can call, one per line. */
export const createServices = (deps: ServiceDeps) => {
  const runImport = importDebts(deps);
  const keyUses = createKeyUses(deps.db);
  return {
    askForConfirmation: askForConfirmation(deps),
    authenticate: authenticate({ ...deps, keyUses }),
    changeAccount: changeAccount(deps),
    changePassword: changePassword(deps),
    checkCorporateEmail: checkCorporateEmail(deps),
    checkoutStatus: checkoutStatus(deps.collection.payments),
    confirmEmail: confirmEmail(deps),
    createApiKey: createApiKey(deps),
    createCampaign: createCampaign(deps),
    forgetPassword: forgetPassword(deps),
    importCsv: importCsv(runImport),
    importJson: importJson(runImport),
    listCampaigns: listCampaigns(deps),
    listDebts: listDebts(deps),
    logIn: logIn(deps),
    logOut: logOut(deps),
    openCheckout: openCheckout(deps.collection.payments),
    payInSandbox: payAsClient(deps.collection.payments),
    payOnPage: payOnPage(deps.collection.payments),
    pressButton: pressButton(deps.collection.payments),
    readAccount: readAccount(deps),
    readAudit: readAudit(deps),
    readCampaign: readCampaign(deps),
    readDashboard: readDashboard(deps),
    readDebt: readDebt(deps),
    readPayment: readPayment(deps.collection.payments),
    readStatistics: readStatistics(deps),
    recordNotification: recordNotification(deps.collection.payments),
    refreshSession: refreshSession(deps),
    resetPassword: resetPassword(deps),
    revokeApiKey: revokeApiKey(deps),
    signUp: signUp(deps),
    storeKeyUses: keyUses.store,
    ...createCollectionRequests(deps.collection),
    ...createReceiptRequests({ ...deps.collection, renderer: deps.renderer }),
  };
};

export type Services = ReturnType<typeof createServices>;
