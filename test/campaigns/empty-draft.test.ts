import { beforeEach, expect, it } from '@jest/globals';
import { deleteDraftDebts } from '../../src/modules/campaigns/use-cases/delete-draft-debts.ts';
import { loadDebt } from '../../src/modules/debts/use-cases/debt-context.ts';
import { storeRequest } from '../../src/modules/rights/use-cases/store-request.ts';
import { openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
beforeEach(engine.reset);

it('a draft is emptied of all debts but those about which a person has asked for a right', async () => {
  const asked = await engine.debt({ ...somebody(), status: 'IMPORTED' });
  const { clientId, campaignId } = asked;
  await engine.debt({ ...somebody(), clientId, campaignId, status: 'IMPORTED' });
  await engine.query(asked, `update campaigns set status = 'DRAFT', sandbox = null, launched_at = null where id = $1`, [
    campaignId,
  ]);
  await engine.ofApi.db.tenant(clientId).transactional(async (tx) => {
    const debt = (await loadDebt(tx, asked.id))!;
    const request = { kind: 'correction', text: 'Meu nome está errado.', isDone: false } as const;
    await storeRequest(tx, { now: () => new Date(engine.clock.now) } as never, debt as never, request);
  });
  await deleteDraftDebts(engine.ofApi)({ clientId, campaignId, source: SOURCE });
  const left = await engine.query(asked, 'select id from debts where campaign_id = $1', [campaignId]);
  expect(left).toEqual([{ id: asked.id }]);
});
