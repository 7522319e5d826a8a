import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { ALL_ROLES, type Debtor, newDebt, startPaymentsApp } from './support.ts';

const app = await opened(startPaymentsApp({ roles: ALL_ROLES }));

const CONTACT = 'atendimento@contato-da-escola.com.br';
const QUESTION = 'Como vocês conseguiram meu número? Isso é permitido pela LGPD?';
const loginEmailOf = async ({ client }: Debtor) =>
  (await app.query<{ email: string }>('select email from clients where id = $1', [client.id]))[0]!.email;

interface Sent {
  readonly text: string;
  readonly document: { readonly url: string } | null;
}

const sentTo = (debtor: Debtor, what: string, found: (sent: Sent[]) => boolean) =>
  until(
    what,
    async () => {
      const sent = await app.query<Sent>('select text, document from sandbox_outbox where debt_id = $1 order by seq', [
        debtor.id,
      ]);
      return found(sent) && sent;
    },
    { timeoutMs: 30_000 },
  );

/** Returns every text for a debtor that names the creditor: page, answer, receipt, e-mail and verification. */
async function everythingOf(debtor: Debtor): Promise<string[]> {
  const page = async () => (await app.get<string>(`/checkout/${debtor.id}`)).body;
  const open = await page();
  const asked = await debtor.client.call('POST', `/api/sandbox/debts/${debtor.id}/messages`, { text: QUESTION });
  expect(asked.status).toBe(202);
  await sentTo(debtor, 'the answer', (sent) => sent.some(({ text }) => text.includes('LGPD')));
  expect((await debtor.client.call('POST', `/api/sandbox/debts/${debtor.id}/pay`)).status).toBe(202);
  const sent = await sentTo(
    debtor,
    'receipt and e-mail',
    (all) => all.filter(({ document }) => document !== null).length >= 2,
  );
  const verify = sent
    .find(({ document }) => document !== null)!
    .document!.url.replace('/api/receipts/download/', '/verify/');
  const verified = await app.get<string>(new URL(verify).pathname + new URL(verify).search);
  expect(verified.status).toBe(200);
  return [open, await page(), verified.body, ...sent.map(({ text }) => text)];
}

describe('the creditor as a debtor sees it', () => {
  it('never has the e-mail of the login, with which anybody could lock the account', async () => {
    const debtor = await newDebt(app, { debtorEmail: 'ana@example.com' });
    const login = await loginEmailOf(debtor);
    const seen = await everythingOf(debtor);
    for (const text of seen) expect(text).not.toContain(login);
    expect(seen[0]).toContain('por um canal que você já conhece');
    expect(seen.join('\n')).not.toMatch(/escreva para\s*\.|undefined|null/);
  });

  it('has the contact e-mail where the client gives one', async () => {
    const debtor = await newDebt(app, { debtorEmail: 'ana@example.com' });
    await app.query('update clients set contact_email = $2 where id = $1', [debtor.client.id, CONTACT]);
    const seen = await everythingOf(debtor);
    const login = await loginEmailOf(debtor);
    for (const text of seen) expect(text).not.toContain(login);
    expect(seen[0]).toContain(`escreva para ${CONTACT}`);
    expect(seen.some((text) => text.includes('LGPD') && text.includes(`em ${CONTACT}`))).toBe(true);
  });
});
