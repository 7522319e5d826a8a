import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { MailerError } from '../../src/kernel/ports/mailer.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { lockDebts } from '../../src/modules/debts/use-cases/debt-context.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { eraseAsAsked } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { reopenDelivery } from '../../src/modules/receipts/queries/receipt-deliveries.ts';
import { restoreReceipt, revokeReceipt } from '../../src/modules/receipts/use-cases/revoke-receipt.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import {
  downloadPath,
  type GivenPayment,
  type PaidDebt,
  paidDebt,
  verifyPath,
} from '../../testing/receipts-harness.ts';
import { DEAD_PORT, openPostOffice, type PostServer, smtpMailer, startSilentSmtp, startSmtp } from './postman.ts';

let office: Awaited<ReturnType<typeof openPostOffice>>;
const servers: PostServer[] = [];
const MINUTE = 60_000;
const DONE = { kind: 'finish', status: 'PAID', needsOperator: false };
const receiptAt = (at: number) => ({ kind: 'sendReceipt', at, needsOperator: false });

const app = await opened(startCampaignsApp());
const client = await app.newClient();
beforeEach(async () => {
  office = await openPostOffice(app, client.id);
});
afterEach(async () => {
  await office.close();
  for (const server of servers.splice(0)) await server.stop();
});

const paid = (given: GivenPayment = {}) => paidDebt(app.query, client.id, { sandbox: false, ...given });
const mailed = (given: GivenPayment = {}) => paid({ debtorEmail: 'ana@example.com.br', ...given });
const started = async <Kind extends PostServer>(server: Promise<Kind>): Promise<Kind> => {
  servers.push(await server);
  return server;
};

const statesOf = async ({ debtId }: PaidDebt, way: string): Promise<string[]> => {
  const rows = await app.query<{ state: string }>(
    'select state from receipt_deliveries where debt_id = $1 and way = $2 order by wished_at',
    [debtId, way],
  );
  return rows.map(({ state }) => state);
};
type Entry = Record<string, unknown>;
const timeline = async ({ debtId }: PaidDebt, kind: string): Promise<Entry[]> =>
  (await client.call('GET', `/api/debts/${debtId}`)).body.timeline.filter((entry: Entry) => entry['kind'] === kind);
const protocolOf = async (debt: PaidDebt): Promise<string> =>
  (await timeline(debt, 'receipt_issued'))[0]?.['protocol'] as string;

