import { storable } from '../../../kernel/received-text.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { debtHeld } from '../queries/held-data.ts';
import { insertFile, waitingRequest } from '../queries/rights-requests.ts';
import { type FileType, fileTypeOf, MAX_FILE_BYTES } from '../rules/file-content.ts';
import { type AnsweredByStaff, MAX_ASKED, type Refusal } from '../rules/rights-request.ts';
import type { RightsDeps } from './deps.ts';
import { onOpenPage } from './person-of-page.ts';
import type { OpenPage } from './read-rights.ts';
import { type Asked, CLOSED, refused, say, storeRequest } from './store-request.ts';

const written = (text: string): string => storable(text).trim().slice(0, MAX_ASKED).toWellFormed();

/** A file that is no PDF, JPEG or PNG by its content, or too large, is refused with the request. */
function checkFile(file: Uint8Array | null): { readonly type: FileType | null; readonly problem: Refusal | null } {
  if (file === null || file.length === 0) return { type: null, problem: null };
  if (file.length > MAX_FILE_BYTES) return { type: null, problem: 'file_size' };
  const type = fileTypeOf(file);
  return { type, problem: type === null ? 'file_kind' : null };
}

/** The content can be opened as the file of this request of this client only. */
export const fileContext = (clientId: string, requestId: string): string => `${clientId}:rights-file:${requestId}`;

export interface AskStaff extends OpenPage {
  readonly kind: AnsweredByStaff;
  readonly text: string;
  /** The debt that is meant; null for all of them. */
  readonly debtId: string | null;
  readonly file: Uint8Array | null;
}

/** Takes a request that a person at the client has to answer within the days of the law. */
export const askForRight =
  (deps: RightsDeps) =>
  async ({ kind, text, debtId, file, ...page }: AskStaff): Promise<Asked> => {
    const key = await onOpenPage(deps, page, async (_, found) => found.key);
    if (key === 'closed') return CLOSED;
    const words = written(text);
    if (words === '' && kind !== 'score_review') return refused('empty');
    const { type, problem } = checkFile(file);
    if (problem !== null) return refused(problem);
    await deps.takeFromAskRate(key);
    if (type !== null) await deps.takeFromFileRate(key);
    const done = await onOpenPage(deps, page, async (tx, { person, debt: first }) => {
      const chosen = debtId !== null && isUuid(debtId) ? await debtHeld(tx, person, debtId) : undefined;
      const debt = chosen ?? first;
      if (kind !== 'dispute') {
        // A form that is sent twice, or in two windows, is one request as long as it waits. A dispute has to be heard
        // again, because the staff may have resumed the debt meanwhile.
        await lockDebtsOfPerson(tx, person);
        const waiting = await waitingRequest(tx, { debtId: debt.id, kind, text: words });
        if (waiting !== undefined) return waiting.protocol;
      }
      const request = await storeRequest(tx, deps, debt, { kind, text: words, isDone: false });
      const { id, protocol } = request;
      const { clientId } = debt;
      if (file !== null && type !== null) {
        const sealed = deps.cipher.seal(Buffer.from(file).toString('base64'), fileContext(clientId, id));
        const stored = { clientId, debtId: debt.id, requestId: id, contentType: type, bytes: file.length, sealed };
        await insertFile(tx, stored);
      }
      const isAboutAll = chosen === undefined;
      if (kind === 'dispute') await say(tx, deps, debt, { kind, request, words, isAboutAll });
      return protocol;
    });
    return done === 'closed' ? CLOSED : { kind: 'done', protocol: done };
  };
