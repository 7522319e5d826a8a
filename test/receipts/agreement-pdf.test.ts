import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genuineLine } from '../../src/kernel/texts/genuine.ts';
import { acceptedText } from '../../src/modules/agreements/texts/accepted-text.ts';
import type { AgreementData, DocumentData } from '../../src/modules/receipts/texts/document/agreement-data.ts';
import type { ReceiptData } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { renderDocument } from '../../src/modules/receipts/texts/document/render.ts';
import { AGREEMENT_SPECIMEN, SPECIMEN } from '../../src/modules/receipts/texts/document/specimen.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { findVeraPdf } from '../../testing/verapdf/verapdf.ts';

const REAL: AgreementData = { ...AGREEMENT_SPECIMEN, sandbox: false };

/** An agreement of this many equal instalments, with the words that are accepted. */
function inInstalments(count: number): AgreementData {
  const instalments = Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    dueDate: `${2027 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-10`,
    amountCentavos: REAL.totalCentavos / count,
  }));
  const invoices = REAL.debts.flatMap(({ invoiceId }) => invoiceId ?? []);
  const text = acceptedText({ ...REAL, creditorName: REAL.creditor.name, invoices, instalments });
  return { ...REAL, instalments, accepted: { ...REAL.accepted, text } };
}

const PAYMENT = { ...SPECIMEN.payment, amountCentavos: 25_000 };
const instalment = (openCentavos: number, paid: readonly (readonly [number, number, boolean])[]): ReceiptData => ({
  ...SPECIMEN,
  sandbox: false,
  kind: 'instalment',
  payment: {
    ...PAYMENT,
    instalments: {
      protocol: REAL.protocol,
      totalCentavos: REAL.totalCentavos,
      count: 12,
      paid: paid.map(([number, amountCentavos, isWhole]) => ({
        number,
        dueDate: `2027-${String(number).padStart(2, '0')}-10`,
        amountCentavos,
        isWhole,
      })),
      openCentavos,
    },
  },
});

const byAgreement: ReceiptData = {
  ...SPECIMEN,
  sandbox: false,
  payment: {
    ...SPECIMEN.payment,
    amountCentavos: 100_000,
    credited: { principal: 100_000, fine: 0, interest: 0, correction: 0 },
    waivedCentavos: 27_818,
    agreement: { protocol: REAL.protocol, discountCentavos: 25_000 },
    earlier: [
      { amountCentavos: 40_000, paidAt: new Date('2026-11-02T12:00:00Z'), method: 'pix', byAgreement: true },
      { amountCentavos: 20_000, paidAt: new Date('2026-11-10T12:00:00Z'), method: 'pix', byAgreement: true },
    ],
  },
};

const CASES: Readonly<Record<string, DocumentData>> = {
  agreement: REAL,
  'agreement-sandbox': AGREEMENT_SPECIMEN,
  'agreement-at-once': inInstalments(1),
  'agreement-60': inInstalments(60),
  'agreement-many-debts': {
    ...REAL,
    totalCentavos: 4_000_000,
    discountCentavos: 0,
    debts: Array.from({ length: 40 }, (_, at) => ({
      ...REAL.debts[0]!,
      invoiceId: at % 2 ? `FAT-${at}` : null,
      owedCentavos: 100_000,
      discountCentavos: 0,
    })),
    instalments: [1, 2].map((number) => ({ number, dueDate: '2027-01-11', amountCentavos: 2_000_000 })),
  },
  'agreement-longest': {
    ...REAL,
    creditor: { ...REAL.creditor, name: 'M'.repeat(200) },
    debtor: { name: 'W'.repeat(200), cnpjMasked: '**.222.333/0001-**' },
    debts: [
      {
        ...REAL.debts[0]!,
        invoiceId: 'N'.repeat(120),
        description: 'P'.repeat(200),
        owedCentavos: 9_999_999_999,
        discountCentavos: 0,
      },
    ],
    discountCentavos: 0,
    totalCentavos: 9_999_999_999,
    instalments: [{ number: 1, dueDate: '2027-01-11', amountCentavos: 9_999_999_999 }],
    accepted: { ...REAL.accepted, text: 'Acordo \u0000 😀 com ação' },
  },
  instalment: instalment(140_000, [
    [2, 15_000, true],
    [3, 10_000, false],
  ]),
  'instalment-last': instalment(0, [[12, 25_000, true]]),
  'instalment-ended': instalment(100, []),
  'instalment-revoked': {
    ...instalment(140_000, [[2, 25_000, true]]),
    revokedAt: new Date('2026-12-01T02:30:00Z'),
    revokedReason: 'refund',
  },
  'termo-by-agreement': byAgreement,
};

