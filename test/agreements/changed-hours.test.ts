import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { readOffers } from '../../src/modules/agreements/use-cases/offers.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { changeOwnRules } from '../../src/modules/campaigns/use-cases/own-rules.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { DAY, openEngine, somebody } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
const app = await opened(startCampaignsApp());
const NO_RULES = { hours: null, weekdays: null, caps: [], daysAfterDue: null };

/** An agreement about one debt, whose first instalment is due in a few days. */
async function agreed() {
  engine.reset();
  const debt = await engine.debt({ ...somebody(), dueDate: '2026-08-10' });
  const { clientId, id: debtId } = debt;
  await engine.contact(debt);
  const policy = { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;
  await changeOffersPolicy(engine.ofApi)({ clientId, policy, source: SOURCE });
  const { items } = await readOffers(engine.ofApi)({ clientId, debtId });
  await engine.ofApi.db
    .tenant(clientId)
    .transactional((tx) =>
      acceptOffer(tx, engine.ofApi, { clientId, debtId, offer: { id: items[1]!.id }, by: 'page', in: null }),
    );
  const read = async () =>
    (
      await engine.query<{ id: string; instalments: { dueDate: string }[]; notices: { notice: string }[] }>(
        debt,
        'select id, instalments, notices from agreements where id = (select agreement_id from debts where id = $1)',
        [debtId],
      )
    )[0]!;
  const { id: agreementId, instalments } = await read();
  return {
    debt,
    due: Date.parse(`${instalments[0]!.dueDate}T12:00:00-03:00`),
    notices: async () => (await read()).notices.map(({ notice }) => notice),
    look(at: number) {
      engine.clock.now = at;
      const clock = { at, offsetMs: 0, exact: false };
      return engine.services.followAgreement({ clientId, agreementId, clock, attemptKey: randomUUID() });
    },
  };
}

it('notices that waited for a narrower week are sent on their days once the client takes its rule back', async () => {
  const { debt, due, notices, look } = await agreed();
  const { clientId } = debt;
  // It is due on a Monday, and nobody is written to on the Sunday before.
  expect(new Date(due).getUTCDay()).toBe(1);
  const change = (weekdays: number[] | null) =>
    changeOwnRules(engine.ofApi)({ clientId, rules: { ...NO_RULES, weekdays }, source: SOURCE });
  await change([3]);
  const begin = Math.max(engine.clock.now, due - 3 * DAY);
  await look(begin);
  await engine.query(debt, 'delete from outbox', []);

  await change(null);
  expect(
    await engine.query(
      debt,
      `select distinct workflow, signal, payload from outbox where kind = 'batch_signal' order by workflow`,
      [],
    ),
  ).toEqual(
    ['collect-debt', 'follow-agreement'].map((workflow) => ({
      workflow,
      signal: 'stateChanged',
      payload: { clientId },
    })),
  );
  let next = await look(begin);
  while (next.kind === 'wait' && next.until !== null && next.until < due + 2 * DAY) next = await look(next.until);
  expect(await notices()).toEqual(['due_day']);
});

const isWoken = async (agreementId: string): Promise<boolean> =>
  (await app.query('select from outbox where workflow_id = $1', [`agreement-${agreementId}`])).length > 0;

it('an agreement looks again when the hours of its campaign change, and not for another name', async () => {
  const client = await app.newClient();
  const { id, debtIds } = await newAgreement(app.query, client.id);
  const [campaign] = await app.query<{ id: string }>('select campaign_id as id from debts where id = $1', [debtIds[0]]);
  const change = (body: object) => client.call('PATCH', `/api/campaigns/${campaign!.id}`, body);
  expect((await change({ name: 'Mensalidades de 2026' })).status).toBe(200);
  expect(await isWoken(id)).toBe(false);
  expect((await change({ hours: { from: '09:00', to: '18:00' } })).status).toBe(200);
  expect(await isWoken(id)).toBe(true);
});

it('the agreements of a person look again when the person asks for other hours', async () => {
  const client = await app.newClient();
  const debtorTaxId = cpfOf(319_000_083);
  const { debtId, ask } = await openRightsPage(app, client, debtInput(83, { debtorCpf: debtorTaxId }));
  const [row] = await app.query<{ sandbox: boolean }>('select sandbox from debts where id = $1', [debtId]);
  const { id } = await newAgreement(app.query, client.id, { debtorTaxId, ...row });
  const answer = await ask('preferencia', { de: '15:00', ate: '16:00', dia: '4' });
  expect(answer.headers.get('location')).toContain('pedido=PD-');
  expect(await isWoken(id)).toBe(true);
});
