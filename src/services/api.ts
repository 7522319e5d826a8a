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
import { changeCampaign } from './campaigns/change-campaign.ts';
import { createCampaign } from './campaigns/create-campaign.ts';
import { launchCampaign } from './campaigns/launch-campaign.ts';
import { listCampaigns } from './campaigns/list-campaigns.ts';
import { readCampaign } from './campaigns/read-campaign.ts';
import { readDashboard } from './campaigns/read-dashboard.ts';
import { readStatistics } from './campaigns/read-statistics.ts';
import { resumeDebt, withdrawDebt } from './collection/change-debt.ts';
import { checkEligibility } from './collection/check-eligibility.ts';
import { listDebts } from './debts/list-debts.ts';
import { readDebt } from './debts/read-debt.ts';
import type { ServiceDeps } from './deps.ts';
import { importCsv } from './import/import-csv.ts';
import { importDebts } from './import/import-debts.ts';
import { importJson } from './import/import-json.ts';
import { readSandboxOutbox } from './messaging/read-sandbox-outbox.ts';
import { sendSandboxMessage } from './messaging/send-sandbox-message.ts';
import { checkoutStatus } from './payments/checkout-status.ts';
import { openCheckout } from './payments/open-checkout.ts';
import { payAsClient } from './payments/pay-as-client.ts';
import { payOnPage } from './payments/pay-on-page.ts';
import { pressButton } from './payments/press-button.ts';
import { readPayment } from './payments/read-payment.ts';
import { recordNotification } from './payments/record-notification.ts';
import { downloadReceipt, verifyReceipt } from './receipts/read-receipt.ts';
import { regenerateReceipts } from './receipts/regenerate-receipts.ts';
import { requestReceipt } from './receipts/request-receipt.ts';

/** The use cases that a request of the API may call. */
export const createApiServices = (deps: ServiceDeps) => {
  const { collection } = deps;
  const { payments } = collection;
  const receipts = { ...collection, renderer: deps.renderer };
  const runImport = importDebts(deps);
  const keyUses = createKeyUses(deps.db);
  return {
    askForConfirmation: askForConfirmation(deps),
    authenticate: authenticate({ ...deps, keyUses }),
    changeAccount: changeAccount(deps),
    changeCampaign: changeCampaign(collection),
    changePassword: changePassword(deps),
    checkCorporateEmail: checkCorporateEmail(deps),
    checkEligibility: checkEligibility(collection),
    checkoutStatus: checkoutStatus(payments),
    confirmEmail: confirmEmail(deps),
    createApiKey: createApiKey(deps),
    createCampaign: createCampaign(deps),
    downloadReceipt: downloadReceipt(receipts),
    forgetPassword: forgetPassword(deps),
    importCsv: importCsv(runImport),
    importJson: importJson(runImport),
    launchCampaign: launchCampaign(collection),
    listCampaigns: listCampaigns(deps),
    listDebts: listDebts(deps),
    logIn: logIn(deps),
    logOut: logOut(deps),
    openCheckout: openCheckout(payments),
    payInSandbox: payAsClient(payments),
    payOnPage: payOnPage(payments),
    pressButton: pressButton(payments),
    readAccount: readAccount(deps),
    readAudit: readAudit(deps),
    readCampaign: readCampaign(deps),
    readDashboard: readDashboard(deps),
    readDebt: readDebt(deps),
    readPayment: readPayment(payments),
    readSandboxOutbox: readSandboxOutbox(collection),
    readStatistics: readStatistics(deps),
    recordNotification: recordNotification(payments),
    refreshSession: refreshSession(deps),
    regenerateReceipts: regenerateReceipts(receipts),
    requestReceipt: requestReceipt(receipts),
    resetPassword: resetPassword(deps),
    resumeDebt: resumeDebt(collection),
    revokeApiKey: revokeApiKey(deps),
    sendSandboxMessage: sendSandboxMessage(collection),
    signUp: signUp(deps),
    storeKeyUses: keyUses.store,
    verifyReceipt: verifyReceipt(receipts),
    withdrawDebt: withdrawDebt(collection),
  };
};

export type ApiServices = ReturnType<typeof createApiServices>;
