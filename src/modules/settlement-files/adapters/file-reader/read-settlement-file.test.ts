import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import writeXlsxFile from 'write-excel-file/node';
import { cpuCost, leastOf } from '../../../../../testing/cpu-cost.ts';
import { cnab240, cnab400, ofx, ofxCredit } from '../../../../../testing/payment-files.ts';
import { readCsv } from '../../../campaigns/adapters/spreadsheet-reader/csv/read-csv.ts';
import { decodeBatch } from '../../../campaigns/adapters/spreadsheet-reader/process/messages.ts';
import { readWorkbook } from '../../../campaigns/adapters/spreadsheet-reader/xlsx/read-workbook.ts';
import { SpreadsheetError, type SpreadsheetFile } from '../../../campaigns/ports/spreadsheet-reader.ts';
import type { FileColumns, ReadFile } from '../../rules/received-row.ts';
import { readSettlementFile } from './read-settlement-file.ts';

/** Parses as the process of the import does, in this process. */
const spreadsheets = {
  async read({ bytes, format, limits }: SpreadsheetFile) {
    const parse = () =>
      format.kind === 'csv'
        ? readCsv(bytes, format, limits)
        : readWorkbook(Buffer.from(bytes), format.sheet, limits).then(({ batches }) => batches);
    const batches = await parse().catch((error: unknown) => {
      throw error instanceof SpreadsheetError ? error : new SpreadsheetError('invalid_format', 'damaged');
    });
    const rows = (async function* () {
      for (const batch of batches) yield decodeBatch(Buffer.from(batch));
    })();
    return { sheets: [], rows };
  },
};

const readBytes = (bytes: Uint8Array, columns: FileColumns = {}) =>
  readSettlementFile({ spreadsheets, clientId: 'a' }, { bytes, columns });
const read = (text: string, columns: FileColumns = {}) => readBytes(Buffer.from(text), columns);
const rowsOf = (file: ReadFile) => (file.kind === 'read' ? file.rows : [file]);
const code = (value: string) => ({ kind: 'unreadable', code: value });

const CPF = '52998224725';
const pad = (value: number, length: number) => String(value).padStart(length, '0');
const transaction = ofxCredit;

const PAID = { taxId: null, ourNumber: null, txid: null, endToEndId: null, memo: null, sourceId: null };

describe('a table of payments', () => {
  const office =
    'Relatório de recebimentos\r\n\r\nForma;Valor;Valor pago;Data do pagamento;Fatura;CPF\r\nPix;90,00;R$ 1.234,56;25/11/2026;FAT-1;529.982.247-25\r\nDinheiro;1;10,00;25/11/26;FAT-2;\r\nTotal;;1.244,56;;;\r\n';
  const first = { ...PAID, row: 4, invoiceId: 'FAT-1', taxId: CPF, amountCentavos: 123_456, paidOn: '2026-11-25' };

  it.each([
    ['UTF-8', Buffer.from(office)],
    ['a byte order mark', Buffer.from(`\uFEFF${office}`)],
    ['Latin-1', Buffer.from(office, 'latin1')],
    ['line feeds', Buffer.from(office.replaceAll('\r\n', '\n'))],
  ])('is read as offices keep it: %s', async (_name, bytes) => {
    expect(rowsOf(await readBytes(bytes))).toEqual([
      { ...first, method: 'pix' },
      { ...first, row: 5, invoiceId: 'FAT-2', taxId: null, amountCentavos: 1_000, method: 'cash' },
    ]);
  });

  it('has the columns that the caller names, and needs a debt, a day and an amount', async () => {
    const given = 'a;b;c\nFAT-1;25/11/2026;10,00\n';
    expect(await read(given)).toEqual(code('required'));
    expect(await read(given, { invoiceId: 'x' })).toEqual(code('unknown_header'));
    expect(rowsOf(await read(given, { invoiceId: 'a', paidAt: 'b', amount: 'c' }))).toMatchObject([
      { invoiceId: 'FAT-1', amountCentavos: 1_000, method: null },
    ]);
    const bad = 'fatura;cpf;data;valor\nF1;;31/02/2026;1,00\nF2;;25/11/2026;-1,00\n;123;25/11/2026;1,00\nF3;;;1,00 x\n';
    expect(rowsOf(await read(bad))).toEqual([
      { row: 2, code: 'date_invalid' },
      { row: 3, code: 'amount_invalid' },
      { row: 4, code: 'cpf_invalid' },
      { row: 5, code: 'required' },
    ]);
  });

  it('may be a workbook', async () => {
    const cells = [
      ['Fatura', 'Valor pago', 'Data do pagamento'].map((value) => ({ value })),
      [{ value: 'FAT-1' }, { value: 12.5 }, { value: '25/11/2026' }],
    ];
    const bytes = await writeXlsxFile(cells as never).toBuffer();
    expect(rowsOf(await readBytes(bytes))).toMatchObject([{ row: 2, invoiceId: 'FAT-1', amountCentavos: 1_250 }]);
  });
});

