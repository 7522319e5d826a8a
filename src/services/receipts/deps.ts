import type { Database } from '../../db/database.ts';
import type { ReceiptData } from '../../documents/receipt/receipt-data.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { ReceiptRenderer } from '../../ports/receipt-renderer.ts';
import type { MessagingDeps } from '../messaging/deps.ts';
import type { Policy } from '../shared/load-policy.ts';
import type { PersonKeys } from '../shared/person-keys.ts';
import type { ReceiptLinks } from '../shared/receipt-links.ts';

export interface ReceiptDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly receiptLinks: ReceiptLinks;
  readonly renderer: Pick<ReceiptRenderer<ReceiptData>, 'render'>;
  readonly policy: Policy;
  readonly workflows: CollectionWorkflows;
  readonly publicUrl: string;
  readonly sendersOf: MessagingDeps['sendersOf'];
}

/** Only a worker sends receipts. */
export interface DeliveryDeps extends ReceiptDeps {
  readonly personKeys: PersonKeys;
  readonly note: MessagingDeps['note'];
  /** Returns null when e-mail is off. */
  readonly mailerOf: (debt: { readonly sandbox: boolean }) => Mailer | null;
}
