import { askForConfirmation } from './accounts/ask-for-confirmation.ts';
import { authenticate } from './accounts/authenticate.ts';
import { changeAccount } from './accounts/change-account.ts';
import { changePassword } from './accounts/change-password.ts';
import { checkCorporateEmail } from './accounts/check-corporate-email.ts';
import { confirmEmail } from './accounts/confirm-email.ts';
import { createApiKey } from './accounts/create-api-key.ts';
import { forgetPassword } from './accounts/forget-password.ts';
import { createKeyUses } from './accounts/key-uses.ts';
import { logIn } from './accounts/log-in.ts';
import { logOut } from './accounts/log-out.ts';
import { readAccount } from './accounts/read-account.ts';
import { readAudit } from './accounts/read-audit.ts';
import { refreshSession } from './accounts/refresh-session.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { revokeApiKey } from './accounts/revoke-api-key.ts';
import { signUp } from './accounts/sign-up.ts';
import { createCampaign } from './campaigns/create-campaign.ts';
import { listCampaigns } from './campaigns/list-campaigns.ts';
import { readCampaign } from './campaigns/read-campaign.ts';
import { readDashboard } from './campaigns/read-dashboard.ts';
import { readStatistics } from './campaigns/read-statistics.ts';
import { createCollectionRequests } from './collection/requests.ts';
import { listDebts } from './debts/list-debts.ts';
import { readDebt } from './debts/read-debt.ts';
import type { ServiceDeps } from './deps.ts';
import { importCsv } from './import/import-csv.ts';
import { importDebts } from './import/import-debts.ts';
import { importJson } from './import/import-json.ts';
import { checkoutStatus } from './payments/checkout-status.ts';
import { openCheckout } from './payments/open-checkout.ts';
import { payAsClient } from './payments/pay-as-client.ts';
import { payOnPage } from './payments/pay-on-page.ts';
import { pressButton } from './payments/press-button.ts';
import { readPayment } from './payments/read-payment.ts';
import { recordNotification } from './payments/record-notification.ts';
import { createReceiptRequests } from './receipts/index.ts';

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
