import { answerRightsRequest } from './use-cases/answer-request.ts';
import { askForRight } from './use-cases/ask.ts';
import type { RightsDeps } from './use-cases/deps.ts';
import { drawRightsCopy } from './use-cases/draw-copy.ts';
import { listRightsRequests, readRightsFile } from './use-cases/list-requests.ts';
import { openRightsPage, readRightsFront } from './use-cases/open-page.ts';
import { preferContacts } from './use-cases/prefer.ts';
import { readRights, readRightsCopy } from './use-cases/read-rights.ts';
import { askForSilence, sayNotMine } from './use-cases/stop-contacts.ts';

/** The use cases of rights that a request of the API may call. */
export const createRightsServices = (deps: RightsDeps) => ({
  answerRightsRequest: answerRightsRequest(deps),
  askForRight: askForRight(deps),
  askForSilence: askForSilence(deps),
  drawRightsCopy: drawRightsCopy(deps),
  listRightsRequests: listRightsRequests(deps),
  openRightsPage: openRightsPage(deps),
  preferContacts: preferContacts(deps),
  readRights: readRights(deps),
  readRightsCopy: readRightsCopy(deps),
  readRightsFile: readRightsFile(deps),
  readRightsFront: readRightsFront(deps),
  sayNotMine: sayNotMine(deps),
});
