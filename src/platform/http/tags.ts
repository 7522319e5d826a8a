/** Describes the operations of each tag in the reference. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'Payment accounts': 'The accounts at which you receive money, and money that came to them without a charge.',
  Agreements: 'What you offer to debtors who cannot pay all at once, within your own policy.',
  Audit: 'What was done in a client’s account, by whom and from where.',
  Authentication: 'Sessions of a client: log in, refresh, log out, and a new password.',
  Campaigns: 'Debts that a client collects together: draft, launch, pause and figures.',
  Channels: 'The senders by which a client reaches people: WhatsApp, SMS and e-mail.',
  Checkout: 'The debtor’s own page and its buttons. They are public: the link of a debt is enough to open its page.',
  Console: 'What the console in the browser needs: its session, which a cookie keeps, and facts about this service.',
  Debts: 'The debts of a campaign, what happened to each of them, and what the client decides.',
  Discovery: 'This reference, and the pages that explain each error code.',
  Events: 'What has changed, to read in order or to have posted to your own systems.',
  Health: 'For the operator of the service: liveness, readiness and metrics.',
  Import: 'Import debts into a draft, as JSON or as a spreadsheet.',
  Members: 'Who works for a client, in which role.',
  Messaging: 'What the channels of debtors post to the service: messages, delivery states, and news of senders.',
  Onboarding: 'A company signs up, keeps its account and takes an API key.',
  Operators:
    'For those who operate the deployment: its clients and their state, and what fails or waits. Nothing of a debtor.',
  Payments: 'The payment of a debt, and the notifications of the payment provider.',
  Terms: 'What you charge for late payment, within the limits of the law.',
  Privacy: 'How long conversations are kept, and the erasure of a person.',
  Policy: 'The rules by which debtors are contacted, each with its source.',
  Receipts: 'Settlement receipts (Termo de Quitação): issue, generate again, download, verify.',
  Rights:
    'The debtor’s page of rights (LGPD): what is held of them and what they ask for, and the answers of your staff.',
  Sandbox: 'Simulate the debtor and the bank of a sandbox debt, and see the messages that would have been sent.',
};
