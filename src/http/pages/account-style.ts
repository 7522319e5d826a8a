/** The style of the pages that links in account mails open. */
export const ACCOUNT_STYLE_PATH = '/assets/account.css';
