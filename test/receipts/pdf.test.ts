import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { genuineLine } from '../../src/kernel/texts/genuine.ts';
import { receiptFonts } from '../../src/modules/receipts/texts/document/fonts.ts';
import { printableName } from '../../src/modules/receipts/texts/document/printable.ts';
import type { ReceiptData } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { renderDocument } from '../../src/modules/receipts/texts/document/render.ts';
import { SPECIMEN } from '../../src/modules/receipts/texts/document/specimen.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { findVeraPdf } from '../../testing/verapdf/verapdf.ts';

const REAL: ReceiptData = { ...SPECIMEN, sandbox: false };
const named = (debtor: string, creditor = REAL.creditor.name): ReceiptData => ({
  ...REAL,
  debtor: { ...REAL.debtor, name: debtor },
  creditor: { ...REAL.creditor, name: creditor },
});
const spaceless = (text: string): string => text.replace(/\s/g, '');

const OPEN = { principal: 73_456, fine: 0, interest: 0, correction: 0, on: '2026-11-20' };

const CASES: Readonly<Record<string, ReceiptData>> = {
  real: REAL,
  sandbox: SPECIMEN,
  revoked: { ...REAL, revokedAt: new Date('2026-12-01T02:30:00Z'), revokedReason: 'chargeback' },
  restored: {
    ...REAL,
    revokedAt: new Date('2026-12-01T02:30:00Z'),
    revokedReason: 'chargeback',
    restoredAt: new Date('2026-12-20T15:00:00Z'),
  },
  outside: {
    ...REAL,
    payment: { ...REAL.payment, method: 'cash', provider: 'outside', endToEndId: null },
  },
  parts: {
    ...REAL,
    payment: {
      ...REAL.payment,
      earlier: [
        { amountCentavos: 23_400, paidAt: new Date('2026-11-02T12:00:00Z'), method: 'cash' },
        { amountCentavos: 50_056, paidAt: new Date('2026-11-10T12:00:00Z'), method: 'bank_transfer' },
      ],
    },
  },
  charged: {
    ...REAL,
    payment: {
      ...REAL.payment,
      amountCentavos: 128_000,
      credited: { principal: 123_456, fine: 2_469, interest: 1_893, correction: 100 },
    },
  },
  waived: {
    ...REAL,
    payment: {
      ...REAL.payment,
      amountCentavos: 100_000,
      credited: { principal: 100_000, fine: 0, interest: 0, correction: 0 },
      waivedCentavos: 27_818,
    },
  },
  part: {
    ...REAL,
    kind: 'part',
    payment: {
      ...REAL.payment,
      amountCentavos: 54_362,
      credited: { principal: 50_000, fine: 2_469, interest: 1_893, correction: 0 },
      open: OPEN,
    },
  },
  'part-revoked': {
    ...REAL,
    kind: 'part',
    revokedAt: new Date('2026-12-01T02:30:00Z'),
    revokedReason: 'refund',
    payment: {
      ...REAL.payment,
      amountCentavos: 50_000,
      credited: { principal: 50_000, fine: 0, interest: 0, correction: 0 },
      open: OPEN,
    },
  },
  'revoked-sandbox': { ...SPECIMEN, revokedAt: new Date('2026-12-01T12:00:00Z') },
  longest: {
    ...named('Constantinopla '.repeat(13) + 'Nunes', 'Companhia Brasileira de Distribuição '.repeat(5) + 'S/A'),
    debt: { ...REAL.debt, originalAmountCentavos: 9_999_999_998, invoiceId: 'N'.repeat(120) },
    payment: { ...REAL.payment, amountCentavos: 9_999_999_999, payerName: 'Pagadora '.repeat(20) },
  },
  company: { ...REAL, debtor: { name: 'Padaria Pão Quente Ltda', cnpjMasked: '**.222.333/0001-**' } },
  unbroken: named('W'.repeat(200), 'M'.repeat(200)),
  strange: named('Zoë 😀 漢字 \u0000 Ñuñez Łukasz', 'Ação & <Reação> "Ltda." 🏢'),
  unreadable: named('漢字', '😀'),
  bare: {
    ...REAL,
    creditor: { name: 'Padaria', cnpj: null, address: null },
    debt: { ...REAL.debt, invoiceId: null, description: null },
    payment: { ...REAL.payment, endToEndId: null },
  },
};

