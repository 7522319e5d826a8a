/** What the operations of a tag are for, in the reference. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Audit: 'What was done in a client’s account, by whom and from where.',
  Authentication: 'Sessions of a client: log in, refresh, log out, and a new password.',
  Campaigns: 'What a client collects together: draft, launch, pause, and the figures of it.',
  Checkout: 'The debtor’s own page and its buttons. Public: whoever has the link of a debt may open it.',
  Debts: 'The debts of a campaign, what happened to each of them, and what the client decides.',
  Discovery: 'This reference, and the pages that explain each problem.',
  Health: 'For whoever operates the service: is it alive, is it ready, how is it doing.',
  Import: 'Debts come into a draft, as JSON or as a spreadsheet.',
  Onboarding: 'A company signs up, keeps its account and takes an API key.',
  Payments: 'What became of a debt’s payment, and the notifications of the payment provider.',
  Receipts: 'Settlement receipts (Termo de Quitação): issue, draw again, download, verify.',
  Sandbox: 'Play the debtor and the bank of a sandbox debt, and see what would have been sent.',
};
