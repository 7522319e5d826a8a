import { askForConfirmation } from '../../modules/accounts/use-cases/ask-for-confirmation.ts';
import { authenticate } from '../../modules/accounts/use-cases/authenticate.ts';
import { changeAccount } from '../../modules/accounts/use-cases/change-account.ts';
import { changePassword } from '../../modules/accounts/use-cases/change-password.ts';
import { checkCorporateEmail } from '../../modules/accounts/use-cases/check-corporate-email.ts';
import { confirmEmail } from '../../modules/accounts/use-cases/confirm-email.ts';
import { createApiKey } from '../../modules/accounts/use-cases/create-api-key.ts';
import type { AccountDeps } from '../../modules/accounts/use-cases/deps.ts';
import { endAllSessions, endConsoleSession } from '../../modules/accounts/use-cases/end-console-session.ts';
import { endOwnSession } from '../../modules/accounts/use-cases/end-own-session.ts';
import { forgetPassword } from '../../modules/accounts/use-cases/forget-password.ts';
import { hasAccounts } from '../../modules/accounts/use-cases/has-accounts.ts';
import { createKeyUses } from '../../modules/accounts/use-cases/key-uses.ts';
import { listSessions } from '../../modules/accounts/use-cases/list-sessions.ts';
import { logIn } from '../../modules/accounts/use-cases/log-in.ts';
import { logInToConsole } from '../../modules/accounts/use-cases/log-in-to-console.ts';
import { logOut } from '../../modules/accounts/use-cases/log-out.ts';
import { readAccount } from '../../modules/accounts/use-cases/read-account.ts';
import { readAudit } from '../../modules/accounts/use-cases/read-audit.ts';
import { refreshSession } from '../../modules/accounts/use-cases/refresh-session.ts';
import { renewConsoleToken } from '../../modules/accounts/use-cases/renew-console-token.ts';
import { resetPassword } from '../../modules/accounts/use-cases/reset-password.ts';
import { revokeApiKey } from '../../modules/accounts/use-cases/revoke-api-key.ts';
import { beginIdentitySignIn, finishIdentitySignIn } from '../../modules/accounts/use-cases/sign-in-by-identity.ts';
import { signUp } from '../../modules/accounts/use-cases/sign-up.ts';
import { createExample } from '../../modules/campaigns/import/create-example.ts';
import { importCsv } from '../../modules/campaigns/import/import-csv.ts';
import { importDebts } from '../../modules/campaigns/import/import-debts.ts';
import { importFile } from '../../modules/campaigns/import/import-file.ts';
import { importJson } from '../../modules/campaigns/import/import-json.ts';
import type { SpreadsheetReader } from '../../modules/campaigns/ports/spreadsheet-reader.ts';
import { changeCampaign } from '../../modules/campaigns/use-cases/change-campaign.ts';
import { changeSettings } from '../../modules/campaigns/use-cases/change-settings.ts';
import { previewWording } from '../../modules/campaigns/use-cases/check-wording.ts';
import { createCampaign } from '../../modules/campaigns/use-cases/create-campaign.ts';
import { deleteDraftDebts } from '../../modules/campaigns/use-cases/delete-draft-debts.ts';
import { launchCampaign } from '../../modules/campaigns/use-cases/launch-campaign.ts';
import { listCampaigns } from '../../modules/campaigns/use-cases/list-campaigns.ts';
import { changeText, readTexts } from '../../modules/campaigns/use-cases/message-texts.ts';
import { changeOwnRules, readOwnRules } from '../../modules/campaigns/use-cases/own-rules.ts';
import { readCampaign } from '../../modules/campaigns/use-cases/read-campaign.ts';
import { readDashboard } from '../../modules/campaigns/use-cases/read-dashboard.ts';
import { readStatistics } from '../../modules/campaigns/use-cases/read-statistics.ts';
import { type RehearsalDeps, rehearseCampaign } from '../../modules/campaigns/use-cases/rehearse-campaign.ts';
import { requireOpeningsOfCollector } from '../../modules/campaigns/use-cases/require-openings.ts';
import { moveSandboxClock, readSandboxClock } from '../../modules/campaigns/use-cases/sandbox-clock.ts';
import { writeToDebtor } from '../../modules/collection/contact/write-to-debtor.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { checkEligibility } from '../../modules/collection/gate/check-eligibility.ts';
import { resumeDebt, withdrawDebt } from '../../modules/collection/staff/change-debt.ts';
import { changeDebts } from '../../modules/collection/staff/change-debts.ts';
import { correctDebt } from '../../modules/collection/staff/correct-debt.ts';
import { handBack } from '../../modules/collection/staff/hand-back.ts';
import { readAttachment } from '../../modules/collection/staff/read-attachment.ts';
import { exportDebts } from '../../modules/debts/use-cases/export-debts.ts';
import { listDebts } from '../../modules/debts/use-cases/list-debts.ts';
import { listInbox } from '../../modules/debts/use-cases/list-inbox.ts';
import { readDebt, readDebtState, readTimeline } from '../../modules/debts/use-cases/read-debt.ts';
import { searchDebts } from '../../modules/debts/use-cases/search-debts.ts';
import { snoozeDebt } from '../../modules/debts/use-cases/snooze-debt.ts';
import { writeNote } from '../../modules/debts/use-cases/write-note.ts';
import { redeliverEvent, testWebhook } from '../../modules/events/use-cases/ask-for-delivery.ts';
import { changeWebhook } from '../../modules/events/use-cases/change-webhook.ts';
import { createWebhook } from '../../modules/events/use-cases/create-webhook.ts';
import { deleteWebhook } from '../../modules/events/use-cases/delete-webhook.ts';
import type { EventDeps } from '../../modules/events/use-cases/deps.ts';
import { listDeliveries } from '../../modules/events/use-cases/list-deliveries.ts';
import { listEvents } from '../../modules/events/use-cases/list-events.ts';
import { listWebhooks, readWebhook } from '../../modules/events/use-cases/read-webhooks.ts';
import { answerSubscription, type SubscriptionDeps } from '../../modules/messaging/use-cases/answer-subscription.ts';
import type { ChannelEventDeps } from '../../modules/messaging/use-cases/channel-event-deps.ts';
import { readChannels } from '../../modules/messaging/use-cases/read-channels.ts';
import { readSandboxMails } from '../../modules/messaging/use-cases/read-sandbox-mails.ts';
import { readSandboxOutbox } from '../../modules/messaging/use-cases/read-sandbox-outbox.ts';
import { checkChannelHead, receiveChannelEvents } from '../../modules/messaging/use-cases/receive-channel-events.ts';
import { sendSandboxMessage } from '../../modules/messaging/use-cases/send-sandbox-message.ts';
import { type UnsubscribeDeps, unsubscribe } from '../../modules/messaging/use-cases/unsubscribe.ts';
import { checkoutStatus } from '../../modules/payments/use-cases/checkout-status.ts';
import { openCheckout } from '../../modules/payments/use-cases/open-checkout.ts';
import { openPersonPage } from '../../modules/payments/use-cases/open-person-page.ts';
import { payAsClient } from '../../modules/payments/use-cases/pay-as-client.ts';
import { payOnPage } from '../../modules/payments/use-cases/pay-on-page.ts';
import { pressButton, readButtonPage } from '../../modules/payments/use-cases/press-button.ts';
import { readPayment } from '../../modules/payments/use-cases/read-payment.ts';
import { exportSettlements, readSettlements } from '../../modules/payments/use-cases/read-settlements.ts';
import { recordNotification } from '../../modules/payments/use-cases/record-notification.ts';
import { recordOutsidePayment } from '../../modules/payments/use-cases/record-outside-payment.ts';
import { readPolicy } from '../../modules/policy/use-cases/read-policy.ts';
import { archiveReceipts } from '../../modules/receipts/use-cases/archive-receipts.ts';
import type { ReceiptDeps } from '../../modules/receipts/use-cases/deps.ts';
import { downloadReceipt } from '../../modules/receipts/use-cases/download-receipt.ts';
import { listReceipts, searchReceipts } from '../../modules/receipts/use-cases/list-receipts.ts';
import { regenerateReceipts } from '../../modules/receipts/use-cases/regenerate-receipts.ts';
import { requestReceipt } from '../../modules/receipts/use-cases/request-receipt.ts';
import { verifyReceipt } from '../../modules/receipts/use-cases/verify-receipt.ts';
import { answerOnce } from '../../platform/shared/answer-once.ts';

