import { AppError } from '../../../kernel/errors.ts';
import type { FileColumns } from '../rules/received-row.ts';

export const PAYMENT_FIELDS = ['invoiceId', 'cpf', 'paidAt', 'amount', 'method'] as const;

const isField = (value: unknown): value is keyof FileColumns => PAYMENT_FIELDS.some((field) => field === value);

const refuse = (code: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer: '/columns', code, message }] });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is replaced, because it quotes the text.
    throw refuse('invalid_format', 'Well-formed JSON is expected');
  }
}

/** Parses the mapping of a caller, from headers to fields. The headers are compared with the file later. */
export function parseColumns(text: string | undefined): FileColumns {
  if (text === undefined || text.trim() === '') return {};
  const given = parse(text);
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw refuse('invalid_type', 'An object of headers and fields is expected');
  }
  const columns: Partial<Record<keyof FileColumns, string>> = {};
  for (const [header, field] of Object.entries(given)) {
    if (field === null) continue;
    if (!isField(field)) throw refuse('invalid_value', `Null or a field is expected: ${PAYMENT_FIELDS.join(', ')}`);
    if (columns[field] !== undefined) throw refuse('duplicate', `The field ${field} is given twice`);
    columns[field] = header;
  }
  return columns;
}
