/** Every new account begins with this plan and a trial of so many days. */
export const PLAN = 'GROWTH';
export const TRIAL_DAYS = 14;