const flatText = async (data: DocumentData): Promise<string> =>
  (await readPdf(renderDocument(data))).text.replace(/\s+/g, ' ');

describe('the Termo de Acordo, read by another library', () => {
  it('names both parties, each debt, every instalment, the rules and the evidence', async () => {
    const data = inInstalments(12);
    const text = await flatText(data);
    for (const words of [
      'Termo de Acordo',
      'AC-2026-7K3M9X2PAB5',
      'Águas da Serra Saneamento & Serviços Ltda. (CNPJ 11.222.333/0001-81, Rua das Acácias, 120, sala 4, Centro, São José dos Campos/SP, 12210-000), credor, e João Antônio da Conceição Araújo (CPF ***.982.247-**), devedor',
      'pelo valor total de R$ 1.800,00 (mil e oitocentos reais), com desconto de R$ 278,18 sobre o que era devido, em 12 parcelas',
      'Devido em 18/11/2026',
      'FAT-2026/08-003981 Fatura de serviço de água e esgoto 05/08/2026 R$ 780,00 R$ 823,62 R$ 110,21 R$ 713,41',
      'FAT-2026/10-004317 Fatura de serviço de água e esgoto 05/10/2026 R$ 1.234,56 R$ 1.254,56 R$ 167,97 R$ 1.086,59',
      'Total R$ 2.014,56 R$ 2.078,18 R$ 278,18 R$ 1.800,00',
      '12ª 10/12/2027 R$ 150,00',
      'sem ânimo de novar',
      'Se uma parcela passar de 15 dias de atraso',
      'Quando 20/11/2026, às 14:32:08 (UTC-03:00)',
      'Na página de pagamento',
      'Telefone do devedor (12) *****-4567',
      `SHA-256 do texto aceito ${data.accepted.textHash}`,
      data.accepted.text.replace(/\s+/g, ' '),
      'página 1 de 2',
    ]) {
      expect(text).toContain(words);
    }
    expect(text.replace(/\s/g, '')).toContain(data.verifyUrl);
    expect(text).not.toMatch(/TESTE|Recibo de pagamento/);
  });

  it('is tagged, with its metadata, its link and a described code, and always has the same bytes', async () => {
    const bytes = renderDocument(REAL);
    renderDocument(SPECIMEN);
    expect(Buffer.compare(renderDocument(REAL), bytes)).toBe(0);
    const { marked, info, xmp, roles, links, figureTexts } = await readPdf(bytes);
    expect(marked).toBe(true);
    expect(info).toMatchObject({
      Title: 'Termo de Acordo AC-2026-7K3M9X2PAB5',
      CreationDate: 'D:20261120173208Z',
    });
    expect([xmp('pdfaid:part'), xmp('pdfaid:conformance'), xmp('pdfuaid:part')]).toEqual(['2', 'A', '1']);
    expect(roles.filter((role) => role === 'H1')).toHaveLength(1);
    expect(links).toEqual([REAL.verifyUrl]);
    expect(figureTexts).toEqual(['Código QR com o endereço de verificação deste termo']);
  });

  it('shows each of 60 instalments once in order, and numbers its pages', async () => {
    const data = inInstalments(60);
    const { text, pages, pageTexts } = await readPdf(renderDocument(data));
    const flat = text.replace(/\s+/g, ' ');
    for (const { number, dueDate } of data.instalments) {
      const [year, month, day] = dueDate.split('-');
      expect(flat.split(` ${number}ª ${day}/${month}/${year} R$ 30,00 `)).toHaveLength(2);
    }
    expect(pageTexts.map((one) => /página \d+ de \d+/.exec(one)?.[0])).toEqual(
      Array.from({ length: pages }, (_, at) => `página ${at + 1} de ${pages}`),
    );
    expect(pages).toBeLessThanOrEqual(4);
  });

  it('repeats the heads of a table of debts that needs several pages', async () => {
    const { pageTexts } = await readPdf(renderDocument(CASES['agreement-many-debts']!));
    expect(pageTexts.filter((one) => one.includes('No acordo')).length).toBeGreaterThan(1);
  });

  it('marks a sandbox document on every page', async () => {
    const { pageTexts } = await readPdf(renderDocument(AGREEMENT_SPECIMEN));
    for (const text of pageTexts) expect(text).toContain('DOCUMENTO DE TESTE, SEM VALOR');
  });

  it.each<[string, object]>([
    ['instalments', { totalCentavos: REAL.totalCentavos - 1 }],
    ['debts', { discountCentavos: REAL.discountCentavos + 1 }],
    ['accepted.text', { accepted: { ...REAL.accepted, text: '' } }],
    ['accepted.phone', { accepted: { ...REAL.accepted, phone: '+5511987654321' } }],
    ['debtor.cpfMasked', { debtor: { ...REAL.debtor, cpfMasked: '52998224725' } }],
    ['templateVersion', { templateVersion: 99 }],
  ])('refuses wrong %s', (member, change) => {
    expect(() => renderDocument({ ...REAL, ...change })).toThrow(expect.objectContaining({ member }));
  });
});

