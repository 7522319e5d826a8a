import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defineRoute } from '../../../src/platform/http/define-route.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { addMember, logIn, newKey, type Problem, signUp } from './accounts.ts';

const app = await opened(startApp());

const ROLES = ['owner', 'manager', 'agent', 'viewer', 'auditor'] as const;
type Role = (typeof ROLES)[number];

/** The table of the contract, row by row: the roles, and the operations that they may call. */
const TABLE: readonly (readonly [readonly Role[], string])[] = [
  [
    ROLES,
    `readAccount listCampaigns getCampaign listDebts getCampaignStatistics getDashboard getDebt listTimeline searchDebts
     quoteDebt listTerms listAgreements getAgreement listOffers getOffersPolicy listInbox listMessageTexts
     listProductTexts getContactEligibility listOrphanPayments readPayment getSettlements listReceipts searchReceipts readAnnualQuittance
     listChannels getChannel listChannelTemplates listEvents listSandboxOutbox getSandboxClock listDebtPayments readRetention
     listNegativations`,
  ],
  // A file cannot be masked.
  [['owner', 'manager', 'agent', 'viewer'], 'downloadAttachment'],
  [
    ['owner', 'manager', 'agent'],
    `makeOffer recordAcceptance listSavedAnswers assignCase viewCase listInboxMembers changeDebts resumeDebt withdrawDebt snoozeDebt addNote writeToDebtor handBack settleDebt
     assignOrphanPayment dismissOrphanPayment payInSandbox requestReceipt issueAnnualQuittance sendSandboxMessage
     listRightsRequests downloadRightsFile answerRightsRequest`,
  ],
  [
    ['owner', 'manager'],
    `createCampaign changeCampaignSettings deleteDraftDebts importJson importCsv importFile correctDebt exportDebts
     previewTerms addTerms cancelAgreement changeOffersPolicy previewOffers rehearseCampaign launchCampaign
     pauseCampaign resumeCampaign archiveCampaign changeMessageText deleteMessageText previewMessageText
     listPaymentAccounts downloadReceipts regenerateReceipts createWebhook listWebhooks getWebhook changeWebhook
     deleteWebhook testWebhook listWebhookDeliveries redeliverEvent createExample moveSandboxClock changeOwnRules
     createSavedAnswer changeSavedAnswer deleteSavedAnswer refundPayment sendSettlementFile undoSettlement exportAudit
     recordNegativation recordNegativationRemoved`,
  ],
  [['owner', 'manager', 'auditor'], 'listAudit getPolicy getOwnRules replayPolicy packEvidence'],
  [
    ['owner'],
    `askForVerification changeAccount confirmCompany createApiKey revokeApiKey askForConfirmation connectPaymentAccount connectChannel
     disconnectChannel changeChannel testChannel pushChannelTemplates listSandboxMails listMembers
     inviteMember sendInvitationAgain changeMember removeMember changeRetention askForErasure`,
  ],
  [
    ROLES,
    `changePassword askForEmailChange listSessions endSession logOut readFactors setUpTotp confirmTotp removeTotp stepUp
     askForNewPasskey registerPasskey listPasskeys removePasskey askForStepUp`,
  ],
];

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Called extends Operation {
  readonly method: string;
  readonly path: string;
}

const { body: document } = await app.get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
const operations: readonly Called[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security.length > 0)
    .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);
const allowed = new Map(TABLE.flatMap(([roles, names]) => names.split(/\s+/).map((name) => [name, roles] as const)));

/** Calls an operation with ids that exist nowhere and a body that is refused later, and tells whether the role was. */
async function isRefused({ method, path }: Called, bearer: string): Promise<boolean> {
  const address = path.replaceAll(/\{\w+\}/g, () => randomUUID());
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answer = await app.call<Problem>(method, address, { bearer, body });
  return answer.status === 403 && answer.body.code === 'role_insufficient';
}

describe('the table of rights', () => {
  it('has each operation that needs a caller, and no other', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...allowed.keys()].sort());
  });

  it.each(ROLES)('holds for a call of each operation: %s', async (role) => {
    const { id, email } = await signUp(app);
    const { token } = role === 'owner' ? await logIn(app, email) : await addMember(app, id, role);
    // The session ends with `logOut`.
    const inOrder = operations.toSorted(
      (a, b) => Number(a.operationId === 'logOut') - Number(b.operationId === 'logOut'),
    );
    for (const operation of inOrder) {
      const mayCall = allowed.get(operation.operationId)?.includes(role);
      expect([operation.operationId, await isRefused(operation, token)]).toEqual([operation.operationId, !mayCall]);
    }
  });

  it('gives an API key what a manager may, where a key is accepted', async () => {
    const { token } = await signUp(app);
    const key = await newKey(app, token);
    for (const operation of operations.filter(({ security }) => security.length === 2)) {
      const mayCall = allowed.get(operation.operationId)?.includes('manager');
      expect([operation.operationId, await isRefused(operation, key)]).toEqual([operation.operationId, !mayCall]);
    }
  });

  it('stands in the document: an operation that not every role may call names the refusal', () => {
    for (const { operationId, responses } of operations) {
      const isNamed = responses['403']?.description.includes('`role_insufficient`') === true;
      // The file of the settlements is for those who may export, and the address of the company is the owners'.
      const isPartial = operationId === 'getSettlements' || operationId === 'askForEmailChange';
      const isForAll = allowed.get(operationId)?.length === ROLES.length && !isPartial;
      expect([operationId, isNamed]).toEqual([operationId, !isForAll]);
    }
  });

  it('a route that names no right does not compile', () => {
    const noContent = { 204: { description: 'Done' } };
    const named = { method: 'GET', path: '/api/x', operationId: 'x', summary: 'X', tags: [], errors: [] } as const;
    const handler = async () => ({ status: 204 }) as const;
    // @ts-expect-error the right is missing, and nothing else is
    defineRoute({ ...named, auth: 'bearer', responses: noContent, handler });
    expect(defineRoute({ ...named, auth: 'bearer', right: 'read', responses: noContent, handler }).right).toBe('read');
  });

  it('refuses the file of the settlements to those who may not export', async () => {
    const { id } = await signUp(app);
    const { token } = await addMember(app, id, 'agent');
    const path = '/api/reports/settlements?from=2026-11-01&to=2026-11-02';
    expect((await app.get(path, token)).status).toBe(200);
    const file = await app.call<Problem>('GET', path, { bearer: token, headers: { accept: 'text/csv' } });
    expect([file.status, file.body.code]).toEqual([403, 'role_insufficient']);
  });
});
