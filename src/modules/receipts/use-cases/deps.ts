import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import type { Mailer } from '../../../kernel/ports/mailer.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import type { MessagingDeps } from '../../messaging/use-cases/deps.ts';
import type { ReceiptLinks } from '../../messaging/use-cases/receipt-links.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import type { ReceiptRenderer } from '../ports/receipt-renderer.ts';
import type { DocumentData } from '../texts/document/agreement-data.ts';

export interface ReceiptDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly receiptLinks: ReceiptLinks;
  readonly renderer: Pick<ReceiptRenderer<DocumentData>, 'render'>;
  readonly policy: Policy;
  readonly workflows: CollectionWorkflows;
  readonly publicUrl: string;
  readonly sendersOf: MessagingDeps['sendersOf'];
}

/** Only a worker sends receipts. */
export interface DeliveryDeps extends ReceiptDeps {
  readonly personKeys: PersonKeys;
  readonly textHashes: MessagingDeps['textHashes'];
  readonly note: MessagingDeps['note'];
  /** Returns null when e-mail is off. */
  readonly mailerOf: (debt: { readonly sandbox: boolean }) => Mailer | null;
}
