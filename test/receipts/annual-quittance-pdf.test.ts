import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genuineLine } from '../../src/kernel/texts/genuine.ts';
import type { QuittanceData } from '../../src/modules/receipts/texts/document/quittance-data.ts';
import { renderDocument } from '../../src/modules/receipts/texts/document/render.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { findVeraPdf } from '../../testing/verapdf/verapdf.ts';

const billsOf = (count: number): QuittanceData['bills'] =>
  Array.from({ length: count }, (_, at) => ({
    invoiceId: at % 5 === 4 ? null : `FAT-${at + 1}`,
    description: at % 3 === 2 ? null : 'Mensalidade',
    dueDate: `2025-${String((at % 12) + 1).padStart(2, '0')}-10`,
    originalAmountCentavos: 45_000,
    paidCentavos: 46_000,
    paidOn: '2026-02-03',
  }));

const REAL: QuittanceData = {
  kind: 'annual-quittance',
  templateVersion: 1,
  protocol: 'QA-2026-7K3M9X2PAB5',
  issuedAt: new Date('2026-05-04T15:00:00Z'),
  sandbox: false,
  creditor: { name: 'Serviços & Saneamento Ltda.', cnpj: '11222333000181', address: 'Rua das Acácias, 120, Centro' },
  debtor: { name: 'João Antônio da Conceição', cpfMasked: '***.982.247-**' },
  verifyUrl: 'https://quita.example/verify/QA-2026-7K3M9X2PAB5?sig=Zm9v',
  utcOffset: -3,
  year: 2025,
  bills: billsOf(12),
  earlierOwed: [],
  revokedAt: null,
  revokedReason: null,
};

const CASES: Readonly<Record<string, QuittanceData>> = {
  whole: REAL,
  'one bill in the sandbox': { ...REAL, sandbox: true, bills: billsOf(1) },
  'many bills': { ...REAL, bills: billsOf(120) },
  revoked: { ...REAL, revokedAt: new Date('2026-06-01T12:00:00Z'), revokedReason: 'refund' },
  'earlier years': {
    ...REAL,
    earlierOwed: Array.from({ length: 40 }, (_, at) => ({
      invoiceId: at % 2 ? `E-${at}` : null,
      dueDate: '2024-02-10',
    })),
  },
  longest: {
    ...REAL,
    creditor: { ...REAL.creditor, name: 'M'.repeat(200) },
    debtor: { name: 'W'.repeat(200), cnpjMasked: '**.222.333/0001-**' },
    bills: [
      {
        ...REAL.bills[0]!,
        invoiceId: 'N'.repeat(120),
        description: 'P'.repeat(200),
        originalAmountCentavos: 9_999_999_999,
        paidCentavos: 9_999_999_999,
      },
      { ...REAL.bills[1]!, paidCentavos: 9_999_999_999 },
    ],
  },
};

describe('the annual quittance, read by another library', () => {
  it('is tagged and always has the same bytes', async () => {
    const bytes = renderDocument(REAL);
    expect(Buffer.compare(renderDocument(REAL), bytes)).toBe(0);
    const { marked, info, xmp, roles, links } = await readPdf(bytes);
    expect(marked).toBe(true);
    expect(info).toMatchObject({ Title: 'Declaração de Quitação Anual QA-2026-7K3M9X2PAB5' });
    expect([xmp('pdfaid:part'), xmp('pdfaid:conformance'), xmp('pdfuaid:part')]).toEqual(['2', 'A', '1']);
    expect(roles.filter((role) => role === 'H1')).toHaveLength(1);
    expect(links).toEqual([REAL.verifyUrl]);
  });

  it('lists each of many bills once, with the heads on each page of the list, and marks the sandbox on every page', async () => {
    const { text, pageTexts } = await readPdf(renderDocument({ ...CASES['many bills']!, sandbox: true }));
    for (let at = 1; at <= 120; at++) {
      if (at % 5 !== 0) expect(text.split(new RegExp(`FAT-${at}(?!\\d)`))).toHaveLength(2);
    }
    expect(pageTexts.filter((one) => one.includes('Valor pago')).length).toBeGreaterThan(1);
    for (const page of pageTexts) expect(page).toContain('DOCUMENTO DE TESTE, SEM VALOR');
  });

  it.each(Object.keys(CASES))('draws %s', async (name) => {
    const { text } = await readPdf(renderDocument(CASES[name]!));
    expect(text.replace(/\s+/g, ' ')).toContain('art. 4º');
    expect(text.replace(/\s/g, '')).toContain(genuineLine('https://quita.example').replace(/\s/g, ''));
    expect(text.includes('REVOGADA')).toBe(name === 'revoked');
  });

  it.each<[string, object]>([
    ['bills', { bills: [] }],
    ['bills.dueDate', { bills: [{ ...REAL.bills[0]!, dueDate: '2024-12-31' }] }],
    ['bills.paidCentavos', { bills: [{ ...REAL.bills[0]!, paidCentavos: 0 }] }],
    ['debtor.cpfMasked', { debtor: { ...REAL.debtor, cpfMasked: '52998224725' } }],
    ['templateVersion', { templateVersion: 99 }],
  ])('refuses wrong %s', (member, change) => {
    expect(() => renderDocument({ ...REAL, ...change })).toThrow(expect.objectContaining({ member }));
  });
});

const veraPdf = await findVeraPdf();
if ('missing' in veraPdf) process.stderr.write(`veraPDF is skipped: ${veraPdf.missing}.\n`);

('missing' in veraPdf ? describe.skip : describe)('annual quittances, judged by veraPDF', () => {
  it.each(['2a', 'ua1'] as const)('conform to %s', async (flavour) => {
    if ('missing' in veraPdf) throw new Error('not reached: the suite is skipped');
    const folder = await mkdtemp(join(tmpdir(), 'quita-pdf-'));
    try {
      const files = Object.keys(CASES).map((name) => join(folder, `${name.replaceAll(' ', '-')}.pdf`));
      await Promise.all(Object.values(CASES).map((data, index) => writeFile(files[index]!, renderDocument(data))));
      expect(await veraPdf.validate(flavour, files)).toEqual(files.map((file) => `PASS ${file} ${flavour}`));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
