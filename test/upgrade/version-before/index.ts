/**
 * The two workflows that collect debts as they were in commit 901621f, with only their import paths changed and without
 * what other workflows used. A test starts them, and the present version takes the open runs over.
 */
export { collectDebt } from './collect-debt.ts';
export { runCampaign } from './run-campaign.ts';
