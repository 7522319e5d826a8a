import { z } from 'zod';
import { uploadedFile } from '../../../platform/http/body.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { IMPORT_PROBLEM_CODES, type ImportProblem } from '../import/import-problem.ts';
import { MAX_DEBTS, MAX_IMPORT_BYTES } from '../import/limits.ts';

// The id is checked together with the campaign, after the `clientId` and the body, so this schema does not check its
// format.
const params = z.object({ campaignId: z.string().meta({ format: 'uuid' }) });
const query = z.object({
  checkOnly: booleanQuery.default(false).describe('Checks the import, gives the same answer and stores nothing'),
});

const text = { type: 'string' } as const;

const NEEDS_PHONE = { if: { required: ['debtorPhone'] }, else: { required: ['debtorPhones'] } } as const;
/**
 * Exactly one of CPF and CNPJ, and at least one of the members of phones. Written as `oneOf` or `anyOf`, foreign generators
 * made several types of one name from it; conditions leave one type.
 */
const IDENTITY_AND_PHONE = {
  if: { required: ['debtorCpf'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { not: { required: ['debtorCnpj'] }, ...NEEDS_PHONE },
  else: { required: ['debtorCnpj'], ...NEEDS_PHONE },
} as const;
/**
 * The schema only documents the body; the import parses the bytes piece by piece and checks each element separately.
 */
const body = z.instanceof(Uint8Array).meta({
  type: 'object',
  required: ['clientId', 'debts'],
  properties: {
    clientId: { ...text, format: 'uuid' },
    debts: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_DEBTS,
      items: {
        type: 'object',
        required: ['debtorName', 'originalAmount', 'dueDate'],
        ...IDENTITY_AND_PHONE,
        properties: {
          debtorName: { ...text, minLength: 2, maxLength: 200 },
          debtorPhone: { ...text, description: 'Brazilian, with area code, with or without +55' },
          debtorPhones: {
            type: 'array',
            maxItems: 5,
            items: text,
            description: 'Several phones in order. `debtorPhone` comes first when both are given',
          },
          debtorCpf: { ...text, description: 'With valid check digits, formatted or not' },
          debtorCnpj: {
            ...text,
            description: 'Of a company, in place of the CPF: formatted or not, with letters or not',
          },
          originalAmount: {
            type: 'number',
            format: 'double',
            exclusiveMinimum: 0,
            maximum: 99_999_999.99,
            description: 'Reais',
          },
          dueDate: { ...text, format: 'date' },
          invoiceId: { ...text, minLength: 1, maxLength: 100 },
          debtorEmail: { ...text, format: 'email' },
          debtorEmails: { type: 'array', maxItems: 5, items: { ...text, format: 'email' } },
          consentAt: {
            ...text,
            anyOf: [{ format: 'date' }, { format: 'date-time' }],
            description: 'When the debtor agreed to the use of their data: a date, or a moment with its offset',
          },
          consentSource: {
            ...text,
            minLength: 1,
            maxLength: 200,
            description: 'How the debtor agreed. The debtor’s page shows it. Needs `consentAt`',
          },
          description: {
            ...text,
            minLength: 1,
            maxLength: 200,
            description:
              'What the debt is for, on the debtor’s page and in the answer to their question. Refused with `health_data` or `text_refused` when the debtor may not read it',
          },
        },
      },
    },
  },
});

/** The members of one problem of an import. The problems are not validated, because there may be 250,000. */
export const PROBLEM_MEMBERS = {
  index: { type: 'integer' },
  pointer: { ...text, description: 'JSON pointer (RFC 6901) into the body' },
  code: { enum: [...IMPORT_PROBLEM_CODES] },
  message: text,
  invoiceId: { type: ['string', 'null'] },
} as const;

const errors = z.custom<readonly ImportProblem[]>(Array.isArray).meta({
  type: 'array',
  items: {
    type: 'object',
    required: Object.keys(PROBLEM_MEMBERS),
    properties: {
      ...PROBLEM_MEMBERS,
      row: { type: 'integer', description: 'The row of a CSV as a spreadsheet counts it; the header is row 1' },
    },
  },
});

/** What all imports have in common. */
export const IMPORT_FACTS = {
  method: 'POST',
  tags: ['Import'],
  auth: 'bearer',
  idempotent: true,
  clientRate: 'imports',
  bodyLimit: MAX_IMPORT_BYTES,
  isImport: true,
  params,
  query,
} as const;

const facts = {
  ...IMPORT_FACTS,
  responses: {
    200: {
      description: 'What was imported, and the problems of the other elements',
      schema: z.object({ imported: z.int(), skipped: z.int(), errors }).meta({ id: 'ImportResult' }),
    },
  },
} as const;

/** A campaign that was launched for real people asks of its client what a launch asks. */
const refusals = ['campaign_not_draft', 'email_not_confirmed', 'client_not_verified', 'creditor_incomplete'] as const;

const description = `A draft, a running and a paused campaign take debts. Those that come into a running one are planned and contacted by its rules; into a paused one, after the pause. Valid elements are imported; invalid ones are skipped and listed. Repeating the same call imports nothing. At most ${MAX_DEBTS} debts and 32 MiB.`;

export function importRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      ...facts,
      path: '/api/import/json/:campaignId',
      operationId: 'importJson',
      right: 'manage',
      summary: 'Import debts into a campaign',
      description,
      bodyType: 'json-bytes',
      body,
      errors: ['validation_failed', 'client_mismatch', ...refusals],
      handler: async ({ caller, params: { campaignId }, query: { checkOnly }, body: bytes, request }) => {
        const target = { clientId: caller.clientId, campaignId, checkOnly, source: sourceOf(caller, request) };
        return { status: 200, body: await services.importJson({ ...target, bytes }) };
      },
    }),
    defineRoute({
      ...facts,
      path: '/api/import/csv/:campaignId',
      operationId: 'importCsv',
      right: 'manage',
      summary: 'Import debts from a spreadsheet into a campaign',
      description: `${description} Columns, in any order: nome, telefone or celular, cpf or cnpj or cpf/cnpj, valor, vencimento, and if known fatura or nota, email, descrição, consentimento (its date), origem do consentimento; or the names of the JSON import. Further phones and addresses stand in columns such as telefone 2 and email 2, or in one cell, separated by ; or a line break (phones by / too). UTF-8 or Latin-1; comma, semicolon or tab; \`1.234,56\` and \`20/11/2026\` are understood.`,
      bodyType: 'multipart',
      body: z.object({ file: uploadedFile() }),
      errors: [...refusals],
      handler: async ({ caller, params: { campaignId }, query: { checkOnly }, body: { file }, request }) => {
        const target = { clientId: caller.clientId, campaignId, checkOnly, source: sourceOf(caller, request) };
        return { status: 200, body: await services.importCsv({ ...target, bytes: file.bytes }) };
      },
    }),
  ];
}
