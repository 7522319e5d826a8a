import { expect, it } from '@jest/globals';
import { type Mail, MailerError } from '../../src/kernel/ports/mailer.ts';
import { genuineLine } from '../../src/kernel/texts/genuine.ts';
import { createTextHashes } from '../../src/modules/genuine/use-cases/text-hashes.ts';
import { mailRights } from '../../src/modules/rights/use-cases/mail-rights.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { formsOfMail } from '../../src/platform/mail/email.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const mails: Mail[] = [];
let failure: MailerError | null = null;
const run = () =>
  mailRights({
    db,
    now: () => new Date(),
    publicUrl: 'https://quita.example',
    textHashes: createTextHashes([SECRETS['ENCRYPTION_KEY']!]),
    mailerOf: () => ({
      send: async (mail) => {
        if (failure !== null) throw failure;
        mails.push(mail);
      },
    }),
  })(() => {});

const input = debtInput(1, { debtorName: 'Rui Alves', debtorEmail: 'rui@example.com' });
const { debtId, path, proof, ask } = await openRightsPage(app, client, input);

it('confirms a request once by e-mail, and tells of the answer once, without a word of what it is about', async () => {
  await ask('correcao', { texto: 'O valor está errado.' });
  failure = new MailerError('retryable', 'the server is busy', { stage: 'connection' });
  await run();
  expect(mails).toEqual([]);
  failure = null;
  await run();
  await run();
  expect(mails).toHaveLength(1);
  const [{ id, protocol }] = (await client.call('GET', '/api/rights-requests')).body.items;
  expect(mails[0]).toMatchObject({ to: 'rui@example.com', subject: '[TESTE] Recebemos o seu pedido: Escola Aurora' });
  expect(mails[0]?.text).toContain(protocol);
  expect(mails[0]?.text).toContain(`https://quita.example${path}`);
  const answer = { text: 'Conferimos o valor.', outcome: 'refused' };
  await client.call('POST', `/api/rights-requests/${id}/answer`, answer);
  await run();
  await run();
  expect(mails.map(({ subject }) => subject)).toEqual([
    '[TESTE] Recebemos o seu pedido: Escola Aurora',
    '[TESTE] O seu pedido tem resposta: Escola Aurora',
  ]);
  // Both lead to "É verdade?", which knows them however they were copied.
  for (const { text, html } of mails) {
    expect(text).toContain(genuineLine('https://quita.example'));
    for (const content of formsOfMail({ text, html: html ?? '' })) {
      const { body } = await client.call('POST', '/api/genuine', { content });
      expect(body).toMatchObject({
        genuine: true,
        kind: 'message',
        creditor: { name: 'Escola Aurora' },
        sandbox: true,
      });
    }
  }
  for (const { subject, text } of mails) expect(`${subject} ${text}`).not.toMatch(/valor|errado|R\$|Rui|Conferimos/);
});

it('has the staff told again five days and one day before the term', async () => {
  await ask('revisao', { texto: '' });
  const told = async (daysLeft: number, toldDaysLeft: number): Promise<boolean> => {
    await app.query(
      `update inbox_items set due_at = now() + make_interval(days => $2, mins => -1),
         told_at = now() - make_interval(days => $3 - $2) where debt_id = $1 and reason = 'rights' and closed_at is null`,
      [debtId, daysLeft, toldDaysLeft],
    );
    await run();
    const [row] = await app.query<{ told: boolean }>(
      `select told_at is not null as told from inbox_items
       where debt_id = $1 and reason = 'rights' and closed_at is null`,
      [debtId],
    );
    return row!.told;
  };
  expect(await told(10, 15)).toBe(true);
  expect(await told(5, 15)).toBe(false);
  expect(await told(4, 4)).toBe(true);
  expect(await told(1, 4)).toBe(false);
});

it('is erased with the person, and its file too', async () => {
  const { eraseRights } = await import('../../src/modules/rights/queries/rights-requests.ts');
  const file = new FormData();
  file.set('v', proof);
  file.set('texto', 'Segue o comprovante.');
  file.set('arquivo', new Blob(['%PDF-1.7 x']), 'recibo.pdf');
  await fetch(`${app.url}${path}/contestacao`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url },
    body: file,
  });
  expect(await app.query('select from rights_files where debt_id = $1', [debtId])).toHaveLength(1);
  await db.tenant(client.id).transactional((tx) => eraseRights(tx, [debtId]));
  expect(await app.query('select from rights_files where debt_id = $1', [debtId])).toEqual([]);
  const left = await app.query<{ text: string; answer: string | null }>(
    'select text, answer from rights_requests where debt_id = $1',
    [debtId],
  );
  expect(left).toHaveLength(3);
  for (const { text, answer } of left) expect([text, answer ?? '']).toEqual(['', '']);
});