describe('a statement in OFX', () => {
  it('has credits with ids, and debits are none', async () => {
    const e2e = 'E00000000202611251430abcdefghijk';
    const txid = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';
    const rows = rowsOf(
      await read(
        ofx(
          transaction('-10,00', 'TARIFA'),
          transaction('1.234,56', `PIX RECEBIDO ${e2e} ${txid} Jos&eacute; &amp; FAT-1`, '77'),
        ),
      ),
    );
    expect(rows).toEqual([
      {
        ...{ row: 2, invoiceId: null, ourNumber: null, taxId: null, txid, endToEndId: e2e, amountCentavos: 123_456 },
        ...{ memo: `PIX RECEBIDO ${e2e} ${txid} Jos&eacute; & FAT-1`, paidOn: '2026-11-25', method: 'pix' },
        sourceId: '0341//1234-5/77/2026-11-25/123456',
      },
    ]);
  });

  it('may be XML, in the encoding of its bytes whatever its header says', async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200"?><OFX><BANKTRANLIST><STMTTRN><TRNTYPE>DEP</TRNTYPE><DTPOSTED>20261125</DTPOSTED><TRNAMT>10.5</TRNAMT><FITID>9</FITID><MEMO><![CDATA[Depósito <FAT-1>]]></MEMO></STMTTRN></BANKTRANLIST></OFX>';
    for (const encoding of ['utf8', 'latin1'] as const) {
      expect(rowsOf(await readBytes(Buffer.from(xml, encoding)))).toMatchObject([
        { memo: 'Depósito <FAT-1>', amountCentavos: 1_050, method: 'bank_transfer' },
      ]);
    }
  });

  it('is refused when it is torn', async () => {
    const whole = ofx(transaction('10.00', 'a'), transaction('20.00', 'b'));
    for (const length of [120, 300, whole.length - 8]) {
      expect(await read(whole.slice(0, length))).toEqual(code('invalid_format'));
    }
  });
});