export interface ApiDeps {
  readonly accounts: AccountDeps;
  readonly collection: CollectionDeps;
  readonly rehearsing: Pick<RehearsalDeps, 'rehearsals' | 'prices'>;
  readonly renderer: ReceiptDeps['renderer'];
  readonly channels: ChannelEventDeps & UnsubscribeDeps & SubscriptionDeps;
  readonly spreadsheets: Pick<SpreadsheetReader, 'read'>;
  readonly events: EventDeps;
}

/** The use cases that a request of the API may call. */
export const createApiServices = ({
  accounts,
  collection,
  rehearsing,
  renderer,
  channels,
  spreadsheets,
  events,
}: ApiDeps) => {
  const { payments } = collection;
  const receipts = { ...collection, renderer };
  const runImport = importDebts(collection);
  const keyUses = createKeyUses(accounts.db);
  return {
    answerOnce: answerOnce({ db: accounts.db, cipher: events.cipher }),
    askForConfirmation: askForConfirmation(accounts),
    answerSubscription: answerSubscription(channels),
    authenticate: authenticate({ ...accounts, keyUses }),
    beginIdentitySignIn: beginIdentitySignIn(accounts),
    changeAccount: changeAccount({ ...accounts, requireOpeningsOfCollector: requireOpeningsOfCollector(collection) }),
    changeCampaign: changeCampaign(collection),
    changeDebts: changeDebts(collection),
    changeOwnRules: changeOwnRules(collection),
    changeSettings: changeSettings(collection),
    changeText: changeText(collection),
    changePassword: changePassword(accounts),
    changeWebhook: changeWebhook(events),
    checkCorporateEmail: checkCorporateEmail(accounts),
    checkEligibility: checkEligibility(collection),
    checkoutStatus: checkoutStatus(payments),
    confirmEmail: confirmEmail(accounts),
    correctDebt: correctDebt(collection),
    createApiKey: createApiKey(accounts),
    createCampaign: createCampaign(collection),
    createExample: createExample(collection, runImport),
    deleteDraftDebts: deleteDraftDebts(collection),
    createWebhook: createWebhook(events),
    deleteWebhook: deleteWebhook(events),
    archiveReceipts: archiveReceipts(receipts),
    downloadReceipt: downloadReceipt(receipts),
    endAllSessions: endAllSessions(accounts),
    endConsoleSession: endConsoleSession(accounts),
    endOwnSession: endOwnSession(accounts),
    exportDebts: exportDebts(collection),
    exportSettlements: exportSettlements(payments),
    finishIdentitySignIn: finishIdentitySignIn(accounts),
    forgetPassword: forgetPassword(accounts),
    handBack: handBack(collection),
    hasAccounts: hasAccounts(accounts),
    importCsv: importCsv(runImport, spreadsheets),
    importFile: importFile(runImport, spreadsheets),
    importJson: importJson(runImport),
    launchCampaign: launchCampaign(collection),
    listCampaigns: listCampaigns(collection),
    listDebts: listDebts(collection),
    listDeliveries: listDeliveries(events),
    listEvents: listEvents(events),
    listInbox: listInbox(collection),
    listWebhooks: listWebhooks(events),
    listReceipts: listReceipts(receipts),
    listSessions: listSessions(accounts),
    logIn: logIn(accounts),
    logInToConsole: logInToConsole(accounts),
    logOut: logOut(accounts),
    moveSandboxClock: moveSandboxClock(collection),
    openCheckout: openCheckout(payments),
    openPersonPage: openPersonPage(payments),
    payInSandbox: payAsClient(payments),
    payOnPage: payOnPage(payments),
    previewWording: previewWording(collection),
    pressButton: pressButton(payments),
    readButtonPage: readButtonPage(payments),
    readAccount: readAccount(accounts),
    readAttachment: readAttachment(channels),
    readAudit: readAudit(accounts),
    readCampaign: readCampaign(collection),
    readChannels: readChannels(collection),
    readDashboard: readDashboard(collection),
    readDebt: readDebt(collection),
    readDebtState: readDebtState(collection),
    readTimeline: readTimeline(collection),
    readOwnRules: readOwnRules(collection),
    readTexts: readTexts(collection),
    readPolicy: readPolicy(collection),
    readPayment: readPayment(payments),
    readSandboxClock: readSandboxClock(collection),
    readSandboxMails: readSandboxMails(collection),
    readSandboxOutbox: readSandboxOutbox(collection),
    readSettlements: readSettlements(payments),
    readStatistics: readStatistics(collection),
    readWebhook: readWebhook(events),
    checkChannelHead: checkChannelHead(channels),
    receiveChannelEvents: receiveChannelEvents(channels),
    recordNotification: recordNotification(payments),
    redeliverEvent: redeliverEvent(events),
    refreshSession: refreshSession(accounts),
    regenerateReceipts: regenerateReceipts(receipts),
    rehearseCampaign: rehearseCampaign({ ...collection, ...rehearsing }),
    renewConsoleToken: renewConsoleToken(accounts),
    requestReceipt: requestReceipt(receipts),
    resetPassword: resetPassword(accounts),
    resumeDebt: resumeDebt(collection),
    revokeApiKey: revokeApiKey(accounts),
    searchDebts: searchDebts(collection),
    searchReceipts: searchReceipts(receipts),
    sendSandboxMessage: sendSandboxMessage(collection),
    settleDebt: recordOutsidePayment(payments),
    signUp: signUp(accounts),
    snoozeDebt: snoozeDebt(collection),
    storeKeyUses: keyUses.store,
    testWebhook: testWebhook(events),
    unsubscribe: unsubscribe(channels),
    verifyReceipt: verifyReceipt(receipts),
    withdrawDebt: withdrawDebt(collection),
    writeNote: writeNote(collection),
    writeToDebtor: writeToDebtor(collection),
  };
};

export type ApiServices = ReturnType<typeof createApiServices>;

declare module '../../platform/http/deps.ts' {
  interface Services extends ApiServices {}
}
