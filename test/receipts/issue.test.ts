import { describe, expect, it } from '@jest/globals';
import { CURRENT_TEMPLATE_VERSION } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { pathOf } from '../../testing/receipts-harness.ts';

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

const outboxOf = (debtId: string, purpose: string, count: number) =>
  until(`${count} × ${purpose}`, async () => {
    const items = (await client.outbox(debtId)).filter((item: { purpose: string }) => item.purpose === purpose);
    return items.length >= count ? items : null;
  });

describe('a debt that is paid', () => {
  it('gets a receipt, which is sent once by message and by e-mail and can be downloaded and verified', async () => {
    const debtId = await client.launchOne(
      {
        debtorPhone: '+5511981000001',
        debtorEmail: 'joana@example.com.br',
        description: 'Mensalidade de outubro',
      },
      701,
    );
    // Both deliveries run concurrently, so either may end first.
    const debt = await client.reaches(
      debtId,
      'sent and mailed',
      (one) => ofKind(one, 'email_sent').length > 0 && sent(one, 'receipt').length > 0,
    );
    expect(debt.status).toBe('PAID');
    const issued = ofKind(debt, 'receipt_issued');
    expect(issued).toHaveLength(1);
    const { protocol } = issued[0]!;
    expect(sent(debt, 'receipt')).toMatchObject([{ delivery: 'sent', channel: 'sandbox' }]);
    expect(ofKind(debt, 'email_sent')).toMatchObject([{ delivery: 'sent', protocol }]);

    const outbox = await outboxOf(debtId, 'receipt', 2);
    expect(outbox).toHaveLength(2);
    const message = outbox.find(({ channel }: { channel: string }) => channel === 'sandbox');
    const mail = outbox.find(({ channel }: { channel: string }) => channel === 'email');
    expect(message).toMatchObject({
      to: '+5511981000001',
      document: { filename: `termo-de-quitacao-${protocol}.pdf` },
    });
    expect(mail).toMatchObject({ to: 'joana@example.com.br', document: message.document });
    expect(message.text).toContain(message.document.url);

    const receipt = await client.call('POST', `/api/receipts/${debtId}`);
    expect(receipt.status).toBe(200);
    expect(receipt.body).toEqual({
      protocol,
      debtId,
      paymentId: ofKind(debt, 'payment_approved')[0]!['paymentId'],
      issuedAt: expect.any(String),
      templateVersion: CURRENT_TEMPLATE_VERSION,
      url: message.document.url,
      sent: false,
    });
    const file = await fetch(app.url + pathOf(receipt.body.url));
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    const { text } = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(text).toContain(protocol);
    expect(text).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect(text).toContain('R$ 150,75');
    expect(text.replace(/\s+/g, ' ')).toContain('Natureza Mensalidade de outubro');
    const page = await fetch(app.url + pathOf(receipt.body.url).replace('/api/receipts/download/', '/verify/'));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Termo autêntico');
    expect((await client.call('GET', `/api/payments/${debtId}`)).body.receiptProtocol).toBe(protocol);
    const checkout = await (await fetch(`${app.url}/checkout/${debtId}`)).text();
    expect(checkout).toContain(pathOf(receipt.body.url).replaceAll('&', '&amp;'));
  });

  it('sends it once more to the phone of the debt on request, whatever the body contains', async () => {
    const debtId = await client.launchOne({ debtorPhone: '+5511981200001' }, 703);
    await client.reaches(debtId, 'sent', (one) => sent(one, 'receipt').length > 0);
    const asked = await client.call('POST', `/api/receipts/${debtId}?send=true`, {
      phone: '+5511900000000',
      to: '+5511900000000',
      debtorPhone: '+5511900000000',
    });
    expect(asked).toMatchObject({ status: 200, body: { sent: true } });
    const messages = await outboxOf(debtId, 'receipt', 2);
    expect(messages.map(({ to }: { to: string }) => to)).toEqual(['+5511981200001', '+5511981200001']);
    const again = await client.reaches(debtId, 'twice', (one) => sent(one, 'receipt').length === 2);
    expect(ofKind(again, 'receipt_issued')).toHaveLength(1);
  });

  it('answers a later message once with the link', async () => {
    const debtId = await client.launchOne({ debtorPhone: '+5511981100001' }, 702);
    await client.reaches(debtId, 'sent', (one) => sent(one, 'receipt').length > 0);
    await client.say(debtId, 'Vocês receberam meu pix?');
    const debt = await client.reaches(debtId, 'answered', (one) => sent(one, 'reply').length > 0);
    expect(debt.status).toBe('PAID');
    expect(sent(debt, 'reply')).toHaveLength(1);
    const { url } = (await client.call('POST', `/api/receipts/${debtId}`)).body;
    expect(sent(debt, 'reply')[0]!['text']).toContain(url);
  });
});
