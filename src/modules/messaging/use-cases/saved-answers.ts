import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { companyNameOf, firstNameOf } from '../../../kernel/first-name.ts';
import type { GuardProblem } from '../../../kernel/message-guard.ts';
import { isCnpj } from '../../../kernel/tax-id.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockClient } from '../../accounts/queries/clients.ts';
import { judgeStaffText } from '../../debts/rules/staff-messages.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import {
  countSavedAnswers,
  deleteSavedAnswer,
  insertSavedAnswer,
  SAVED_ANSWERS,
  type SavedAnswerRow,
  updateSavedAnswer,
} from '../queries/saved-answers.ts';
import { namesIn } from '../texts/own-wording.ts';
import { creditorName } from './debt-facts.ts';

type Deps = Pick<SharedDeps, 'db'>;

export const MAX_SAVED_ANSWERS = 100;

/** What a text may have between double braces. The link and the payments are of other texts. */
const EXAMPLES = { nome: 'Maria', credor: 'Empresa' } as const;

const PLACEHOLDER = /\{\{([^{}]{0,100})\}\}/g;

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => values[name.trim()] ?? whole);

const MESSAGES: Partial<Record<GuardProblem, string>> = {
  threat: 'A message must not threaten (Consumer Code, art. 42)',
  shame: 'A message must not expose or ridicule (Consumer Code, art. 42)',
  third_party: 'A message must not speak of family, work or other people',
  hidden_characters: 'The text contains hidden characters, or letters of another script',
};

/**
 * A text is checked as an answer is. What only the writer of an answer knows, such as a day or an amount, is asked when it
 * is sent.
 */
function requireAllowed(text: string): void {
  const unknown = namesIn(text).some((name) => !Object.hasOwn(EXAMPLES, name));
  const rules = { known: Object.values(EXAMPLES), required: [], paid: false };
  const { forbidden } = judgeStaffText(filled(text, EXAMPLES), rules);
  const errors: FieldProblem[] = [
    ...(unknown
      ? [{ pointer: '/text', code: 'placeholder_unknown', message: 'Only {{nome}} and {{credor}} are known' }]
      : []),
    ...forbidden.map((code) => ({ pointer: '/text', code, message: MESSAGES[code] ?? 'The text is not allowed' })),
  ];
  if (errors.length > 0) throw new AppError('validation_failed', { errors });
}

const tooMany = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '', code: 'too_many_answers', message: `A client has at most ${MAX_SAVED_ANSWERS} answers` }],
  });

export interface SavedAnswerView extends SavedAnswerRow {
  /** The text for the debtor who was named. */
  readonly filled?: string;
}

/** Lists the saved answers by name; with a debt also as its debtor would read them. */
export const listSavedAnswers =
  ({ db }: Deps) =>
  async (input: { readonly clientId: string; readonly debtId?: string | undefined }): Promise<SavedAnswerView[]> => {
    const { clientId, debtId } = input;
    const rows = await db.readPrepared({ clientId }, SAVED_ANSWERS, { clientId });
    if (debtId === undefined) return rows;
    const debt = await db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId));
    if (debt === null) throw new AppError('not_found');
    const nome = isCnpj(debt.debtorTaxId) ? companyNameOf(debt.debtorName) : firstNameOf(debt.debtorName);
    const values = { nome, credor: oneLine(creditorName({ senderName: debt.senderName, name: debt.clientName })) };
    return rows.map((row) => ({ ...row, filled: filled(row.text, values) }));
  };

interface Change {
  readonly clientId: string;
  readonly id: string;
  readonly source: RequestSource;
}

export const createSavedAnswer =
  ({ db }: Deps) =>
  async ({
    clientId,
    id,
    source,
    ...words
  }: Change & Pick<SavedAnswerRow, 'name' | 'text'>): Promise<SavedAnswerRow> => {
    requireAllowed(words.text);
    return db.tenant(clientId).transactional(async (tx) => {
      // The lock keeps two requests from passing the limit together.
      await lockClient(tx, clientId);
      if ((await countSavedAnswers(tx, clientId)) >= MAX_SAVED_ANSWERS) throw tooMany();
      const row = await insertSavedAnswer(tx, { id, clientId, ...words });
      await addRequestAudit(tx, { clientId, source, action: 'saved_answer_created', target: id });
      return row;
    });
  };

export const changeSavedAnswer =
  ({ db }: Deps) =>
  async ({ clientId, id, source, ...words }: Change & Partial<Pick<SavedAnswerRow, 'name' | 'text'>>) => {
    if (words.text !== undefined) requireAllowed(words.text);
    return db.tenant(clientId).transactional(async (tx): Promise<SavedAnswerRow> => {
      const row = await updateSavedAnswer(tx, id, words);
      if (row === undefined) throw new AppError('not_found');
      await addRequestAudit(tx, { clientId, source, action: 'saved_answer_changed', target: id });
      return row;
    });
  };

export const removeSavedAnswer =
  ({ db }: Deps) =>
  ({ clientId, id, source }: Change): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      if ((await deleteSavedAnswer(tx, id)) === undefined) throw new AppError('not_found');
      await addRequestAudit(tx, { clientId, source, action: 'saved_answer_deleted', target: id });
    });
