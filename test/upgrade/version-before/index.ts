/**
 * The two workflows that collect debts as they were at the first release, with only their import paths changed and
 * without what other workflows use. A test starts them, and the present version takes the open runs over.
 *
 * The rows are those of a deployment of the development, which its migrations had brought to the schema of the release.
 * To record another version: copy these files from `workflows` at its commit, and replace `rows.json` by the rows of a
 * database that it has filled (`to_jsonb` of every row, table by table), with the moment of the recording.
 */
export { collectDebt } from './collect-debt.ts';
export { runCampaign } from './run-campaign.ts';
