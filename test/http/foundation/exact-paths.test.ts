import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../../testing/campaigns-app.ts';
import { opened } from '../../../testing/opened.ts';

const app = await opened(startCampaignsApp());

it.each([
  ['GET', '/api/payments/webhook', 'POST'],
  ['PUT', '/api/payments/webhook', 'POST'],
  ['GET', '/api/debts/search', 'POST'],
  ['PATCH', '/api/debts/search', 'POST'],
  ['GET', '/api/debts/export', 'POST'],
  ['PATCH', '/api/debts/actions', 'POST'],
  ['POST', '/api/receipts/zip', 'HEAD, GET'],
  ['PATCH', '/api/members/accept', 'POST'],
  ['DELETE', '/api/members/accept', 'POST'],
  ['DELETE', '/api/channels/templates', 'HEAD, GET'],
  ['DELETE', '/api/onboarding/me/passkeys/options', 'POST'],
  ['PUT', `/api/campaigns/${'0'.repeat(8)}/texts/preview`, 'POST'],
])('%s %s is refused with the methods of that path, before anybody is asked who calls', async (method, path, own) => {
  const answer = await app.call(method, path);
  expect([answer.status, answer.body['code'], answer.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    `${own}, OPTIONS`,
  ]);
});
