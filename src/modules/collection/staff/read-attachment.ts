import { AppError } from '../../../kernel/errors.ts';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import { STORED_ATTACHMENT } from '../../debts/queries/attachments.ts';
import { filesSeen } from '../../debts/use-cases/inbox-items.ts';
import type { SharedDeps } from '../../deps.ts';

export interface AttachmentContent {
  readonly content: Buffer;
  /** As the channel said; nobody has checked it. */
  readonly contentType: string | null;
}

/**
 * Returns the content of a file that a debtor sent, which waits in the client's inbox no longer. One that was not read, or
 * was purged, is not found.
 */
export const readAttachment =
  ({ db, cipher }: Pick<SharedDeps, 'db'> & { readonly cipher: CredentialCipher }) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly attachmentId: string;
  }): Promise<AttachmentContent> => {
    const { clientId, debtId, attachmentId: id } = request;
    const [row] = await db.readPrepared({ clientId }, STORED_ATTACHMENT, { debtId, id });
    if (row === undefined || row.sealed === null) throw new AppError('not_found');
    const text = cipher.open(row.sealed, attachmentContext(clientId, id));
    await db.tenant(clientId).transactional((tx) => filesSeen(tx, debtId));
    return { content: Buffer.from(text, 'base64'), contentType: row.contentType };
  };

/** The content can be opened as this attachment of this client only. */
export const attachmentContext = (clientId: string, id: string): string => `${clientId}:attachment:${id}`;
