import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DebtTransition } from '../../src/kernel/debt-status.ts';
import { type Mail, MailerError } from '../../src/kernel/ports/mailer.ts';
import { moveDebt } from '../../src/modules/debts/use-cases/move-debt.ts';
import { snoozeDebt } from '../../src/modules/debts/use-cases/snooze-debt.ts';
import { mailInboxDigests } from '../../src/modules/staff-mail/use-cases/mail-inbox-digests.ts';
import { ask } from '../../testing/database.ts';
import { type GivenDebt, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const CHILD = fileURLToPath(new URL('./fixtures/digest-mailer.ts', import.meta.url));

const engine = await opened(openEngine());

describe('the digests of the inbox', () => {
  let mails: Mail[];
  let failures: (MailerError | 'none')[];
  const stops: (() => Promise<unknown>)[] = [];
  const clients: string[] = [];

  beforeEach(() => {
    mails = [];
    failures = [];
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    // What one test has left must not be mailed in the next one.
    for (const id of clients.splice(0))
      await inClient(id, 'update inbox_items set closed_at = quita_now() where closed_at is null', []);
  });

  const inClient = (clientId: string, text: string, params: unknown[]): Promise<object[]> =>
    engine.db.tenant(clientId).transactional((tx) => runInTransaction(tx, text, params));
  const mailer = (sandbox: boolean) => ({
    async send(mail: Mail) {
      const failure = failures.shift() ?? 'none';
      if (failure !== 'none') throw failure;
      mails.push({ ...mail, subject: `${sandbox ? 'sandbox: ' : ''}${mail.subject}` });
    },
  });
  const notes: string[] = [];
  const run = (given: { readonly off?: true } = {}): Promise<number> =>
    mailInboxDigests({
      db: engine.db,
      now: () => new Date(engine.present()),
      publicUrl: 'https://quita.example',
      note: (message) => void notes.push(message),
      mailerOf: ({ sandbox }) => (given.off === true && !sandbox ? null : mailer(sandbox)),
    })(() => {});

  interface GivenClient {
    readonly contactEmail?: string;
    readonly confirmed?: boolean;
    readonly verified?: boolean;
  }
  const make = async (given: GivenDebt = {}, client: GivenClient = {}): Promise<MadeDebt> => {
    const debt = await engine.debt({ status: 'IN_COLLECTION', ...somebody(), ...given });
    const { contactEmail = null, confirmed = true, verified = true } = client;
    clients.push(debt.clientId);
    if (given.clientId === undefined) await setClient(debt.clientId, { contactEmail, confirmed, verified });
    return debt;
  };
  const setClient = async (
    id: string,
    { contactEmail, confirmed, verified }: { contactEmail: string | null; confirmed: boolean; verified: boolean },
  ): Promise<void> => {
    const moment = (is: boolean) => (is ? 'quita_now()' : 'null');
    await asOwner(
      `update clients set contact_email = $2, email_confirmed_at = ${moment(confirmed)}, verified_at = ${moment(verified)},
         verified_name = name, verified_cnpj = '11222333000181' where id = $1`,
      [id, contactEmail],
    );
  };
  const asOwner = async (text: string, params: unknown[]): Promise<void> => {
    await ask(engine.url, 'alter table clients no force row level security');
    try {
      await ask(engine.url, text, params);
    } finally {
      await ask(engine.url, 'alter table clients force row level security');
    }
  };
  const move = (debt: MadeDebt, event: DebtTransition = 'disputed') =>
    engine.db
      .tenant(debt.clientId)
      .transactional((tx) => moveDebt(tx, engine.deps.workflows, debt.id, event, engine.present()));
  /** Lets real time pass for the items of a client and its digests. */
  const pass = (debt: MadeDebt, interval = '20 seconds'): Promise<object[]> =>
    inClient(debt.clientId, `update inbox_items set since = since - $1::interval, told_at = told_at - $1::interval`, [
      interval,
    ]);
  const emailOf = ({ clientId }: MadeDebt): string => `f@${clientId}.com.br`;

  it('leaves out what is snoozed, and tells it when the snooze is over', async () => {
    const debt = await make();
    const other = await make({ clientId: debt.clientId });
    for (const each of [debt, other]) await move(each);
    await pass(debt);
    const until = new Date(engine.present() + 3_600_000);
    const source = { by: 'session', ip: '127.0.0.1' } as const;
    for (const { id } of [debt, other])
      await snoozeDebt(engine.deps)({ clientId: debt.clientId, debtId: id, until, source });
    expect(await run()).toBe(0);
    await inClient(debt.clientId, 'update inbox_items set snoozed_until = null where debt_id = $1', [debt.id]);
    expect(await run()).toBe(1);
    expect(mails[0]?.text).toMatch(/1/);
    await pass(debt, '20 minutes');
    expect(await run()).toBe(0);
    await inClient(debt.clientId, `update inbox_items set snoozed_until = quita_now() where debt_id = $1`, [other.id]);
    expect(await run()).toBe(1);
  });

  it('tell once what waits, without a word or a datum of a debtor', async () => {
    const debt = await make();
    await engine.hear(debt, 'não reconheço essa dívida, CPF 529.982.247-25, sou Maria da Silva');
    expect(await run()).toBe(0);
    await pass(debt);
    expect(await run()).toBe(1);
    expect(mails).toMatchObject([{ to: emailOf(debt), subject: 'Quita: um caso espera por você' }]);
    const { text = '', html = '' } = mails[0] ?? {};
    expect(text).toContain('- 1 cobrança contestada:\n  https://quita.example/atendimento?motivo=disputed');
    expect(text).toContain('Campanha: Mensalidades (1).');
    for (const part of [text, html]) expect(part).not.toMatch(/Maria|529|reconhe|Silva|\+55|checkout/);
    await pass(debt, '1 day');
    expect(await run()).toBe(0);
  });

  it('are one for a storm of 1,000 holds', async () => {
    const debt = await make();
    const ids = await inClient(
      debt.clientId,
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, sandbox)
       select client_id, campaign_id, n + 1, 'Ana', '+55119' || (81000000 + n), n::text, 100, '2026-10-05',
         'IN_COLLECTION', false
       from debts, generate_series(1, 1000) n where id = $1 returning id`,
      [debt.id],
    );
    const debts = ids.map((row) => ({ ...debt, id: (row as { id: string }).id }));
    const moves = debts.map((each, n) => () => move(each, n % 2 === 0 ? 'disputed' : 'unreachable'));
    const AT_ONCE = 8;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = moves.pop(); next !== undefined; next = moves.pop()) await next();
      }),
    );
    await pass(debt);
    await Promise.all([run(), run(), run()]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Quita: 1.000 casos esperam por você');
    expect(mails[0]?.text).toMatch(/500 cobranças contestadas[\s\S]*500 mensagens que não puderam ser enviadas/);
  });

  it('are at most one in a quarter of an hour, and the next one counts all that is open', async () => {
    const debt = await make();
    await move(debt);
    await pass(debt);
    expect(await run()).toBe(1);
    const second = await make({ clientId: debt.clientId, campaignId: debt.campaignId });
    await move(second);
    await pass(debt, '14 minutes');
    expect(await run()).toBe(0);
    await pass(debt, '1 minute');
    expect(await run()).toBe(1);
    expect(mails[1]?.subject).toBe('Quita: um caso espera por você');
    expect(mails[1]?.text).toContain('2 casos estão abertos');
  });

  it('do not tell what was decided before', async () => {
    const debt = await make();
    await move(debt);
    await move(debt, 'resumed');
    await pass(debt);
    expect(await run()).toBe(0);
    await move(debt);
    await pass(debt);
    expect(await run()).toBe(1);
  });

  it('of two clients are two mails, each with its own', async () => {
    const [one, other] = [await make(), await make()];
    for (const debt of [one, other]) {
      await move(debt);
      await pass(debt);
    }
    expect(await run()).toBe(2);
    expect(mails.map(({ to }) => to).sort()).toEqual([emailOf(one), emailOf(other)].sort());
    for (const { text } of mails) expect(text).toContain('- 1 cobrança contestada');
  });

  it.each([
    ['the contact address of a verified company', { contactEmail: 'cobranca@escola.com.br' }, 'cobranca@escola.com.br'],
    ['the login without a contact address', {}, 'login'],
    ['the login of a company that nobody has verified', { contactEmail: 'x@vitima.com.br', verified: false }, 'login'],
    [
      'nobody before an address is proved',
      { contactEmail: 'x@vitima.com.br', confirmed: false, verified: false },
      null,
    ],
  ])('go to %s', async (_, client, to) => {
    const debt = await make({}, client);
    await move(debt);
    await pass(debt);
    await run();
    expect(mails.map((mail) => mail.to)).toEqual(to === null ? [] : [to === 'login' ? emailOf(debt) : to]);
  });

  it('about sandbox debts reach no mail server, and do not hold up those about real ones', async () => {
    const client = { contactEmail: 'cobranca@escola.com.br', confirmed: false, verified: false };
    const debt = await make({ sandbox: true }, client);
    await move(debt);
    await pass(debt);
    expect(await run({ off: true })).toBe(1);
    expect(mails).toMatchObject([
      { to: 'cobranca@escola.com.br', subject: expect.stringMatching(/^sandbox: \[TESTE\]/) },
    ]);
    await setClient(debt.clientId, { contactEmail: null, confirmed: true, verified: false });
    const real = await make({ clientId: debt.clientId });
    await move(real);
    await pass(debt);
    expect(await run()).toBe(1);
    expect(mails[1]?.subject).toBe('Quita: um caso espera por você');
    expect(mails[1]?.text).toContain('1 caso está aberto');
  });

  it('wait where e-mail is off, and say everything once it is on', async () => {
    const debt = await make();
    await move(debt);
    await pass(debt);
    expect(await run({ off: true })).toBe(0);
    expect(await run()).toBe(1);
  });

  describe('when the mail server', () => {
    const two = async () => {
      const debts = [await make(), await make()];
      for (const debt of debts) {
        await move(debt);
        await pass(debt);
      }
      return debts;
    };

    it.each([
      ['retryable', undefined],
      ['unauthorized', 535],
    ] as const)('is down (%s), nobody waits for its time-out twice, and nothing is lost', async (kind, status) => {
      await two();
      failures.push(new MailerError(kind, 'of the server', { smtpStatus: status }));
      expect(await run()).toBe(0);
      expect(mails).toEqual([]);
      expect(await run()).toBe(2);
    });

    it('puts one address off, the others get their mail', async () => {
      await two();
      failures.push(new MailerError('retryable', 'greylisted', { smtpStatus: 451 }));
      expect(await run()).toBe(1);
      expect(await run()).toBe(1);
      expect(new Set(mails.map(({ to }) => to)).size).toBe(2);
    });

    it('refuses an address for good, it is not asked again, and the operator sees it', async () => {
      const debt = await make();
      await move(debt);
      await pass(debt);
      failures.push(new MailerError('rejected', 'no such user', { smtpStatus: 550 }));
      expect(await run()).toBe(0);
      await pass(debt, '1 day');
      expect(await run()).toBe(0);
      expect(notes).toContain('A digest of the inbox was refused by the mail server for good.');
    });

    it('does not say whether it took the mail, the mail is not repeated', async () => {
      const debt = await make();
      await move(debt);
      await pass(debt);
      failures.push(new MailerError('unknown_outcome', 'closed'));
      await run();
      expect(await run()).toBe(0);
    });
  });

  it('are not repeated when the worker is killed while the mail server takes the mail', async () => {
    const debt = await make();
    await move(debt);
    await pass(debt);
    const { port, taken } = await silentServer();
    const env = {
      ...process.env,
      DATABASE: engine.url,
      SMTP: `smtp://127.0.0.1:${port}`,
      AHEAD: String(engine.clockOffsetMs),
    };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD], { env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    await until('the mail server has the mail', () => taken.some((line) => line === '.'));
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    await pass(debt, '1 day');
    expect(await run()).toBe(0);
    // What it may have told is counted by the next one, which something new causes.
    const second = await make({ clientId: debt.clientId, campaignId: debt.campaignId });
    await move(second);
    await pass(debt);
    expect(await run()).toBe(1);
    expect(mails[0]?.text).toContain('2 casos estão abertos');
  });

  /** A mail server that takes a mail and never says so. */
  async function silentServer(): Promise<{ port: number; taken: string[] }> {
    const taken: string[] = [];
    const server: Server = createServer((socket) => {
      stops.push(async () => socket.destroy());
      socket.on('error', () => {});
      socket.write('220 test ESMTP\r\n');
      let isData = false;
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').filter(Boolean)) {
          if (isData) taken.push(line);
          else if (line === 'DATA') {
            isData = true;
            socket.write('354 go on\r\n');
          } else socket.write('250 ok\r\n');
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(async () => server.close());
    const address = server.address();
    return { port: typeof address === 'object' && address !== null ? address.port : 0, taken };
  }
});
