import { z } from 'zod';
import { toReais } from '../../../kernel/money.ts';
import { uploadedFile } from '../../../platform/http/body.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { COLUMN_FIELDS } from '../import/file/given-columns.ts';
import { writeRejectedRows } from '../import/file/rejected-rows.ts';
import { MAX_CHANGE_LENGTH, MAX_CHANGED_ROWS } from '../import/file/row-changes.ts';
import { MAX_WARNINGS, WARNING_CODES } from '../import/file/row-warnings.ts';
import type { FileImportResult, FileProblem } from '../import/import-file.ts';
import { MAX_DEBTS } from '../import/limits.ts';
import { MAX_COLUMNS } from '../rules/spreadsheet/header-names.ts';
import { IMPORT_FACTS, PROBLEM_MEMBERS } from './import.ts';

const CSV = 'text/csv';
const MAX_IGNORED_ROWS = 50;

const body = z.object({
  file: uploadedFile().describe('A CSV or an XLSX workbook; its content tells which, not its name'),
  columns: z
    .string()
    .optional()
    .meta({
      contentMediaType: 'application/json',
      description: `A JSON object of headers and fields, such as \`{"Aluno": "debtorName", "Obs": null}\`. Null leaves a column out; a header that is not named is guessed. Headers are those of \`columns\` in the answer, and compared exactly. Fields: ${COLUMN_FIELDS.join(', ')}. \`debtorTaxId\` is a column of CPF and CNPJ`,
    }),
  sheet: z
    .string()
    .optional()
    .describe('The name of the sheet; by default the first one, not hidden, that has a header and a row of data'),
  changes: z
    .string()
    .optional()
    .meta({
      contentMediaType: 'application/json',
      description: `What is corrected before the rows are checked, and only for this call: a JSON object of rows as the spreadsheet counts them, such as \`{"8": {"CPF": "529.982.247-25"}, "12": null}\`. Null leaves a row out; an object holds new texts of cells by the header of their column. At most ${MAX_CHANGED_ROWS} rows, and ${MAX_CHANGE_LENGTH} characters of a cell`,
    }),
});

const errors = z.custom<readonly FileProblem[]>(Array.isArray).meta({
  type: 'array',
  items: {
    type: 'object',
    required: [...Object.keys(PROBLEM_MEMBERS), 'row', 'header', 'value'],
    properties: {
      ...PROBLEM_MEMBERS,
      row: { type: 'integer', description: 'The row as the spreadsheet counts it' },
      header: {
        type: ['string', 'null'],
        description: 'The column of the cell; null for a problem of the whole row',
      },
      value: {
        type: ['string', 'null'],
        description: 'The cell as it was written, cut at 100 characters; null when it is empty',
      },
    },
  },
});

const field = z.enum(COLUMN_FIELDS).meta({ id: 'ColumnField' });

const answer = z.object({
  imported: z.int(),
  skipped: z.int(),
  errors,
  columns: z.array(
    z.object({
      header: z.string().describe('`Valor (2)` for the second column of that name, `Coluna C` for one without a name'),
      field: field.nullable().describe('What the column is taken for: given, else guessed; null when it is left out'),
      looksLike: field
        .nullable()
        .describe('What the values look like, when the header is not understood and nearly all of them are the same'),
      proposed: field
        .nullable()
        .describe(
          'The same, when no other column has or looks like this field. It is imported only when `columns` gives it',
        ),
      samples: z.array(z.string()).describe('Up to 3 cells'),
    }),
  ),
  sheets: z.array(z.string()).describe('The sheets that are not hidden; empty for a CSV'),
  rows: z.int().describe('The rows below the header that are debts: `imported` and `skipped` together'),
  ignored: z.int().describe('The rows that are titles, sums or the header once more, and no debts'),
  ignoredRows: z.array(z.int()).describe(`The first ${MAX_IGNORED_ROWS} of them, as the spreadsheet counts`),
  leftOut: z.int().describe('The rows that `changes` leaves out'),
  warnings: z
    .array(
      z.object({
        row: z.int().describe('The row as the spreadsheet counts it'),
        header: z.string(),
        code: z
          .enum(WARNING_CODES)
          .describe(
            '`name_brackets`: a name with a bracket. `remark`: a cell that says that this debt should not be collected',
          ),
        value: z.string().describe('The cell as it was written, cut at 100 characters'),
        calledAs: z.string().describe('How messages will call the debtor'),
      }),
    )
    .describe(`The first ${MAX_WARNINGS} things to look at in rows that are imported. They are no errors`),
  warned: z.int().describe('How many warnings there are'),
  amount: z.number().describe('Reais: the sum of the debts that are imported'),
  missing: z
    .array(field)
    .optional()
    .describe('With `checkOnly`, the required fields without a column. Nothing was checked then'),
});

const answerOf = ({ amountCentavos, missing, table, ...result }: FileImportResult): z.input<typeof answer> => ({
  ...result,
  warnings: [...result.warnings],
  ignored: table.ignored.length,
  ignoredRows: table.ignored.slice(0, MAX_IGNORED_ROWS),
  leftOut: table.leftOut,
  columns: result.columns.map((column) => ({ ...column, samples: [...column.samples] })),
  sheets: [...result.sheets],
  amount: toReais(amountCentavos),
  ...(missing.length === 0 ? {} : { missing: [...missing] }),
});

const description = `As the JSON import, for a spreadsheet as people keep it: titles above the header, blank rows, several sheets, columns of any name and order. The header is found by its names, and each column is taken for the field that \`columns\` gives, else for one that its header means; look at \`columns\` of a call with \`checkOnly\` before you import. Dates and numbers are read as the sheet has them, texts as Brazilian ones (\`20/11/2026\`, \`R$ 1.234,56\`); a formula counts by its stored result. A CPF or CNPJ that lost its leading zeros gets them back only when its check digits are right then. Titles, sums and repeated headers between the rows are ignored. \`changes\` corrects cells and leaves rows out without another file. With \`Accept: text/csv\` the answer is a CSV of the rows that were not imported, with a column \`erro\` that says why. At most ${MAX_DEBTS} rows, ${MAX_COLUMNS} columns, 20 sheets and 32 MiB.`;

export function importFileRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      ...IMPORT_FACTS,
      path: '/api/import/file/:campaignId',
      operationId: 'importFile',
      right: 'manage',
      summary: 'Import debts from a CSV or an XLSX workbook',
      description,
      bodyType: 'multipart',
      body,
      responses: {
        200: {
          description: 'What was imported, how the columns were understood, and the problems of the other rows',
          schema: answer,
          orText: CSV,
        },
      },
      errors: ['campaign_not_draft'],
      handler: async ({ caller, params: { campaignId }, query: { checkOnly }, body: sent, request }) => {
        const { file, columns, sheet, changes } = sent;
        const target = { clientId: caller.clientId, campaignId, checkOnly, source: sourceOf(caller, request) };
        const needsColumns = request.prefersText;
        const result = await services.importFile({
          ...target,
          bytes: file.bytes,
          columns,
          sheet,
          changes,
          needsColumns,
        });
        if (!request.prefersText) return { status: 200, body: answerOf(result) };
        const headers = {
          'Content-Type': `${CSV}; charset=utf-8`,
          'Content-Disposition': 'attachment; filename="linhas-com-erro.csv"',
        };
        return { status: 200, headers, body: await writeRejectedRows(result) };
      },
    }),
  ];
}