describe('the e-mail of a receipt', () => {
  it('contains the document and is sent once, however often the delivery is repeated', async () => {
    const server = await started(startSmtp());
    office.post(smtpMailer(server.port));
    const debt = await mailed();
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(server.received).toHaveLength(1);
    const mail = await PostalMime.parse(server.received[0]!);
    const protocol = await protocolOf(debt);
    expect(mail.to).toEqual([{ address: 'ana@example.com.br', name: '' }]);
    expect(mail.subject).toContain(protocol);
    // "É verdade?" recognises the whole mail, and the message beside it.
    for (const text of [mail.text ?? '', office.sent[0]!.text]) {
      const hash = office.deps.textHashes.toStore(text);
      expect(await app.query('select 1 from sent_texts where hash = $1', [hash])).toHaveLength(1);
    }
    expect(mail.attachments[0]).toMatchObject({
      mimeType: 'application/pdf',
      filename: `termo-de-quitacao-${protocol}.pdf`,
    });
    const stored = await fetch(app.url + downloadPath(protocol));
    const attached = Buffer.from(mail.attachments[0]!.content as ArrayBuffer);
    expect(attached.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
    expect(await timeline(debt, 'email_sent')).toMatchObject([{ delivery: 'sent', protocol }]);
    expect(office.sent).toMatchObject([
      { to: { phone: expect.any(String) }, document: { filename: mail.attachments[0]!.filename } },
    ]);
    expect(office.sent[0]!.template?.name).toBe('quita_receipt_v2');
  });

  it('waits for a server that is down, and is sent when it is back', async () => {
    office.post(smtpMailer(DEAD_PORT));
    const debt = await mailed();
    const first = await office.deliver(debt);
    expect(first).toEqual(receiptAt(office.at() + MINUTE));
    expect(await timeline(debt, 'email_sent')).toEqual([]);
    expect(await timeline(debt, 'receipt_issued')).toHaveLength(1);
    expect(office.sent).toHaveLength(1);
    const server = await started(startSmtp());
    office.post(smtpMailer(server.port));
    office.goTo(timerOf(first)!);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(server.received).toHaveLength(1);
    expect(await timeline(debt, 'email_sent')).toMatchObject([{ delivery: 'sent' }]);
    expect(office.sent).toHaveLength(1);
  });

  it('fails visibly when the server stays down, and the receipt remains issued', async () => {
    office.post(smtpMailer(DEAD_PORT));
    const debt = await mailed();
    let tries = 0;
    for (let step = await office.deliver(debt); ; step = await office.deliver(debt)) {
      tries += 1;
      const at = timerOf(step);
      if (at === null) break;
      office.goTo(at);
    }
    expect(tries).toBe(6);
    expect(await timeline(debt, 'email_sent')).toMatchObject([{ delivery: 'failed' }]);
    expect((await app.get(downloadPath(await protocolOf(debt)))).status).toBe(200);
    expect(office.sent).toHaveLength(1);
  });

  it('is not repeated to a server that refuses the address', async () => {
    const refusal = Object.assign(new Error('no such user'), { responseCode: 550 });
    const server = await started(startSmtp({ onRcptTo: (_address, _session, done) => done(refusal) }));
    office.post(smtpMailer(server.port));
    const debt = await mailed();
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(await timeline(debt, 'email_sent')).toMatchObject([{ delivery: 'failed' }]);
    expect(await protocolOf(debt)).toBeDefined();
  });

  it('goes to the next address of the debt when the server refuses one, and to nobody after the last', async () => {
    const refusal = Object.assign(new Error('no such user'), { responseCode: 550 });
    const server = await started(
      startSmtp({ onRcptTo: ({ address }, _session, done) => done(/^(ana|rui)@/.test(address) ? refusal : undefined) }),
    );
    office.post(smtpMailer(server.port));
    const addresses = ['ana@example.com.br', 'rui@example.com.br', 'eva@example.com.br', 'leo@example.com.br'];
    const debt = await mailed();
    const give = (list: readonly string[]) =>
      app.query('update debts set debtor_emails = $2 where id = $1', [debt.debtId, list]);
    await give(addresses);
    expect(await office.deliver(debt)).toEqual(receiptAt(office.at()));
    expect(await office.deliver(debt)).toEqual(receiptAt(office.at()));
    expect(await office.deliver(debt)).toEqual(DONE);
    expect((await timeline(debt, 'email_sent')).map(({ delivery }) => delivery)).toEqual(['failed', 'failed', 'sent']);
    expect(await timeline(debt, 'debt_changed')).toMatchObject([
      { field: 'debtorEmail', reason: 'undeliverable', from: 0, to: 1 },
      { field: 'debtorEmail', reason: 'undeliverable', from: 1, to: 2 },
    ]);
    expect((await client.call('GET', `/api/debts/${debt.debtId}`)).body).toMatchObject({
      debtorEmail: 'eva@example.com.br',
      debtorEmails: addresses,
    });
    expect(server.received).toHaveLength(1);
    expect(office.sent).toHaveLength(1);
  });

  it('has an unknown outcome when the server confirms too slowly, and is not repeated', async () => {
    const server = await started(startSilentSmtp());
    office.post(smtpMailer(server.port, 300));
    const debt = await mailed();
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(await timeline(debt, 'email_sent')).toMatchObject([{ delivery: 'unknown' }]);
    expect(server.received.length).toBeGreaterThan(0);
    const seen = server.received.length;
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(server.received).toHaveLength(seen);
  });

  it('is not sent where there is no address, or no server', async () => {
    const server = await started(startSmtp());
    office.post(smtpMailer(server.port));
    expect(await office.deliver(await paid())).toEqual(DONE);
    office.post(null);
    expect(await office.deliver(await mailed())).toEqual(DONE);
    expect(server.received).toEqual([]);
  });
});

describe('the message with a receipt', () => {
  it('is tried again while the channel fails, and each attempt is on the timeline', async () => {
    let failures = 2;
    office.failWith(() => (failures-- > 0 ? new MessagingError('retryable', 'busy', { retryAfterSeconds: 90 }) : null));
    const debt = await paid();
    const first = await office.deliver(debt);
    expect(timerOf(first)).toBe(office.at() + 90_000);
    office.goTo(timerOf(first)!);
    const second = await office.deliver(debt);
    expect(timerOf(second)).toBe(office.at() + 10 * MINUTE);
    office.goTo(timerOf(second)!);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect((await timeline(debt, 'message_sent')).map(({ delivery }) => delivery)).toEqual([
      'failed',
      'failed',
      'sent',
    ]);
    expect(office.sent).toHaveLength(1);
  });

  it('fails at once where the channel cannot reach this person', async () => {
    office.failWith(() => new MessagingError('undeliverable', 'no such number'));
    const debt = await paid();
    expect(await office.deliver(debt)).toEqual(DONE);
    expect((await timeline(debt, 'message_sent')).map(({ delivery }) => delivery)).toEqual(['failed']);
    expect(await protocolOf(debt)).toBeDefined();
  });

  it('is not tried again when the debtor is erased meanwhile', async () => {
    const debt = await paid();
    const erase = eraseAsAsked({ db: office.deps.db, now: office.deps.now, personKeys: office.deps.personKeys });
    office.failWith(async () => {
      await erase({ clientId: client.id, debtId: debt.debtId });
      return new MessagingError('retryable', 'busy');
    });
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(await statesOf(debt, 'message')).toEqual(['refused']);
  });

  it('of a dead worker becomes unknown and is not repeated', async () => {
    const server = await started(startSmtp());
    office.post(smtpMailer(server.port));
    const debt = await mailed();
    await office.deliver(debt);
    await app.query(`update receipt_deliveries set state = 'booked' where debt_id = $1`, [debt.debtId]);
    await app.query(`update messages set delivery = 'booked' where debt_id = $1`, [debt.debtId]);
    await app.query(`delete from debt_events where debt_id = $1 and kind in ('message_sent', 'email_sent')`, [
      debt.debtId,
    ]);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect((await timeline(debt, 'message_sent')).map(({ delivery }) => delivery)).toEqual(['unknown']);
    expect((await timeline(debt, 'email_sent')).map(({ delivery }) => delivery)).toEqual(['unknown']);
    expect(office.sent).toHaveLength(1);
    expect(server.received).toHaveLength(1);
  });

  it('is sent once when the same delivery runs twice concurrently', async () => {
    const debt = await paid();
    await Promise.all([office.deliver(debt), office.deliver(debt)]);
    expect(office.sent).toHaveLength(1);
    expect(await timeline(debt, 'receipt_issued')).toHaveLength(1);
  });

  it('of many debts with concurrent deliveries is sent once each, without a deadlock', async () => {
    const server = await started(startSmtp());
    office.post(smtpMailer(server.port));
    const debts = await Promise.all(Array.from({ length: 12 }, () => mailed()));
    await Promise.all(debts.flatMap((debt) => Array.from({ length: 4 }, () => office.deliver(debt))));
    expect(office.sent).toHaveLength(debts.length);
    expect(server.received).toHaveLength(debts.length);
  });

  it.each(['opt_out', 'wrong_person'])(
    'is not pushed after %s, nor is the mail; the receipt is there',
    async (kind) => {
      const server = await started(startSmtp());
      office.post(smtpMailer(server.port));
      const debt = await mailed();
      const [row] = await app.query<{ debtor_tax_id: string; debtor_phone: string }>(
        'select debtor_tax_id, debtor_phone from debts where id = $1',
        [debt.debtId],
      );
      const { personKeys } = office.deps;
      await app.query(
        `insert into suppressions (sandbox, kind, person_key, phone_key, client_id, sender)
       values (false, $1, $2, $3, $4, null)`,
        [kind, personKeys.person(row!.debtor_tax_id), personKeys.phone(row!.debtor_phone), client.id],
      );
      expect(await office.deliver(debt)).toEqual(DONE);
      expect(office.sent).toEqual([]);
      expect(server.received).toEqual([]);
      expect((await app.get(downloadPath(await protocolOf(debt)))).status).toBe(200);
    },
  );
});

describe('a receipt whose payment is returned', () => {
  const revoke = (debt: PaidDebt, reason: 'refund' | 'chargeback') =>
    office.deps.db
      .tenant(client.id)
      .transactional((tx) => revokeReceipt(tx, debt.paymentId, reason, new Date('2026-12-01T12:00:00Z')));
  /** Begins both works while the debt is locked, and revokes its receipt before they get the lock. */
  const whileLocked = async <First, Second>(
    debt: PaidDebt,
    [first, second]: readonly [() => Promise<First>, () => Promise<Second>],
  ): Promise<[First, Second]> => {
    const begun = await office.deps.db.tenant(client.id).transactional(async (tx) => {
      await lockDebts(tx, [debt.debtId]);
      const works = [first(), second()] as const;
      await pause(500);
      await revokeReceipt(tx, debt.paymentId, 'refund', new Date(office.at()));
      // A promise would be awaited here, and both wait for the end of this transaction.
      return { works };
    });
    return Promise.all(begun.works);
  };

  it.each([
    ['refund', 'voltou, no todo ou em parte'],
    ['chargeback', 'o pagamento foi contestado'],
  ] as const)('says so after a %s: on the page, in the document, to the client', async (reason, because) => {
    const debt = await paid();
    await office.deliver(debt);
    const protocol = await protocolOf(debt);
    expect(await revoke(debt, reason)).toEqual({ protocol });
    expect(await revoke(debt, reason)).toBeNull();
    const downloads = await Promise.all(Array.from({ length: 20 }, () => fetch(app.url + downloadPath(protocol))));
    const bodies = await Promise.all(downloads.map((answer) => answer.arrayBuffer()));
    expect(new Set(bodies.map((body) => Buffer.from(body).toString('base64'))).size).toBe(1);
    const { text } = await readPdf(new Uint8Array(bodies[0]!));
    expect(text).toContain('REVOGADO em 01/12/2026');
    expect(text.replace(/\s+/g, ' ')).toContain(because);
    const page = (await app.get<string>(verifyPath(protocol))).body;
    expect(page).toContain('Termo revogado em 01/12/2026');
    expect(page).toContain(because);
    expect(page).not.toContain('Termo autêntico');
    const [audited] = await app.query(
      `select details ->> 'sha256' as sha256 from audit_log where target = $1 and action = 'receipt_redrawn'`,
      [protocol],
    );
    expect(page).toContain((audited as { sha256: string }).sha256);
    expect((await client.call('POST', `/api/receipts/${debt.debtId}?send=true`)).body).toMatchObject({
      protocol,
      sent: false,
      reason: 'revoked',
      revokedAt: '2026-12-01T12:00:00.000Z',
    });
  });

  it('says when it was revoked and when it became valid again, and may be sent again', async () => {
    const debt = await paid();
    await office.deliver(debt);
    const protocol = await protocolOf(debt);
    await revoke(debt, 'chargeback');
    const restore = () =>
      office.deps.db
        .tenant(client.id)
        .transactional((tx) => restoreReceipt(tx, debt.paymentId, new Date('2026-12-20T15:00:00Z')));
    expect(await restore()).toEqual({ protocol });
    expect(await restore()).toBeNull();
    const page = (await app.get<string>(verifyPath(protocol))).body;
    expect(page).toContain('Termo autêntico');
    expect(page).toContain('Revogado em 01/12/2026, porque o pagamento foi contestado');
    expect(page).toContain('Restabelecido em 20/12/2026');
    const file = await fetch(app.url + downloadPath(protocol));
    const { text } = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(text).toContain('RESTABELECIDO em 20/12/2026');
    const { body } = await client.call('POST', `/api/receipts/${debt.debtId}?send=true`);
    expect(body).toMatchObject({ protocol, sent: true });
    expect(body.revokedAt).toBeUndefined();
    expect(await revoke(debt, 'refund')).toEqual({ protocol });
    expect((await app.get<string>(verifyPath(protocol))).body).toContain('Termo revogado em 01/12/2026');
  });

  it('is sent as it is now, also when its document was last read while it was revoked', async () => {
    const debt = await paid();
    await office.deliver(debt);
    const protocol = await protocolOf(debt);
    await revoke(debt, 'chargeback');
    await fetch(app.url + downloadPath(protocol));
    await office.deps.db
      .tenant(client.id)
      .transactional((tx) => restoreReceipt(tx, debt.paymentId, new Date('2026-12-20T15:00:00Z')));
    await client.call('POST', `/api/receipts/${debt.debtId}?send=true`);
    office.goTo(timerOf(await office.deliver(debt))!);
    await office.deliver(debt);
    const { text } = await readPdf(office.sent.at(-1)!.document!.content);
    expect(text).toContain('RESTABELECIDO em 20/12/2026');
    expect(office.sent).toHaveLength(2);
  });

  it('is not sent any more', async () => {
    office.failWith(() => new MessagingError('retryable', 'busy'));
    const debt = await paid();
    const at = timerOf(await office.deliver(debt));
    await revoke(debt, 'refund');
    office.failWith(() => null);
    office.goTo(at!);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(office.sent).toEqual([]);
  });

  it.each(['message', 'email'])(
    'is not sent any more when the %s that is being sent then fails for now',
    async (way) => {
      const debt = await (way === 'email' ? mailed() : paid());
      let tries = 0;
      const busy = async <Failure extends Error>(failure: Failure) => {
        tries += 1;
        await revoke(debt, 'chargeback');
        return failure;
      };
      if (way === 'message') office.failWith(() => busy(new MessagingError('retryable', 'busy')));
      else office.post({ send: async () => Promise.reject(await busy(new MailerError('retryable', 'busy'))) });
      expect(await office.deliver(debt)).toEqual(DONE);
      expect(await statesOf(debt, way)).toEqual(['refused']);
      office.goTo(office.at() + MINUTE);
      expect(await office.deliver(debt)).toEqual(DONE);
      expect(tries).toBe(1);
    },
  );

  it('is not sent when the payment goes back while the delivery waits for the debt', async () => {
    const debt = await paid();
    await client.call('POST', `/api/receipts/${debt.debtId}`);
    const [delivered, asked] = await whileLocked(debt, [
      () => office.deliver(debt),
      () => client.call('POST', `/api/receipts/${debt.debtId}?send=true`),
    ]);
    expect(delivered).toEqual(DONE);
    expect(asked.body).toMatchObject({ sent: false, reason: 'revoked' });
    expect(office.sent).toEqual([]);
  });

  it('is not sent again when the channel could not deliver it', async () => {
    const debt = await paid();
    await office.deliver(debt);
    await revoke(debt, 'refund');
    const [delivery] = await app.query<{ id: string }>('select id from receipt_deliveries where debt_id = $1', [
      debt.debtId,
    ]);
    await office.deps.db
      .tenant(client.id)
      .transactional((tx) => reopenDelivery(tx, delivery!.id, new Date(office.at())));
    expect(await statesOf(debt, 'message')).toEqual(['sent']);
  });

  it('makes way for the receipt of the payment that settles the debt then, which is sent once', async () => {
    const debt = await paid();
    office.failWith(() => new MessagingError('retryable', 'busy'));
    await office.deliver(debt);
    const waiting = await protocolOf(debt);
    // Staff had recorded the payment by mistake, and the debtor pays a week later.
    await app.query(`update charges set status = 'CANCELLED', approved_at = null, undone_at = now() where id = $1`, [
      debt.paymentId,
    ]);
    await app.query(
      `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
         amount_centavos, paid_centavos, expires_at, approved_at, paid_at, credited_on)
       select gen_random_uuid(), client_id, debt_id, 2, provider, id::text, id::text, 'APPROVED', amount_centavos,
         amount_centavos, expires_at, now(), now(), current_date from charges where id = $1`,
      [debt.paymentId],
    );
    office.failWith(() => null);
    office.goTo(office.at() + 7 * 24 * 60 * MINUTE);
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(office.sent).toHaveLength(1);
    expect(office.sent[0]!.text).not.toContain(waiting);
    expect(await statesOf(debt, 'message')).toEqual(['refused', 'sent']);
  });

  it('before it was drawn shows the revocation and is not sent', async () => {
    const debt = await paid({ refundedCentavos: 15_075 });
    expect(await office.deliver(debt)).toEqual(DONE);
    expect(office.sent).toEqual([]);
    const file = await fetch(app.url + downloadPath(await protocolOf(debt)));
    expect((await readPdf(new Uint8Array(await file.arrayBuffer()))).text).toContain('REVOGADO');
  });
});
