import type { SpreadsheetReader } from '../ports/spreadsheet-reader.ts';
import { askForConfirmation } from './accounts/ask-for-confirmation.ts';
import { authenticate } from './accounts/authenticate.ts';
import { changeAccount } from './accounts/change-account.ts';
import { changePassword } from './accounts/change-password.ts';
import { checkCorporateEmail } from './accounts/check-corporate-email.ts';
import { confirmEmail } from './accounts/confirm-email.ts';
import { createApiKey } from './accounts/create-api-key.ts';
import type { AccountDeps } from './accounts/deps.ts';
import { endAllSessions, endConsoleSession } from './accounts/end-console-session.ts';
import { endOwnSession } from './accounts/end-own-session.ts';
import { forgetPassword } from './accounts/forget-password.ts';
import { hasAccounts } from './accounts/has-accounts.ts';
import { createKeyUses } from './accounts/key-uses.ts';
import { listSessions } from './accounts/list-sessions.ts';
import { logIn } from './accounts/log-in.ts';
import { logInToConsole } from './accounts/log-in-to-console.ts';
import { logOut } from './accounts/log-out.ts';
import { readAccount } from './accounts/read-account.ts';
import { readAudit } from './accounts/read-audit.ts';
import { refreshSession } from './accounts/refresh-session.ts';
import { renewConsoleToken } from './accounts/renew-console-token.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { revokeApiKey } from './accounts/revoke-api-key.ts';
import { beginIdentitySignIn, finishIdentitySignIn } from './accounts/sign-in-by-identity.ts';
import { signUp } from './accounts/sign-up.ts';
import { changeCampaign } from './campaigns/change-campaign.ts';
import { changeSettings } from './campaigns/change-settings.ts';
import { previewWording } from './campaigns/check-wording.ts';
import { createCampaign } from './campaigns/create-campaign.ts';
import { deleteDraftDebts } from './campaigns/delete-draft-debts.ts';
import { launchCampaign } from './campaigns/launch-campaign.ts';
import { listCampaigns } from './campaigns/list-campaigns.ts';
import { changeText, readTexts } from './campaigns/message-texts.ts';
import { changeOwnRules, readOwnRules } from './campaigns/own-rules.ts';
import { readCampaign } from './campaigns/read-campaign.ts';
import { readDashboard } from './campaigns/read-dashboard.ts';
import { readStatistics } from './campaigns/read-statistics.ts';
import { type RehearsalDeps, rehearseCampaign } from './campaigns/rehearse-campaign.ts';
import { requireOpeningsOfCollector } from './campaigns/require-openings.ts';
import { moveSandboxClock, readSandboxClock } from './campaigns/sandbox-clock.ts';
import { resumeDebt, withdrawDebt } from './collection/change-debt.ts';
import { changeDebts } from './collection/change-debts.ts';
import { checkEligibility } from './collection/check-eligibility.ts';
import { correctDebt } from './collection/correct-debt.ts';
import type { CollectionDeps } from './collection/deps.ts';
import { handBack } from './collection/hand-back.ts';
import { readPolicy } from './collection/read-policy.ts';
import { writeToDebtor } from './collection/write-to-debtor.ts';
import { exportDebts } from './debts/export-debts.ts';
import { listDebts } from './debts/list-debts.ts';
import { listInbox } from './debts/list-inbox.ts';
import { readAttachment } from './debts/read-attachment.ts';
import { readDebt, readDebtState, readTimeline } from './debts/read-debt.ts';
import { searchDebts } from './debts/search-debts.ts';
import { snoozeDebt } from './debts/snooze-debt.ts';
import { writeNote } from './debts/write-note.ts';
import { redeliverEvent, testWebhook } from './events/ask-for-delivery.ts';
import { changeWebhook } from './events/change-webhook.ts';
import { createWebhook } from './events/create-webhook.ts';
import { deleteWebhook } from './events/delete-webhook.ts';
import type { EventDeps } from './events/deps.ts';
import { listDeliveries } from './events/list-deliveries.ts';
import { listEvents } from './events/list-events.ts';
import { listWebhooks, readWebhook } from './events/read-webhooks.ts';
import { createExample } from './import/create-example.ts';
import { importCsv } from './import/import-csv.ts';
import { importDebts } from './import/import-debts.ts';
import { importFile } from './import/import-file.ts';
import { importJson } from './import/import-json.ts';
import { answerSubscription, type SubscriptionDeps } from './messaging/answer-subscription.ts';
import type { ChannelEventDeps } from './messaging/channel-event-deps.ts';
import { readChannels } from './messaging/read-channels.ts';
import { readSandboxMails } from './messaging/read-sandbox-mails.ts';
import { readSandboxOutbox } from './messaging/read-sandbox-outbox.ts';
import { checkChannelHead, receiveChannelEvents } from './messaging/receive-channel-events.ts';
import { sendSandboxMessage } from './messaging/send-sandbox-message.ts';
import { type UnsubscribeDeps, unsubscribe } from './messaging/unsubscribe.ts';
import { checkoutStatus } from './payments/checkout-status.ts';
import { openCheckout } from './payments/open-checkout.ts';
import { openPersonPage } from './payments/open-person-page.ts';
import { payAsClient } from './payments/pay-as-client.ts';
import { payOnPage } from './payments/pay-on-page.ts';
import { pressButton, readButtonPage } from './payments/press-button.ts';
import { readPayment } from './payments/read-payment.ts';
import { exportSettlements, readSettlements } from './payments/read-settlements.ts';
import { recordNotification } from './payments/record-notification.ts';
import { recordOutsidePayment } from './payments/record-outside-payment.ts';
import { archiveReceipts } from './receipts/archive-receipts.ts';
import type { ReceiptDeps } from './receipts/deps.ts';
import { downloadReceipt } from './receipts/download-receipt.ts';
import { listReceipts, searchReceipts } from './receipts/list-receipts.ts';
import { regenerateReceipts } from './receipts/regenerate-receipts.ts';
import { requestReceipt } from './receipts/request-receipt.ts';
import { verifyReceipt } from './receipts/verify-receipt.ts';
import { answerOnce } from './shared/answer-once.ts';

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
