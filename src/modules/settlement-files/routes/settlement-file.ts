import { z } from 'zod';
import { toReais } from '../../../kernel/money.ts';
import { uploadedFile } from '../../../platform/http/body.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { MAX_SETTLEMENT_BYTES, MAX_SETTLEMENT_ROWS } from '../rules/limits.ts';
import { PAYMENT_FIELDS } from '../use-cases/given-columns.ts';
import { inBatches } from '../use-cases/in-batches.ts';
import type { SettlementItem } from '../use-cases/settle-file.ts';

const ITEM_STATES = ['settled', 'matched', 'unmatched', 'ambiguous', 'known', 'invalid'] as const;
const ITEMS_AT_ONCE = 1_000;

const body = z.object({
  file: uploadedFile().describe(
    'A CSV, an XLSX workbook, an OFX statement, or a return file CNAB 240 or 400 of boletos; its content tells which',
  ),
  columns: z
    .string()
    .optional()
    .meta({
      contentMediaType: 'application/json',
      description: `Of a CSV or a workbook: a JSON object of headers and fields, such as \`{"Nº do título": "invoiceId"}\`. A field that is not named is guessed. Fields: ${PAYMENT_FIELDS.join(', ')}`,
    }),
});

const nullable = (type: string, description?: string) => ({
  type: [type, 'null'],
  ...(description === undefined ? {} : { description }),
});

const items = z.custom<readonly object[]>(Array.isArray).meta({
  type: 'array',
  items: {
    type: 'object',
    required: ['row', 'state', 'settlementId', 'debtId', 'invoiceId', 'amount', 'paidAt', 'code'],
    properties: {
      row: { type: 'integer', description: 'The row of the table, the line of the return file, or the transaction' },
      state: {
        enum: [...ITEM_STATES],
        description:
          '`matched`: it would be settled, with `checkOnly`. `unmatched`: no debt fits. `ambiguous`: a person has to decide. `known`: the payment is recorded already. `invalid`: the row is no payment',
      },
      settlementId: nullable('string', 'Of what is settled: `POST /api/settlements/:id/undo` takes it back'),
      debtId: nullable('string'),
      invoiceId: nullable('string'),
      amount: { ...nullable('number', 'Reais'), format: 'double' },
      paidAt: { ...nullable('string'), format: 'date-time' },
      code: nullable('string', 'Why the row is not settled'),
    },
  },
});

const answer = z
  .object({
    rows: z.int(),
    matched: z.int().describe('Rows whose debt is certain, those that are settled among them'),
    unmatched: z.int(),
    ambiguous: z.int(),
    settled: z.int().describe('0 with `checkOnly`'),
    amount: z.number().describe('Reais: the sum of the rows whose debt is certain'),
    items,
  })
  .meta({ id: 'SettlementFileResult' });

const itemOf = ({ amountCentavos, paidAt, ...item }: SettlementItem) => ({
  ...item,
  amount: amountCentavos === null ? null : toReais(amountCentavos),
  paidAt: paidAt === null ? null : paidAt.toISOString(),
});

/** Writes the answer in parts: 50,000 items in one text would keep other requests from their turns. */
async function answerOf(all: readonly SettlementItem[]): Promise<Buffer> {
  const counts = { settled: 0, matched: 0, unmatched: 0, ambiguous: 0, known: 0, invalid: 0 };
  let certainCentavos = 0;
  const texts: Buffer[] = [];
  await inBatches(all, ITEMS_AT_ONCE, (part) => {
    for (const { state, amountCentavos } of part) {
      counts[state] += 1;
      if (state === 'settled' || state === 'matched') certainCentavos += amountCentavos ?? 0;
    }
    texts.push(Buffer.from(`${texts.length === 0 ? '' : ','}${JSON.stringify(part.map(itemOf)).slice(1, -1)}`));
  });
  const { settled, matched, unmatched, ambiguous } = counts;
  const sums = { rows: all.length, matched: settled + matched, unmatched, ambiguous, settled };
  const start = JSON.stringify({ ...sums, amount: toReais(certainCentavos) }).slice(0, -1);
  return Buffer.concat([Buffer.from(`${start},"items":[`), ...texts, Buffer.from(']}')]);
}

const description = `Each row is matched by the invoice, the bank's number of the boleto, the txid or the end-to-end id, and then by CPF or CNPJ with amount and date: the amount is what is owed on that day, or the whole principal, of exactly one open debt. A statement's payment is matched by an invoice in its text together with the amount, and never by an amount alone. What is certain is settled as \`POST /api/debts/:id/settle\` does; what is doubtful waits in \`GET /api/payments/orphans\` until a person decides. A payment counts once, however often files, staff or the provider tell of it: send a file again after an interruption. In a return file the occurrences that mean money settle; a write-off never does. At most ${MAX_SETTLEMENT_ROWS} rows and 32 MiB.`;

export const settlementFileRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/settlements/file',
    operationId: 'sendSettlementFile',
    right: 'manage',
    summary: 'Settle debts from a file of payments that you received elsewhere',
    description,
    tags: ['Payments'],
    auth: 'jwt',
    idempotent: true,
    clientRate: 'imports',
    isImport: true,
    bodyLimit: MAX_SETTLEMENT_BYTES,
    bodyType: 'multipart',
    query: z.object({
      checkOnly: booleanQuery.default(false).describe('Gives the same answer and records nothing'),
    }),
    body,
    responses: { 200: { description: 'What was understood and settled, row by row', schema: answer, isReady: true } },
    errors: [],
    handler: async ({ caller, query: { checkOnly }, body: { file, columns }, request }) => {
      const { clientId } = caller;
      const sent = { clientId, bytes: file.bytes, columns, checkOnly, source: sourceOf(caller, request) };
      return { status: 200, body: await answerOf(await services.settleFile(sent)) };
    },
  }),
];
