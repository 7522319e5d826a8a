import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findOrMakeDebtorPage } from '../../src/modules/debts/queries/persons.ts';
import { type Press, pressButton } from '../../src/modules/payments/use-cases/press-button.ts';
import { askForRight } from '../../src/modules/rights/use-cases/ask.ts';
import { createProofs } from '../../src/modules/rights/use-cases/proofs.ts';
import { type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

/** Two debts of one person: F-1 of R$ 150,00, about which a message was sent, and F-2 of R$ 320,00. */
async function twoDebts() {
  const person = somebody();
  const one = await engine.debt(person);
  const other = await engine.debt({ ...person, clientId: one.clientId, campaignId: one.campaignId });
  const set = (debt: MadeDebt, values: string) =>
    engine.query(debt, `update debts set ${values} where id = $1`, [debt.id]);
  await set(one, `invoice_id = 'F-1', original_amount_centavos = 15000, due_date = '2026-10-05'`);
  await set(other, `invoice_id = 'F-2', original_amount_centavos = 32000, due_date = '2026-09-05'`);
  const pageId = await engine.db
    .tenant(one.clientId)
    .transactional((tx) =>
      findOrMakeDebtorPage(tx, { clientId: one.clientId, debtorTaxId: person.cpf, sandbox: false }),
    );
  await engine.contact(one);
  return { one, other, pageId };
}
type TwoDebts = Awaited<ReturnType<typeof twoDebts>>;

const SECRETS = ['secret'];
const rights = {
  ...engine.ofApi,
  proofSecrets: SECRETS,
  takeFromAskRate: async () => {},
  takeFromFileRate: async () => {},
} as unknown as Parameters<typeof askForRight>[0];

const onRightsPage = ({ pageId: token }: TwoDebts, debtId: string | null, text: string) => {
  const proof = createProofs(SECRETS).make(token, engine.clock.now);
  return askForRight(rights)({ token, proof, kind: 'dispute', text, debtId, file: null });
};
const press = (page: { debtId: string } | { pageId: string }, reason?: string) =>
  pressButton({ ...engine.deps.payments, db: engine.ofApi.db })({ ...page, button: 'dispute', reason } satisfies Press);
const type = ({ clientId, id: debtId }: MadeDebt, text: string) =>
  engine.services.receiveMessage({ clientId, debtId, channel: 'sandbox', channelMessageId: randomUUID(), text });

const answer = (debt: MadeDebt) => engine.services.answerDebtor(engine.request(debt));
const statuses = async ({ one, other }: TwoDebts) => [await engine.status(one), await engine.status(other)];
const disputed = async (debts: TwoDebts) => (await statuses(debts)).map((status) => status === 'DISPUTED');

describe('a dispute on the page of rights', () => {
  it.each(['Nunca comprei isto.', 'Eu só comprei uma vez, por R$ 320,00. Esta outra compra não fui eu.'])(
    'is about the debt that is chosen: %s',
    async (words) => {
      const debts = await twoDebts();
      expect(await onRightsPage(debts, debts.one.id, words)).toMatchObject({ kind: 'done' });
      await answer(debts.one);
      expect(await statuses(debts)).toEqual(['DISPUTED', 'IN_COLLECTION']);
      expect(engine.sent.at(-1)?.text).toContain('não concorda com a fatura F-1');
    },
  );

  it('is about all of them when all are chosen, whatever the words name', async () => {
    const debts = await twoDebts();
    await onRightsPage(debts, null, 'A de R$ 320,00 nunca vi, e a outra também não.');
    // The debt that has been due for longest stands for the person.
    await answer(debts.other);
    expect(await statuses(debts)).toEqual(['DISPUTED', 'DISPUTED']);
  });
});

describe('the button of a page', () => {
  it.each([undefined, 'A de 320,00 eu conheço, esta não.'])(
    'of a debt disputes it alone, with the reason %p',
    async (reason) => {
      const debts = await twoDebts();
      await press({ debtId: debts.one.id }, reason);
      await answer(debts.one);
      expect(await statuses(debts)).toEqual(['DISPUTED', 'IN_COLLECTION']);
    },
  );

  it('of the person disputes all of them', async () => {
    const debts = await twoDebts();
    await press({ pageId: debts.pageId });
    await answer(debts.other);
    expect(await statuses(debts)).toEqual(['DISPUTED', 'DISPUTED']);
  });

  it('of the person disputes the others too, when that of a debt was pressed before', async () => {
    const debts = await twoDebts();
    // The page of the person stores what it says with the debt that has been due for longest.
    await press({ debtId: debts.other.id });
    await press({ pageId: debts.pageId });
    await answer(debts.other);
    expect(await statuses(debts)).toEqual(['DISPUTED', 'DISPUTED']);
  });

  it('disputes the debt of its page, and not the one that a waiting message promises', async () => {
    const debts = await twoDebts();
    await type(debts.one, 'Vou pagar a de R$ 320,00 na sexta');
    await press({ debtId: debts.one.id });
    await answer(debts.one);
    expect(await disputed(debts)).toEqual([true, false]);
  });

  it('disputes its debt beside the one that a waiting message disputes', async () => {
    const debts = await twoDebts();
    await type(debts.one, 'Não reconheço a fatura F-2, nunca contratei isso');
    await press({ debtId: debts.one.id });
    await answer(debts.one);
    expect(await disputed(debts)).toEqual([true, true]);
  });

  it('names the debt of a message that disputes without a name', async () => {
    const debts = await twoDebts();
    await type(debts.one, 'Não reconheço essa dívida');
    await press({ debtId: debts.one.id });
    await answer(debts.one);
    expect(await disputed(debts)).toEqual([true, false]);
  });
});