describe('a return file of 240 positions', () => {
  const titles = [
    { movement: '02', title: 'FAT-0', centavos: 0 },
    { movement: '06', title: 'FAT-1', centavos: 12_345, reasons: '61', txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' },
    { movement: '09', title: 'FAT-2', centavos: 500 },
    { movement: '17', title: 'FAT-3', centavos: 700, reasons: '33' },
  ];
  const expected = [
    { row: 5, invoiceId: 'FAT-1', amountCentavos: 12_345, method: 'pix', txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' },
    { row: 10, invoiceId: 'FAT-3', amountCentavos: 700, method: 'boleto', txid: null },
  ].map((row) => ({ ...row, taxId: CPF, ourNumber: '12345670000000001', paidOn: '2026-11-25' }));

  it.each([
    ['line feeds', cnab240(titles).join('\n')],
    ['CRLF and the mark of an end', `${cnab240(titles).join('\r\n')}\r\n\u001A`],
    ['a byte order mark', `\uFEFF${cnab240(titles).join('\n')}\n`],
    [
      'lines without their last blanks',
      cnab240(titles)
        .map((line) => line.slice(0, 222).padEnd(224, '0').replace(/ +$/, ''))
        .join('\n'),
    ],
  ])('gives what 06 and 17 settle: %s', async (_name, text) => {
    for (const encoding of ['utf8', 'latin1'] as const) {
      expect(
        rowsOf(
          await readBytes(Buffer.from(text, encoding === 'latin1' && text.startsWith('\uFEFF') ? 'utf8' : encoding)),
        ),
      ).toMatchObject(expected);
    }
  });

  it('is refused when it is torn, or is sent to a bank', async () => {
    const lines = cnab240(titles);
    const torn = [
      lines.slice(0, -1),
      lines.slice(0, -2),
      lines.toSpliced(3, 2),
      lines.toSpliced(5, 1),
      lines.with(4, lines[4]!.slice(0, 200)),
      lines.with(4, `${lines[4]} `),
      [...lines, lines[3]!],
    ];
    for (const one of torn) expect(await read(one.join('\n'))).toEqual(code('invalid_format'));
    expect(await read(lines.with(0, lines[0]!.replace('2', '1')).join('\n'))).toEqual(code('invalid_format'));
  });

  it('reads lines of another program: an anonymised return of Sicoob from the tests of brcobranca', async () => {
    // Names and tax ids are replaced, and its header is moved to the places that Sicoob documents.
    const sicoob = `75600000         200000000000000                    03039000000004898160RAZAO SOCIAL SICOOB                                                   21108201509361900000108500000
75600011T01  043 2000000000000000          303900000403039000000004898160RAZAO SOCIAL                                                                                 000000001108201500000000
7560001300001T 0603039000000004898160000000008301011     10000000000000011308201500000000000020075603039000000000000000000000000000920000000000000002PAGADOR                                00000000000000000000001700000000003
7560001300002U 060000000000000000000000000000000000000000000000000000000000000000000000002000000000000002000000000000000000000000000000001008201510082015    00000000000000000000000                              75600000000000000000000
75600015         00000400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
75699999         000001000006000000`;
    expect(rowsOf(await read(sicoob))).toMatchObject([
      {
        row: 3,
        ourNumber: '0000000083',
        invoiceId: '000000000000001',
        amountCentavos: 200,
        paidOn: '2015-08-10',
        taxId: null,
      },
    ]);
  });
});

describe('a return file of 400 positions', () => {
  it.each([
    ['341', ['06', '07', '08'], ['02', '09', '15', '16', '17']],
    ['237', ['06', '15', '17'], ['02', '09', '10']],
    ['033', ['06', '17'], ['09', '15', '16']],
    ['999', ['06'], ['02', '09', '15', '16', '17']],
  ])('of bank %s settles what its bank calls a payment', async (bank, settling, others) => {
    const rows = rowsOf(await read(cnab400(bank, [...others, ...settling]).join('\r\n')));
    expect(rows).toHaveLength(settling.length);
    for (const row of rows)
      expect(row).toMatchObject({ amountCentavos: 12_345, paidOn: '2026-11-25', method: 'boleto', taxId: null });
  });

  it('is refused when it is torn', async () => {
    const lines = cnab400('341', ['06', '06', '06']);
    for (const one of [
      lines.slice(0, -1),
      lines.toSpliced(2, 1),
      lines.with(2, lines[2]!.slice(0, 390)),
      lines.with(2, `${lines[2]} `),
    ]) {
      expect(await read(one.join('\n'))).toEqual(code('invalid_format'));
    }
  });
});

describe('any file', () => {
  it('is refused by a code when it is empty or no file of payments', async () => {
    expect(await read('')).toEqual(code('too_short'));
    expect(await read(' \r\n\u001A')).toEqual(code('too_short'));
    expect(await read('%PDF-1.7')).toEqual(code('unsupported_format'));
    expect(await read('<html><body>')).toEqual(code('unsupported_format'));
    expect(await read('PK\u0003\u0004 torn')).toEqual(code('invalid_format'));
    expect(await readBytes(new Uint8Array(32 * 1024 * 1024 + 1))).toEqual(code('too_long'));
  });

  it('never makes the reader throw, whatever its bytes are', async () => {
    const starts = [
      '',
      'OFXHEADER:100<OFX>',
      '<OFX><STMTTRN>',
      cnab240([]).slice(0, 2).join('\n'),
      cnab400('341', [])[0]!,
      'fatura;valor;data\n',
      'PK\u0003\u0004',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 2_000 }), async (start, bytes) => {
        const file = await readBytes(Buffer.concat([Buffer.from(start), bytes]));
        expect(['read', 'unreadable']).toContain(file.kind);
      }),
      { numRuns: 300 },
    );
  });

  it('tells the amount and the title that were written', async () => {
    const centavos = fc.integer({ min: 1, max: 9_999_999_999 });
    const title = fc.stringMatching(/^[A-Z][A-Z0-9]{0,9}$/);
    await fc.assert(
      fc.asyncProperty(centavos, title, async (amount, invoice) => {
        const reais = `${Math.floor(amount / 100)},${pad(amount % 100, 2)}`;
        const line = cnab400('341', ['06'], amount);
        const files = [
          cnab240([{ movement: '06', title: invoice, centavos: amount }]).join('\n'),
          line
            .with(1, line[1]!.replace('FAT0', '    ').slice(0, 116) + invoice.padEnd(10) + line[1]!.slice(126))
            .join('\n'),
          `fatura;valor pago;pago em\n${invoice};${reais};25/11/2026\n`,
          ofx(transaction(reais, invoice)),
        ];
        for (const file of files) {
          const [row] = rowsOf(await read(file)) as unknown as [{ invoiceId: string | null; memo: string | null }];
          expect(row).toMatchObject({ amountCentavos: amount, paidOn: '2026-11-25' });
          expect(row.invoiceId ?? row.memo).toBe(invoice);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('takes time in proportion to its size, and at most 50,000 rows', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ movement: '06', title: `F${at}`, centavos: 100 }));
    const whole = (count: number) => [
      cnab240(many(count)).join('\n'),
      ofx(...many(count).map(({ title }) => transaction('1,00', title, title))),
    ];
    for (const file of whole(50_000)) expect(rowsOf(await read(file))).toHaveLength(50_000);
    expect(await read(whole(50_001)[1]!)).toEqual(code('too_long'));
    for (const piece of ['<', '<A', '<A>', '<![CDATA[', '<STMTTRN>', '&amp']) {
      const cost = (times: number) => cpuCost(() => read(`<OFX>${piece.repeat(times)}`));
      const limit = 40 * Math.max(await leastOf(0, () => cost(10_000)), 0.5);
      expect(await leastOf(limit, () => cost(100_000))).toBeLessThan(limit);
    }
  });
});
