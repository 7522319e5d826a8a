import { describe, expect, it } from '@jest/globals';
import { collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { downloadPath } from '../../testing/receipts-harness.ts';

let people = 0;

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

/** A phone whose owner acts as its last four digits say. */
const phone = (area: string, behaviour: string) => `+55${area}98${String(100 + people)}${behaviour}`;
const toOf = async (debtId: string, purpose: string): Promise<string[]> =>
  (await client.outbox(debtId))
    .filter((item: { purpose: string }) => item.purpose === purpose)
    .map(({ to }: { to: string }) => to);

describe('a sandbox debt with several phones', () => {
  it('is paid on the second phone when the first belongs to somebody else, whose links then show nothing', async () => {
    people += 1;
    const debtorPhones = [phone('11', '0006'), phone('21', '0001')];
    const id = await client.launchOne({ debtorPhone: undefined, debtorPhones }, 700);
    const paid = await client.ended(id);
    expect(paid).toMatchObject({ status: 'PAID', debtorPhone: debtorPhones[1], debtorPhones });
    expect(ofKind(paid, 'debt_changed')).toMatchObject([
      { field: 'debtorPhone', reason: 'wrong_person', from: 0, to: 1 },
    ]);
    expect(JSON.stringify(ofKind(paid, 'debt_changed'))).not.toMatch(/\+55|9\d{7}/);
    expect(await toOf(id, 'collection')).toEqual(debtorPhones);
    expect(sent(paid, 'collection')).toHaveLength(2);
    await client.reaches(id, 'the receipt is sent', (debt) => sent(debt, 'receipt').length > 0);
    expect(await toOf(id, 'receipt')).toEqual([debtorPhones[1]]);
    const page = await (await fetch(`${app.url}/checkout/${id}`)).text();
    expect(page).toContain('Nada para mostrar');
    const pressed = await fetch(`${app.url}/checkout/${id}/dispute`, { method: 'POST', headers: { origin: app.url } });
    expect(pressed.status).toBe(404);
  });

  it('ends when every phone belongs to somebody else', async () => {
    people += 1;
    const debtorPhones = [phone('11', '0006'), phone('21', '0006')];
    const id = await client.launchOne({ debtorPhone: undefined, debtorPhones }, 710);
    const debt = await client.ended(id);
    expect(debt.status).toBe('STOPPED');
    expect(await toOf(id, 'collection')).toEqual(debtorPhones);
    // The debt ends before the second phone is answered.
    await client.reaches(id, 'both phones are answered', (each) => sent(each, 'reply').length === 2);
    expect(await toOf(id, 'reply')).toEqual(debtorPhones);
  });

  it('stays silent on every phone after PARAR', async () => {
    people += 1;
    const debtorPhones = [phone('11', '0004'), phone('21', '0001')];
    const id = await client.launchOne({ debtorPhone: undefined, debtorPhones }, 720);
    const debt = await client.ended(id);
    expect(debt).toMatchObject({ status: 'OPTED_OUT', debtorPhone: debtorPhones[0] });
    expect(await toOf(id, 'collection')).toEqual([debtorPhones[0]]);
  });
});

describe('a sandbox debt of a company', () => {
  it('is collected under its whole name, and its receipt says CNPJ', async () => {
    people += 1;
    const given = {
      debtorName: 'Padaria Pão Quente 24 Horas Ltda',
      debtorCpf: undefined,
      debtorCnpj: '12.ABC.345/01DE-35',
      debtorPhone: phone('11', '0001'),
    };
    const id = await client.launchOne(given, 730);
    expect(await client.ended(id)).toMatchObject({ status: 'PAID', debtorCpf: null, debtorCnpj: '12ABC34501DE35' });
    const issued = await client.reaches(id, 'the receipt is sent', (debt) => sent(debt, 'receipt').length > 0);
    expect(sent(issued, 'collection')[0]?.['text']).toMatch(
      /^Olá! Esta mensagem é para o financeiro da Padaria Pão Quente 24 Horas Ltda\. /,
    );
    expect(sent(issued, 'collection')[0]?.['text']).toContain('Se este número não é da empresa, por favor, avise');
    const protocol = ofKind(issued, 'receipt_issued')[0]?.['protocol'];
    const response = await fetch(app.url + downloadPath(protocol));
    const { text } = await readPdf(Buffer.from(await response.arrayBuffer()));
    expect(text.replace(/\s+/g, ' ')).toContain('(CNPJ **.ABC.345/01DE-**)');
    expect(app.logText()).not.toMatch(/12ABC34501DE35|12\.ABC/);
  });
});