describe('the receipt, read by another library', () => {
  it('names a company with its CNPJ', async () => {
    const { text } = await readPdf(renderDocument(CASES['company']!));
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain('Padaria Pão Quente Ltda (CNPJ **.222.333/0001-**), ou de quem por ele pagou');
    expect(flat).not.toContain('CPF');
  });

  it('contains everything that article 320 of the Civil Code requires', async () => {
    const { text, pages } = await readPdf(renderDocument(REAL));
    const flat = text.replace(/\s+/g, ' ');
    for (const words of [
      'Termo de Quitação',
      'QT-2026-7K3M9X2PAB-5',
      'Águas da Serra Saneamento & Serviços Ltda.',
      'CNPJ 11.222.333/0001-81',
      'Rua das Acácias, 120, sala 4, Centro, São José dos Campos/SP, 12210-000',
      'João Antônio da Conceição Araújo (CPF ***.982.247-**), ou de quem por ele pagou',
      'mil duzentos e trinta e quatro reais e cinquenta e seis centavos',
      'quitação total da dívida abaixo identificada',
      'Código Civil, arts. 319 e 320',
      'Natureza Fatura de serviço de água e esgoto',
      'Fatura ou documento FAT-2026/10-004317',
      'Vencimento 05/10/2026',
      'Principal R$ 1.234,56',
      'Juros, multa e encargos R$ 0,00',
      'Valor pago R$ 1.234,56',
      'Data e hora 20/11/2026, às 14:31:05 (UTC-03:00)',
      'Forma Pix, por Mercado Pago Lugar',
      'Lugar Por meio eletrônico, com crédito em conta do credor',
      '5 (cinco) dias úteis',
      'Súmula 548 do STJ',
      'Emitido em 20/11/2026, às 14:32:08 (UTC-03:00)',
      'página 1 de 1',
      // Codes that only machines read come after all that a person reads.
      'Códigos para conferência: dívida 0197a2f4-5c1e-4b7a-9d3e-2f6b8c0d1e2f, pagamento nº 98765432101, Pix (EndToEndId) E18236120202611201731s0123456789.',
    ]) {
      expect(flat).toContain(words);
    }
    expect(spaceless(text)).toContain(REAL.verifyUrl);
    expect(flat).not.toMatch(/TESTE|REVOGADO/);
    expect(pages).toBe(1);
  });

  it('is tagged, in Portuguese, with its metadata, its link and a described code', async () => {
    const { marked, info, xmp, roles, links, figureTexts } = await readPdf(renderDocument(REAL));
    expect(marked).toBe(true);
    expect(info).toMatchObject({
      Language: 'pt-BR',
      Title: 'Termo de Quitação QT-2026-7K3M9X2PAB-5',
      Author: 'Águas da Serra Saneamento e Serviços Ltda.',
      CreationDate: 'D:20261120173208Z',
    });
    expect([xmp('pdfaid:part'), xmp('pdfaid:conformance'), xmp('pdfuaid:part')]).toEqual(['2', 'A', '1']);
    expect(roles.filter((role) => role === 'H1')).toHaveLength(1);
    expect(roles.filter((role) => role === 'Table')).toHaveLength(2);
    expect(roles.filter((role) => role === 'TH')).toHaveLength(roles.filter((role) => role === 'TD').length);
    expect(links).toEqual([REAL.verifyUrl]);
    expect(figureTexts).toEqual(['Código QR com o endereço de verificação deste termo']);
  });

  it('marks a sandbox document on its one page', async () => {
    const { text, pages } = await readPdf(renderDocument(SPECIMEN));
    expect(text).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect(pages).toBe(1);
  });

  it('states that it was revoked, when in the debtor’s time, and why', async () => {
    const { text } = await readPdf(renderDocument(CASES['revoked']!));
    expect(text).toContain('REVOGADO em 30/11/2026');
    expect(text.replace(/\s+/g, ' ')).toContain('o pagamento foi contestado');
    expect(text).not.toContain('Dívida quitada');
  });

  it('states that it was revoked and restored, when and why, and that the debt is paid', async () => {
    const { text } = await readPdf(renderDocument(CASES['restored']!));
    const line = text.replace(/\s+/g, ' ');
    expect(line).toContain('RESTABELECIDO em 20/12/2026');
    expect(line).toContain('revogado em 30/11/2026, porque o pagamento foi contestado');
    expect(line).not.toContain('REVOGADO');
    expect(line).toContain('Dívida quitada');
  });

  it('says how the creditor was paid when no provider was, and gives the day without an hour', async () => {
    const { text } = await readPdf(renderDocument(CASES['outside']!));
    const line = text.replace(/\s+/g, ' ');
    expect(line).toContain('em dinheiro, em 20/11/2026, e por este termo');
    expect(line).toContain('Dinheiro, recebido diretamente pelo credor');
    expect(line).not.toMatch(/Pix|Mercado Pago|14:31/);
  });

  it('names every payment that made up the amount', async () => {
    const { text } = await readPdf(renderDocument(CASES['parts']!));
    const line = text.replace(/\s+/g, ' ');
    expect(line).toContain('em 3 pagamentos, o último por Pix, em 20/11/2026');
    expect(line).toContain(
      'R$ 234,00 em dinheiro, em 02/11/2026; R$ 500,56 por transferência bancária, em 10/11/2026; R$ 500,00 por Pix, em 20/11/2026',
    );
  });

  it('names what was charged beside the principal, and what was paid beyond it', async () => {
    const { text } = await readPdf(renderDocument(CASES['charged']!));
    const line = text.replace(/\s+/g, ' ');
    expect(line).toContain(
      'Principal R$ 1.234,56 Multa R$ 24,69 Juros R$ 18,93 Correção R$ 1,00 Total da dívida R$ 1.279,18 Valor pago acima da dívida R$ 0,82',
    );
  });

  it('says of a part that it is no quittance of the rest, in its title, its words and its metadata', async () => {
    const { text, info, pages } = await readPdf(renderDocument(CASES['part']!));
    const line = text.replace(/\s+/g, ' ');
    expect(info).toMatchObject({ Title: 'Recibo de pagamento parcial QT-2026-7K3M9X2PAB-5' });
    expect(line).toContain('não dá quitação do restante da dívida');
    expect(line).toContain('ainda ficaram em aberto R$ 734,56');
    expect(line).not.toMatch(/quitação total|Dívida quitada|nada mais havendo/);
    expect(pages).toBe(1);
  });

  it.each(Object.keys(CASES))('fits two pages and leads to “É verdade?”: %s', async (name) => {
    const { pages, text } = await readPdf(renderDocument(CASES[name]!));
    expect(spaceless(text)).toContain(spaceless(genuineLine('https://quita.example.com.br')));
    expect(pages).toBeLessThanOrEqual(2);
    expect(text).toContain(`página ${pages} de ${pages}`);
  });

  it('breaks the page between blocks, never inside one', async () => {
    const payment = { ...REAL.payment, payerName: 'P'.repeat(200) };
    const { pageTexts } = await readPdf(renderDocument({ ...CASES['unbroken']!, payment, sandbox: true }));
    expect(pageTexts[1]).toMatch(/^A dívida\nNatureza\n/);
    expect(pageTexts[1]).toContain('O pagamento\nValor pago');
    expect(pageTexts[1]).toContain('Confira a autenticidade');
  });

  it('drops characters that the font cannot draw and keeps the rest of a name', async () => {
    const { text } = await readPdf(renderDocument(CASES['strange']!));
    expect(text).toContain('Zoë Ñuñez Łukasz');
    expect(text.replace(/\s+/g, ' ')).toContain('Ação & <Reação> "Ltda."');
  });

  it('shows every name completely, on two pages at most', async () => {
    const { hasGlyph } = receiptFonts();
    const character = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(..."abcçdeéfghijlmnoõpqrsãtuüvxz ABCÇDEÉZÑŁŽß-'.") },
      { weight: 1, arbitrary: fc.constantFrom('😀', '漢', 'é', '👩‍👧', '\u0000', '\ufb01', 'ﷺ') },
    );
    const name = fc.array(character, { minLength: 1, maxLength: 200 }).map((characters) => characters.join(''));
    await fc.assert(
      fc.asyncProperty(
        name.filter((text) => text.trim() !== ''),
        async (text) => {
          const { text: read, pages } = await readPdf(renderDocument(named(text, text)));
          expect(spaceless(read)).toContain(`declaraquerecebeude${spaceless(printableName(text, hasGlyph))}(CPF`);
          expect(pages).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 30 },
    );
  });
});

const veraPdf = await findVeraPdf();
if ('missing' in veraPdf) process.stderr.write(`veraPDF is skipped: ${veraPdf.missing}.\n`);

('missing' in veraPdf ? describe.skip : describe)('the receipt, judged by veraPDF', () => {
  it.each(['2a', 'ua1'] as const)('conforms to %s', async (flavour) => {
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
