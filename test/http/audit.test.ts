import { afterAll, describe, expect, it } from '@jest/globals';
import { readEntries } from '../../src/modules/accounts/use-cases/read-audit.ts';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { newAuthenticator } from '../../testing/authenticator.ts';
import { sendFile, startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { debtInputs } from '../../testing/debts.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { recordPlans, sequentialScans } from '../../testing/growth/plan-recorder.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { sendPayments } from '../../testing/payment-files.ts';
import { billOf } from '../../testing/quittances.ts';
import { readRaw } from '../../testing/raw-sql.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';
import { newDebt } from '../payments/support.ts';
import { addMember } from './accounts/accounts.ts';
import { codeOf } from './accounts/factors.ts';

const SITE = 'https://quita.example.com.br';
const app = await opened(startCampaignsApp({ env: { PUBLIC_URL: SITE } }));
/** Accounts are connected where real money moves. */
const provider = await new FakeMercadoPago({ webhookSecret: 'x' }).start();
afterAll(() => provider.stop());
const twilio = await FakeTwilio.open();
const whatsapp = await startFakeWhatsApp();
afterAll(() => Promise.all([twilio.close(), whatsapp.close()]));
const real = await opened(
  startCampaignsApp({
    roles: ['api'],
    env: {
      PAYMENT_PROVIDER: 'mercadopago',
      MERCADOPAGO_BASE_URL: provider.baseUrl,
      MESSAGING_CHANNEL: 'whatsapp,twilio',
      TWILIO_BASE_URL: twilio.baseUrl,
      WHATSAPP_BASE_URL: whatsapp.baseUrl,
      WHATSAPP_VERIFY_TOKEN: 'v',
      OPERATOR_EMAIL: 'operador@quita.com.br',
    },
  }),
);

const single = await opened(startCampaignsApp({ roles: ['api'], env: { SINGLE_CLIENT: 'true' } }));

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly details: Record<string, unknown> | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function entriesOf(client: TestClient, query = ''): Promise<Entry[]> {
  const { status, body } = await client.call('GET', `/api/audit${query}`);
  expect(status).toBe(200);
  return body.items;
}

const newest = async (client: TestClient): Promise<Entry> => (await entriesOf(client, '?limit=1'))[0]!;

const idOfOwner = async (client: TestClient): Promise<string> =>
  (await client.call('GET', '/api/inbox/members')).body.items[0].id;

/** The entries of each operation that changes something; an operation that is missing here fails the test below. */
const ENTRIES: Readonly<Record<string, string>> = {
  addNote: 'debt_note_written',
  addTerms: 'terms_added',
  answerRightsRequest: 'rights_answered',
  archiveCampaign: 'campaign_archived',
  assignOrphanPayment: 'payment_recorded',
  assignCase: 'case_assigned',
  createSavedAnswer: 'saved_answer_created',
  changeSavedAnswer: 'saved_answer_changed',
  deleteSavedAnswer: 'saved_answer_deleted',
  askForErasure: 'erasure_asked',
  askForConfirmation: 'email_confirmation_asked',
  askForEmailChange: 'email_change_asked',
  askForVerification: 'verification_asked',
  cancelAgreement: 'agreement_cancelled',
  connectChannel: 'client_connected',
  connectPaymentAccount: 'client_connected',
  changeChannel: 'channel_changed',
  disconnectChannel: 'channel_disconnected',
  pushChannelTemplates: 'channel_templates_pushed',
  testChannel: 'channel_tested',
  dismissOrphanPayment: 'received_payment_dismissed',
  changeAccount: 'account_changed',
  changeCampaignSettings: 'campaign_changed',
  changeDebts: 'debts_changed',
  changeMessageText: 'message_text_changed',
  changeMember: 'member_changed',
  changeOffersPolicy: 'offers_policy_changed',
  changeOwnRules: 'own_rules_changed',
  changePassword: 'password_changed',
  changeRetention: 'retention_changed',
  changeWebhook: 'webhook_changed',
  correctDebt: 'debt_changed',
  confirmCompany: 'company_confirmed',
  confirmTotp: 'second_factor_confirmed',
  createApiKey: 'api_key_created',
  createCampaign: 'campaign_created',
  createExample: 'debts_imported',
  createWebhook: 'webhook_created',
  deleteDraftDebts: 'draft_debts_deleted',
  deleteMessageText: 'message_text_changed',
  deleteWebhook: 'webhook_deleted',
  endSession: 'session_ended',
  exportDebts: 'debts_exported',
  handBack: 'debt_handed_back',
  inviteMember: 'member_invited',
  importCsv: 'debts_imported',
  importFile: 'debts_imported',
  importJson: 'debts_imported',
  issueAnnualQuittance: 'annual_quittance_issued',
  launchCampaign: 'campaign_launched',
  logOut: 'logout',
  makeOffer: 'offer_made',
  packEvidence: 'evidence_packed',
  pauseCampaign: 'campaign_paused',
  moveSandboxClock: 'sandbox_clock_moved',
  payInSandbox: 'sandbox_paid',
  redeliverEvent: 'webhook_redelivered',
  recordAcceptance: 'agreement_accepted',
  recordNegativation: 'debt_listed',
  recordNegativationRemoved: 'listing_removed',
  regenerateReceipts: 'receipts_regenerated',
  refundPayment: 'refund_asked',
  registerPasskey: 'passkey_added',
  removeMember: 'invitation_taken_back',
  removePasskey: 'passkey_removed',
  removeTotp: 'second_factor_removed',
  requestReceipt: 'receipt_issued',
  resumeCampaign: 'campaign_resumed',
  resumeDebt: 'debt_resumed',
  revokeApiKey: 'api_key_revoked',
  sendInvitationAgain: 'member_invited',
  sendSandboxMessage: 'sandbox_message_sent',
  sendSettlementFile: 'settlement_file_sent',
  setUpTotp: 'second_factor_started',
  settleDebt: 'payment_recorded',
  snoozeDebt: 'debt_snoozed',
  stepUp: 'session_stepped_up',
  testWebhook: 'webhook_tested',
  undoSettlement: 'payment_undone',
  withdrawDebt: 'debt_withdrawn',
  writeToDebtor: 'debt_answered',
};

/** They read, and have a body because what they are asked for stands in no URL. */
const READING: readonly string[] = [
  // They change nothing but the challenge that they ask with.
  'askForNewPasskey',
  'askForStepUp',
  // It stands in no log: whoever looks at a case has done nothing.
  'viewCase',
  'previewMessageText',
  'previewOffers',
  'previewTerms',
  'rehearseCampaign',
  'replayPolicy',
  'searchDebts',
  'searchReceipts',
];

describe('the audit log of a client', () => {
  it('covers every operation by which a client changes something', async () => {
    const { body } = await app.get<{
      paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
    }>('/openapi.json');
    const changing = Object.values(body.paths).flatMap((path) =>
      Object.entries(path)
        .filter(([method, { security }]) => method !== 'get' && security.length > 0)
        .map(([, { operationId }]) => operationId)
        .filter((operationId) => !READING.includes(operationId)),
    );
    expect(changing.sort()).toEqual(Object.keys(ENTRIES).sort());
  });

  it('records actor, action, address and counts for each of them, and no personal data', async () => {
    const client = await app.newClient();
    const done = new Map<string, Entry>();
    const operate = async (operation: string, method: string, path: string, body?: unknown) => {
      const answer = await client.call(method, path, body);
      expect([operation, answer.status < 300]).toEqual([operation, true]);
      done.set(operation, await newest(client));
      return answer.body;
    };
    const { id: campaignId } = await operate('createCampaign', 'POST', '/api/campaigns', { name: 'Nome Secreto' });
    const path = `/api/campaigns/${campaignId}`;
    await operate('changeCampaignSettings', 'PATCH', path, { sender: 'Nome Secreto' });
    const wording = { text: '{{nome}}, texto secreto: {{link}}' };
    await operate('changeMessageText', 'PUT', `${path}/texts/1`, wording);
    await operate('deleteMessageText', 'DELETE', `${path}/texts/1`);
    const invited = { email: 'secreto@secreto.com.br', name: 'Nome Secreto', role: 'agent' };
    const { id: memberId } = await operate('inviteMember', 'POST', '/api/members', invited);
    await operate('sendInvitationAgain', 'POST', `/api/members/${memberId}/invitation`);
    await operate('changeMember', 'PATCH', `/api/members/${memberId}`, { role: 'viewer' });
    await operate('removeMember', 'DELETE', `/api/members/${memberId}`);
    const saved = { name: 'Nome Secreto', text: 'Texto secreto' };
    const { id: savedId } = await operate('createSavedAnswer', 'POST', '/api/saved-answers', saved);
    await operate('changeSavedAnswer', 'PATCH', `/api/saved-answers/${savedId}`, saved);
    await operate('deleteSavedAnswer', 'DELETE', `/api/saved-answers/${savedId}`);
    await operate('changeOwnRules', 'PUT', '/api/policy/own', { daysAfterDue: 2 });
    await operate('addTerms', 'PUT', '/api/terms', TERMS);
    const webhook = await operate('createWebhook', 'POST', '/api/webhooks', { url: 'http://127.0.0.1:65001/secreto' });
    const webhookPath = `/api/webhooks/${webhook.id}`;
    await operate('changeWebhook', 'PATCH', webhookPath, { types: ['payment.approved'] });
    await operate('testWebhook', 'POST', `${webhookPath}/test`);
    const [delivery] = (await client.call('GET', `${webhookPath}/deliveries`)).body.items;
    await operate('redeliverEvent', 'POST', `${webhookPath}/deliveries/${delivery.id}/redeliver`);
    await operate('deleteWebhook', 'DELETE', webhookPath);
    const debts = [...debtInputs(3), { ...debtInputs(1)[0]!, debtorCpf: '1' }];
    await operate('importJson', 'POST', `/api/import/json/${campaignId}`, { clientId: client.id, debts });
    await client.importCsv(campaignId, 'nome;telefone;cpf;valor;vencimento\nMaria;x;y;z;w\n');
    done.set('importCsv', await newest(client));
    await sendFile(app, client, campaignId, 'Aluno;Celular resp.;CPF;Valor em aberto;Vencto\nMaria;x;y;z;w\n');
    done.set('importFile', await newest(client));
    await operate('launchCampaign', 'POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    await operate('pauseCampaign', 'POST', `/api/campaigns/${campaignId}/pause`);
    await operate('resumeCampaign', 'POST', `/api/campaigns/${campaignId}/resume`);
    const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
    const [first, second] = items as { id: string }[];
    await operate('changeOffersPolicy', 'PUT', '/api/offers/policy', OFFERS_POLICY);
    const firstDueDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const offer = { discountPercent: 5, instalments: 2, entryPercent: 0, firstDueDate };
    const offers = `/api/debts/${items[2].id}/offers`;
    const { id: offerId } = await operate('makeOffer', 'POST', offers, offer);
    const agreement = await operate('recordAcceptance', 'POST', `${offers}/${offerId}/accept`, {
      note: 'Nota secreta',
    });
    await operate('cancelAgreement', 'POST', `/api/agreements/${agreement.id}/cancel`, { reason: 'Motivo secreto' });
    await operate('moveSandboxClock', 'POST', `/api/sandbox/campaigns/${campaignId}/clock`, { command: 'hold' });
    await operate('sendSandboxMessage', 'POST', `/api/sandbox/debts/${first!.id}/messages`, { text: 'Texto secreto' });
    const answer = { text: 'Texto secreto', confirm: true };
    await operate('writeToDebtor', 'POST', `/api/debts/${first!.id}/messages`, answer);
    await operate('handBack', 'POST', `/api/debts/${first!.id}/hand-back`);
    await operate('payInSandbox', 'POST', `/api/sandbox/debts/${first!.id}/pay`);
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [second!.id]);
    await operate('resumeDebt', 'POST', `/api/debts/${second!.id}/resume`, { note: 'Texto secreto, conferido' });
    await operate('addNote', 'POST', `/api/debts/${second!.id}/notes`, { text: 'Texto secreto' });
    await app.query(`insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'human')`, [
      client.id,
      second!.id,
    ]);
    await operate('assignCase', 'PUT', `/api/inbox/${second!.id}/assignee`, { memberId: await idOfOwner(client) });
    await operate('snoozeDebt', 'POST', `/api/debts/${second!.id}/snooze`, { until: null });
    const example = await operate('createExample', 'POST', '/api/sandbox/example');
    await operate('deleteDraftDebts', 'DELETE', `/api/campaigns/${example.id}/debts`);
    const until = new Date(Date.now() + 86_400_000);
    const action = { action: 'snooze', until, ids: [second!.id], expect: 1 };
    await operate('changeDebts', 'POST', '/api/debts/actions', action);
    // Each debt has an entry of its own behind that of the call.
    done.set('changeDebts', (await entriesOf(client)).find((entry) => entry.action === 'debts_changed')!);
    const exported = await fetch(`${app.url}/api/debts/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ q: 'Maria' }),
    });
    expect(exported.status).toBe(200);
    await exported.text();
    done.set('exportDebts', await newest(client));
    await operate('withdrawDebt', 'POST', `/api/debts/${second!.id}/withdraw`);
    await operate('correctDebt', 'PATCH', `/api/debts/${items[2].id}`, { dueDate: '2026-10-06' });
    const listed = { bureau: 'Bureau', notifiedAt: '2026-10-20', at: '2026-11-20' };
    await operate('recordNegativation', 'POST', `/api/debts/${items[2].id}/negativation`, listed);
    await operate('recordNegativationRemoved', 'POST', `/api/debts/${items[2].id}/negativation/removed`, {
      at: '2026-11-21',
    });
    await operate('archiveCampaign', 'POST', `/api/campaigns/${campaignId}/archive`);
    const { debtId } = await paidDebt(app.query, client.id);
    const { protocol } = await operate('requestReceipt', 'POST', `/api/receipts/${debtId}`);
    await operate('regenerateReceipts', 'POST', '/api/receipts/regenerate-all');
    const { debtId: quitted } = await billOf(app.query, client.id, { dueDate: '2025-05-10' });
    const { statement } = (await client.call('GET', `/api/annual-quittances?debtId=${quitted}&year=2025`)).body;
    const declared = { debtId: quitted, year: 2025, statement };
    const annual = await operate('issueAnnualQuittance', 'POST', '/api/annual-quittances', declared);
    const outside = { amount: 150.75, paidAt: '2026-11-01', method: 'cash', note: 'Nota secreta' };
    await operate('settleDebt', 'POST', `/api/debts/${items[2].id}/settle`, outside);
    const packed = await fetch(`${app.url}/api/debts/${items[2].id}/evidence`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect((await packed.arrayBuffer()).byteLength).toBeGreaterThan(0);
    done.set('packEvidence', await newest(client));
    await operate('refundPayment', 'POST', `/api/payments/${debtId}/refund`, { amount: 1, reason: 'Motivo secreto' });
    for (const [operation, what, amount] of [
      ['assignOrphanPayment', 'assign', 100],
      ['dismissOrphanPayment', 'dismiss', 200],
    ] as const) {
      const [orphan] = await app.query<{ id: string }>(
        `insert into received_payments (client_id, source, key, amount_centavos, paid_at, method, state)
         values ($1, 'bank', $2, $3, now(), 'pix', 'unmatched') returning id`,
        [client.id, what, amount],
      );
      await operate(operation, 'POST', `/api/payments/orphans/${orphan!.id}/${what}`, { debtId: items[2].id });
    }
    const [right] = await app.query<{ id: string }>(
      `insert into rights_requests (client_id, debt_id, kind, protocol, text, due_at)
       values ($1, $2, 'correction', 'PD-2026-AUDIT', 'Pedido secreto', now() + interval '15 days') returning id`,
      [client.id, items[2].id],
    );
    const given = { text: 'Resposta secreta', outcome: 'granted' };
    await operate('answerRightsRequest', 'POST', `/api/rights-requests/${right!.id}/answer`, given);
    await sendPayments(app, client, 'fatura;data;valor pago\nSecreto-1;01/11/2026;10,00\n');
    done.set('sendSettlementFile', await newest(client));
    const undoneDebt = (await client.call('GET', `/api/debts/${items[2].id}`)).body;
    const { paymentId } = undoneDebt.timeline.findLast(({ kind }: { kind: string }) => kind.startsWith('payment_'));
    await operate('undoSettlement', 'POST', `/api/settlements/${paymentId}/undo`);
    const connecting = await real.newClient();
    const account = { provider: 'mercadopago', accessToken: provider.accessToken, webhookSecret: 'Segredo secreto' };
    expect((await connecting.call('POST', '/api/payment-accounts', account)).status).toBe(201);
    done.set('connectPaymentAccount', await newest(connecting));
    await connecting.call('PATCH', '/api/onboarding/me', { cnpj: '11222333000181' });
    expect((await connecting.call('POST', '/api/onboarding/me/ask-for-verification')).status).toBe(204);
    done.set('askForVerification', await newest(connecting));
    const only = await single.newClient();
    await only.call('PATCH', '/api/onboarding/me', { cnpj: '11222333000181' });
    expect((await only.call('POST', '/api/onboarding/me/confirm-company', { confirm: true })).status).toBe(200);
    done.set('confirmCompany', (await entriesOf(only)).find(({ action }) => action === 'company_confirmed')!);
    const { senderId: from, accountId: accountSid, accessToken: authToken } = twilio.credentials;
    for (const [operation, method, path, body] of [
      ['connectChannel', 'POST', '/api/channels', { channel: 'twilio', accountSid, authToken, from }],
      ['testChannel', 'POST', '/api/channels/twilio/test', { to: '+5511987654321' }],
      ['pushChannelTemplates', 'POST', '/api/channels/templates/push', undefined],
      ['disconnectChannel', 'DELETE', '/api/channels/twilio', undefined],
    ] as const) {
      expect([operation, (await connecting.call(method, path, body)).status < 300]).toEqual([operation, true]);
      done.set(operation, await newest(connecting));
    }
    const { credentials: meta } = whatsapp;
    const connection = { channel: 'whatsapp', phoneNumberId: meta.senderId, businessAccountId: meta.accountId };
    const secrets = { accessToken: meta.accessToken, appSecret: meta.webhookSecret };
    expect((await connecting.call('POST', '/api/channels', { ...connection, ...secrets })).status).toBe(201);
    expect((await connecting.call('PATCH', '/api/channels/whatsapp', { pixCodes: true })).status).toBe(200);
    done.set('changeChannel', await newest(connecting));
    await operate('changeAccount', 'PATCH', '/api/onboarding/me', { name: 'Nome Secreto' });
    await operate('changeRetention', 'PUT', '/api/privacy/retention', { days: 400 });
    const [ended] = await app.query<{ cpf: string }>(
      `update debts set status = 'STOPPED' where id = $1 returning debtor_tax_id as cpf`,
      [second!.id],
    );
    await operate('askForErasure', 'POST', '/api/privacy/erasures', ended);
    await operate('askForConfirmation', 'POST', '/api/onboarding/me/confirmation');
    await app.query('update clients set email_confirmed_at = now() where id = $1', [client.id]);
    await operate('askForEmailChange', 'POST', '/api/onboarding/me/email', { email: 'secreto@empresa-secreta.com.br' });
    const { email } = (await client.call('GET', '/api/onboarding/me')).body;
    await app.post('/api/auth/login', { email, password: 'Segredo123' });
    const [opened] = (await client.call('GET', '/api/onboarding/me/sessions')).body.items;
    await operate('endSession', 'DELETE', `/api/onboarding/me/sessions/${opened.id}`);
    await operate('changePassword', 'POST', '/api/onboarding/me/password', {
      current: 'Segredo123',
      password: 'Secreto9876',
    });
    await operate('createApiKey', 'POST', '/api/onboarding/me/api-key');
    await operate('revokeApiKey', 'DELETE', '/api/onboarding/me/api-key');
    const totp = '/api/onboarding/me/totp';
    const { secret } = await operate('setUpTotp', 'POST', totp);
    const { recoveryCodes } = await operate('confirmTotp', 'POST', `${totp}/confirm`, { code: codeOf(secret) });
    await operate('stepUp', 'POST', '/api/auth/step-up', { code: recoveryCodes[0] });
    await operate('removeTotp', 'DELETE', totp, { password: 'Secreto9876', code: recoveryCodes[1] });
    const passkeys = '/api/onboarding/me/passkeys';
    const asked = (await client.call('POST', `${passkeys}/options`)).body;
    const { id: rpId } = asked.options.rp;
    const response = newAuthenticator({ rpId, origin: SITE }).create(asked);
    const made = await operate('registerPasskey', 'POST', `${passkeys}/register`, {
      challenge: asked.challenge,
      name: 'Nome Secreto',
      response,
    });
    await client.call('POST', '/api/auth/step-up', { code: made.recoveryCodes[0] });
    await operate('removePasskey', 'DELETE', `${passkeys}/${made.id}`);
    const before = await entriesOf(client);
    await client.call('POST', '/api/auth/logout');
    done.set('logOut', { ...before[0]!, action: 'logout' });

    for (const [operation, action] of Object.entries(ENTRIES)) {
      expect([operation, done.get(operation)]).toEqual([
        operation,
        expect.objectContaining({ actor: 'client', action, ip: '127.0.0.1' }),
      ]);
    }
    const facts = (operation: string) => [done.get(operation)?.target, done.get(operation)?.details];
    const by = 'session';
    expect(facts('createCampaign')).toEqual([campaignId, { by }]);
    expect(facts('importJson')).toEqual([campaignId, { by, imported: 3, skipped: 1 }]);
    expect(facts('importCsv')).toEqual([campaignId, { by, imported: 0, skipped: 1 }]);
    expect(facts('importFile')).toEqual([campaignId, { by, imported: 0, skipped: 1 }]);
    expect(facts('launchCampaign')).toEqual([campaignId, { by, queued: 3, sandbox: true }]);
    expect(facts('pauseCampaign')).toEqual([campaignId, { by, from: 'RUNNING' }]);
    expect(facts('withdrawDebt')).toEqual([second!.id, { by, from: 'IN_COLLECTION' }]);
    expect(facts('resumeDebt')).toEqual([second!.id, { by, from: 'DISPUTED', noteId: expect.stringMatching(UUID) }]);
    expect(facts('writeToDebtor')).toEqual([
      first!.id,
      { by, messageId: expect.stringMatching(UUID), purpose: 'reply' },
    ]);
    expect(facts('handBack')).toEqual([first!.id, { by }]);
    expect(facts('correctDebt')).toEqual([items[2].id, { by, fields: 'dueDate' }]);
    expect(facts('payInSandbox')).toEqual([first!.id, { by }]);
    expect(facts('requestReceipt')).toEqual([protocol, { by, debtId }]);
    expect(facts('issueAnnualQuittance')).toEqual([annual.protocol, { by, debtId: quitted, year: 2025, bills: 1 }]);
    expect(facts('regenerateReceipts')).toEqual([
      null,
      { by, total: 1, regenerated: 0, skipped: 1, failed: 0, force: false },
    ]);
    expect(facts('settleDebt')).toEqual([
      items[2].id,
      { by, paymentId: expect.stringMatching(UUID), method: 'cash', outcome: 'settled' },
    ]);
    expect(facts('createApiKey')[1]).toEqual({ by });

    const all = JSON.stringify(await app.query('select row_to_json(audit_log)::text as row from audit_log'));
    for (const hidden of [
      'Maria',
      'secreto',
      'Secreto',
      'secreta',
      '52998224725',
      '+55',
      'financeiro@',
      client.token,
    ]) {
      expect(all).not.toContain(hidden);
    }
  });

  it('records a sending of the receipt, distinguishes an API key from a session, and records no refused request', async () => {
    const client = await app.newClient();
    const { body } = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, client.token);
    const { debtId } = await paidDebt(app.query, client.id);
    await client.call('POST', `/api/receipts/${debtId}?send=true`);
    expect((await entriesOf(client)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['receipt_issued', 'receipt_sent']),
    );
    const campaignId = await client.createCampaign();
    const before = (await entriesOf(client)).length;
    await app.post(`/api/campaigns/${campaignId}/launch?sandbox=true`, undefined, body.apiKey);
    await client.call('POST', `/api/campaigns/${campaignId}/pause`);
    await client.importJson(campaignId, debtInputs(1), { checkOnly: true });
    await client.call('POST', `/api/receipts/${debtId}`);
    expect((await entriesOf(client)).length).toBe(before);
    await app.post('/api/campaigns', { name: 'Por chave' }, body.apiKey);
    expect((await newest(client)).details).toEqual({ by: 'api_key' });
  });

  it('names the settings of a campaign that were changed, and no others', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    await client.call('PATCH', `/api/campaigns/${campaignId}`, { name: 'Outro nome', sender: null });
    expect((await newest(client)).details).toEqual({ by: 'session', members: 'name sender' });
  });

  it('is read in pages, newest first, and each entry has one random-looking id', async () => {
    const client = await app.newClient();
    for (let n = 0; n < 6; n++) await client.createCampaign(`C${n}`);
    const whole = await entriesOf(client);
    expect(whole.map(({ action }) => action)).toEqual([...Array(6).fill('campaign_created'), 'sign_up']);
    expect(whole.map(({ at }) => at)).toEqual(
      whole
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(new Set(whole.map(({ id }) => id)).size).toBe(7);
    for (const { id } of whole) expect(id).toMatch(UUID);

    const paged: Entry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { items: Entry[]; nextCursor: string | null } = (
        await client.call('GET', `/api/audit?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      ).body;
      expect(page.items.length).toBeLessThanOrEqual(3);
      paged.push(...page.items);
      // New entries come before the first page.
      if (cursor === '') await client.createCampaign('meanwhile');
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(whole);
  });

  it('is narrowed to an action, a group and days of São Paulo, also page by page', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    await client.call('POST', '/api/onboarding/me/api-key');
    await client.call('DELETE', '/api/onboarding/me/api-key');
    await client.call('PATCH', `/api/campaigns/${campaignId}`, { sender: 'Aurora' });
    const actions = async (query: string) => (await entriesOf(client, query)).map(({ action }) => action);
    expect(await actions('?action=api_key_created')).toEqual(['api_key_created']);
    expect(await actions('?action=campaigns')).toEqual(['campaign_changed', 'campaign_created']);
    expect(await actions('?action=integrations')).toEqual(['api_key_revoked', 'api_key_created']);
    expect(await actions('?action=sandbox')).toEqual([]);

    // Midnight of São Paulo is three in the morning.
    for (const [action, at] of [
      ['campaign_created', '2026-03-10T02:59:59.999Z'],
      ['api_key_created', '2026-03-10T03:00:00Z'],
      ['api_key_revoked', '2026-03-11T02:59:59.999Z'],
      ['campaign_changed', '2026-03-11T03:00:00Z'],
    ]) {
      await app.query('update audit_log set at = $3 where client_id = $1 and action = $2', [client.id, action, at]);
    }
    const day = 'from=2026-03-10&to=2026-03-10';
    expect(await actions(`?${day}`)).toEqual(['api_key_revoked', 'api_key_created']);
    expect(await actions('?from=2026-03-11')).toEqual(['sign_up', 'campaign_changed']);
    expect(await actions('?to=2026-03-09&action=campaigns')).toEqual(['campaign_created']);
    const first = (await client.call('GET', `/api/audit?limit=1&action=integrations&${day}`)).body;
    expect(first.items[0].action).toBe('api_key_revoked');
    const cursor = encodeURIComponent(first.nextCursor);
    const second = (await client.call('GET', `/api/audit?limit=1&action=integrations&${day}&cursor=${cursor}`)).body;
    expect([second.items[0].action, second.nextCursor]).toEqual(['api_key_created', null]);
    for (const query of ['action=nothing', 'from=2026-02-30', 'to=x', 'from=2026-1-1']) {
      expect([query, (await client.call('GET', `/api/audit?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('is downloaded as CSV or XLSX with the filter of the list, which is an entry too, and not by an auditor', async () => {
    const client = await app.newClient();
    await client.createCampaign();
    const download = (accept: string, query: string, bearer = client.token) =>
      fetch(`${app.url}/api/audit/export${query}`, { headers: { authorization: `Bearer ${bearer}`, accept } });
    const csv = await download('text/csv', '?action=campaigns');
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = (await csv.text()).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('campanha criada');
    expect((await newest(client)).details).toEqual({ by: 'session', filter: 'campaigns', from: null, to: null });
    const xlsx = await download('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '');
    expect(
      Buffer.from(await xlsx.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    const { token } = await addMember(app, client.id, 'auditor', client.password);
    expect((await app.get('/api/audit?action=exports', token)).status).toBe(200);
    expect((await download('text/csv', '', token)).status).toBe(403);
  });

  it('is read by its indexes, with many entries, for rare actions and for days long ago', async () => {
    const client = await app.newClient();
    await app.query(
      `insert into audit_log (client_id, at, actor, action)
        select case when n % 10 = 0 then $1 else md5((n % 97)::text)::uuid end, now() - make_interval(secs => n * 10),
          'client', case when n % 100000 = 0 then 'refund_asked' else 'login' end
        from generate_series(1, 200000) as n`,
      [client.id],
    );
    await app.query('analyze audit_log');
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const recorder = recordPlans();
    const db = await openDatabase({ url: app.database.url, role: 'quita_app' });
    try {
      const newestFirst = { clientId: client.id };
      const rare = await recorder.record(() => readEntries(db, { ...newestFirst, action: 'payments' }, { limit: 51 }));
      const old = await recorder.record(() => readEntries(db, { ...newestFirst, to: dayAgo(20) }, { limit: 51 }));
      for (const [name, plans] of Object.entries({ rare, old })) {
        expect([name, plans.flatMap(sequentialScans)]).toEqual([name, []]);
        const read = plans.flatMap(({ lines }) => lines).join('\n');
        const removed = [...read.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
        expect([name, removed.some((rows) => rows > 2_000)]).toEqual([name, false]);
      }
      expect((await readEntries(db, { ...newestFirst, action: 'refund_asked' }, { limit: 51 })).length).toBe(2);
    } finally {
      recorder.stop();
      await db.close();
    }
  });

  it('shows nothing of another client, whose cursor can be neither used nor read', async () => {
    const [client, other] = [await app.newClient(), await app.newClient()];
    const { id } = await newDebt(app, {}, other);
    await other.call('POST', `/api/debts/${id}/withdraw`);
    await client.createCampaign();
    expect((await entriesOf(client)).map(({ action }) => action)).toEqual(['campaign_created', 'sign_up']);
    const { nextCursor } = (await other.call('GET', '/api/audit?limit=1')).body;
    const [row] = await app.query<{ seq: string }>('select max(seq)::text as seq from audit_log where client_id = $1', [
      other.id,
    ]);
    expect(Buffer.from(nextCursor.split('.').at(-1), 'base64url').toString()).not.toContain(row!.seq);
    for (const cursor of [nextCursor, row!.seq, 'x', Buffer.from('[9]').toString('base64url'), `${nextCursor}x`]) {
      const { status, body } = await client.call('GET', `/api/audit?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, status, body.errors?.[0]]).toEqual([
        cursor,
        400,
        expect.objectContaining({ parameter: 'cursor', code: 'invalid_value' }),
      ]);
    }
    // This also holds without the where of the use case.
    const db = await openDatabase({ url: app.database.url, role: 'quita_app' });
    try {
      const all = { name: 'test_all_audit', text: 'select distinct client_id from audit_log' };
      expect(await readRaw(db, { clientId: client.id }, all)).toEqual([{ client_id: client.id }]);
      expect(await readRaw(db, {}, all)).toEqual([]);
    } finally {
      await db.close();
    }
    expect((await app.get('/api/audit')).status).toBe(401);
  });

  it('deletes entries older than two years, of every client, and no younger ones', async () => {
    const client = await app.newClient();
    await client.createCampaign();
    await app.query(
      `insert into audit_log (at, actor, action) values (now() - interval '731 days', 'operator', 'old')`,
    );
    await app.query(
      `update audit_log set at = now() - interval '731 days' where client_id = $1 and action = 'sign_up'`,
      [client.id],
    );
    await app.query(
      `update audit_log set at = now() - interval '729 days' where client_id = $1 and action <> 'sign_up'`,
      [client.id],
    );
    await app.query(
      `insert into checkout_notices (client_id, debt_id, notice, created_at) select client_id, id, 'pay', now() - make_interval(hours => n)
        from (select * from debts limit 1) as debt, unnest(array[23, 25]) as n`,
    );
    const worker = await openDatabase({ url: app.database.url, role: 'quita_worker' });
    try {
      await purgeExpired({ db: worker })();
    } finally {
      await worker.close();
    }
    expect((await entriesOf(client)).map(({ action }) => action)).toEqual(['campaign_created']);
    expect(await app.query(`select from audit_log where action = 'old'`)).toEqual([]);
    expect(await app.query(`select from checkout_notices where created_at < now() - interval '22 hours'`)).toHaveLength(
      1,
    );
  });
});
