/** Of the pages that links in mails about an account open. */
export const ACCOUNT_STYLE_PATH = '/assets/account.css';
