import type { CollectionDeps } from '../collection/deps.ts';
import { createExample } from './import/create-example.ts';
import { importCsv } from './import/import-csv.ts';
import { importDebts } from './import/import-debts.ts';
import { importFile } from './import/import-file.ts';
import { importJson } from './import/import-json.ts';
import type { ReplayRunner } from './ports/replay-runner.ts';
import type { SpreadsheetReader } from './ports/spreadsheet-reader.ts';
import { readCampaign } from './use-cases/campaign-view.ts';
import { changeCampaign } from './use-cases/change-campaign.ts';
import { changeSettings } from './use-cases/change-settings.ts';
import { previewWording } from './use-cases/check-wording.ts';
import { createCampaign } from './use-cases/create-campaign.ts';
import { deleteDraftDebts } from './use-cases/delete-draft-debts.ts';
import { launchCampaign } from './use-cases/launch-campaign.ts';
import { listCampaigns } from './use-cases/list-campaigns.ts';
import { changeText, readTexts } from './use-cases/message-texts.ts';
import { changeOwnRules, readOwnRules } from './use-cases/own-rules.ts';
import { readDashboard } from './use-cases/read-dashboard.ts';
import { readStatistics } from './use-cases/read-statistics.ts';
import { type RehearsalDeps, rehearseCampaign } from './use-cases/rehearse-campaign.ts';
import { replayPolicy } from './use-cases/replay-policy.ts';
import { moveSandboxClock, readSandboxClock } from './use-cases/sandbox-clock.ts';

/** The use cases of campaigns that a request of the API may call. */
export const createCampaignsServices = (
  deps: CollectionDeps & RehearsalDeps & { readonly replays: ReplayRunner },
  spreadsheets: Pick<SpreadsheetReader, 'read'>,
) => {
  const runImport = importDebts(deps);
  return {
    changeCampaign: changeCampaign(deps),
    changeOwnRules: changeOwnRules(deps),
    changeSettings: changeSettings(deps),
    changeText: changeText(deps),
    createCampaign: createCampaign(deps),
    createExample: createExample(deps, runImport),
    deleteDraftDebts: deleteDraftDebts(deps),
    importCsv: importCsv(runImport, spreadsheets),
    importFile: importFile(runImport, spreadsheets),
    importJson: importJson(runImport),
    launchCampaign: launchCampaign(deps),
    listCampaigns: listCampaigns(deps),
    moveSandboxClock: moveSandboxClock(deps),
    previewWording: previewWording(deps),
    readCampaign: readCampaign(deps),
    readDashboard: readDashboard(deps),
    readOwnRules: readOwnRules(deps),
    readTexts: readTexts(deps),
    readSandboxClock: readSandboxClock(deps),
    readStatistics: readStatistics(deps),
    rehearseCampaign: rehearseCampaign(deps),
    replayPolicy: replayPolicy(deps),
  };
};