describe('each document of an agreement', () => {
  it.each(Object.keys(CASES))('leads to “É verdade?”: %s', async (name) => {
    const { text } = await readPdf(renderDocument(CASES[name]!));
    expect(text.replace(/\s/g, '')).toContain(genuineLine('https://quita.example.com.br').replace(/\s/g, ''));
  });
});

describe('the receipt of an agreement’s payment', () => {
  it('says which instalments it pays, what is left, and that it is no quittance of the rest', async () => {
    const text = await flatText(CASES['instalment']!);
    for (const words of [
      'Recibo de pagamento de acordo',
      'a quantia de R$ 250,00 (duzentos e cinquenta reais), por Pix, em 20/11/2026, por conta do acordo AC-2026-7K3M9X2PAB5.',
      'não dá quitação do restante do acordo nem das dívidas dele',
      'depois dele ainda faltam R$ 1.400,00 do valor do acordo',
      'Parcelas 2ª de 12, com vencimento em 10/02/2027 (R$ 150,00); parte da 3ª de 12, com vencimento em 10/03/2027 (R$ 100,00)',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/quitação total|Dívida quitada|Súmula 548/);
  });

  it('is no quittance of a debt after the last instalment either', async () => {
    const text = await flatText(CASES['instalment-last']!);
    expect(text).toContain('não dá quitação das dívidas do acordo: com ele o valor do acordo está todo pago');
    expect(text).not.toMatch(/quitação total|ainda faltam/);
  });

  it('names no instalment of an agreement that had ended', async () => {
    const text = await flatText(CASES['instalment-ended']!);
    expect(text).toContain('por conta das dívidas do acordo AC-2026-7K3M9X2PAB5, que já tinha terminado');
    expect(text).not.toMatch(/Falta do acordo|ª de 12/);
  });
});

describe('the Termo de Quitação of a debt that was paid by an agreement', () => {
  it('names the agreement, its payments and its discount', async () => {
    const text = await flatText(byAgreement);
    for (const words of [
      'em 3 pagamentos, o último por Pix, em 20/11/2026, pelo acordo AC-2026-7K3M9X2PAB5',
      'Pagamentos pelo acordo AC-2026-7K3M9X2PAB5 R$ 400,00 por Pix, em 02/11/2026; R$ 200,00 por Pix, em 10/11/2026; R$ 400,00 por Pix, em 20/11/2026',
      'Desconto do acordo AC-2026-7K3M9X2PAB5 R$ 250,00',
      'Encargos do período do acordo, dispensados pelo credor R$ 28,18',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('Desconto ou encargos dispensados');
  });

  it('says which payments were not made by it', async () => {
    const { payment } = byAgreement;
    const [first, second] = payment.earlier!;
    const earlier = [{ amountCentavos: 40_000, paidAt: first!.paidAt, method: 'cash' as const }, second!];
    const text = await flatText({ ...byAgreement, payment: { ...payment, earlier } });
    expect(text).toContain(
      'Pagamentos R$ 400,00 em dinheiro, em 02/11/2026; R$ 200,00 por Pix, em 10/11/2026, pelo acordo; R$ 400,00 por Pix, em 20/11/2026, pelo acordo',
    );
  });
});

const veraPdf = await findVeraPdf();
if ('missing' in veraPdf) process.stderr.write(`veraPDF is skipped: ${veraPdf.missing}.\n`);

('missing' in veraPdf ? describe.skip : describe)('the documents of agreements, judged by veraPDF', () => {
  it.each(['2a', 'ua1'] as const)('conform to %s', async (flavour) => {
    if ('missing' in veraPdf) throw new Error('not reached: the suite is skipped');
    const folder = await mkdtemp(join(tmpdir(), 'quita-pdf-'));
    try {
      const files = Object.keys(CASES).map((name) => join(folder, `${name}.pdf`));
      await Promise.all(Object.values(CASES).map((data, index) => writeFile(files[index]!, renderDocument(data))));
      expect(await veraPdf.validate(flavour, files)).toEqual(files.map((file) => `PASS ${file} ${flavour}`));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
