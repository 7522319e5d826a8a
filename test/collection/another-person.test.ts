import { afterEach, expect, it } from '@jest/globals';
import { openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { receiveFrom } from './inbound.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

/** A bill was imported with a wrong CPF, has ended, and was imported again with the right one. */
async function importedForAnother(status = 'STOPPED') {
  const [ana, bruno] = [somebody(), somebody()];
  const first = await engine.debt(ana);
  await engine.contact(first);
  const current = await engine.debt({ ...bruno, clientId: first.clientId, campaignId: first.campaignId });
  const set = (changes: string, ...values: unknown[]) => engine.query(first, `update debts set ${changes}`, values);
  await set(`status = $2, next_contact_at = null, continued_by = $3 where id = $1`, first.id, status, current.id);
  await set(
    `debtor_name = 'Bruno Lima', original_amount_centavos = 98765,
       identity_id = (select identity_id from debts where id = $2) where id = $1`,
    current.id,
    first.id,
  );
  engine.sent.length = 0;
  const write = async (text: string): Promise<string> => {
    await receiveFrom(engine, first, ana.phone, text);
    await engine.services.answerDebtor(engine.request(current));
    await engine.services.answerDebtor(engine.request(first));
    expect(engine.sent.filter(({ phone }) => phone === bruno.phone)).toEqual([]);
    return engine.sent.map((message) => message.text).join('\n');
  };
  return { ana, first, current, write };
}

it.each(['STOPPED', 'EXHAUSTED', 'PAID'])(
  'who had a debt before, which is %s for them, learns nothing of the person who has it now',
  async (status) => {
    const { first, current, write } = await importedForAnother(status);
    const answer = `${await write('Qual é o valor?')}\n${await write('Quero pagar, me manda o pix')}`;
    expect(answer).toContain('não há cobrança ativa');
    expect(answer).not.toMatch(/Bruno|987,65|br\.gov\.bcb\.pix/);
    expect(answer).not.toContain(current.id);
    expect(await engine.query(first, 'select from charges where debt_id = $1', [current.id])).toEqual([]);
  },
);

it('who asks for silence is silenced, and not the person who has the debt now', async () => {
  const { ana, first, current, write } = await importedForAnother('EXHAUSTED');
  await write('PARAR');
  expect(await engine.status(current)).toBe('QUEUED');
  const other = await engine.debt({ ...ana, clientId: first.clientId, campaignId: first.campaignId });
  await engine.contact(other);
  expect(engine.sent.filter(({ purpose }) => purpose === 'collection')).toEqual([]);
});

it.each([
  'Quero falar com um atendente',
  'Já paguei na recepção, no cartão',
  'Perdi o emprego, não consigo pagar',
  'Não reconheço essa dívida',
])('what is asked by who had the debt before is no case of the person who has it now: %s', async (text) => {
  const { ana, first, current, write } = await importedForAnother('EXHAUSTED');
  await write(text);
  expect(await engine.query(first, 'select reason from inbox_items where debt_id = $1', [current.id])).toEqual([]);
  expect(await engine.status(current)).toBe('QUEUED');
  const asked = 'select requests from person_requests where debtor_tax_id = $1 and requests <> $2';
  expect(await engine.query(first, asked, [ana.cpf, []])).toEqual([]);
});
