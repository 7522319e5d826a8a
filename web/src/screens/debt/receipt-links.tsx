import type { ListedReceipt } from '../../api/client.ts';
import { DEBT } from '../../texts/debt.ts';
import { ButtonAnchor } from '../../ui/button.tsx';
import { verifyAddress } from '../receipts/verify-address.ts';
import styles from './debt.module.css';

/** The document itself, and the page on which everybody can verify it. */
export function ReceiptLinks({
  receipt: { protocol, url },
  small = false,
}: {
  readonly receipt: Pick<ListedReceipt, 'protocol' | 'url'>;
  readonly small?: boolean;
}) {
  const verify = verifyAddress(url);
  return (
    <div className={styles['links']}>
      <ButtonAnchor href={url} icon="receipt" small={small}>
        {DEBT.receiptPdf}
        <span className="visually-hidden">{` ${protocol}`}</span>
      </ButtonAnchor>
      {verify !== null && (
        <ButtonAnchor href={verify} icon="check" small={small}>
          {DEBT.receiptVerify}
          <span className="visually-hidden">{` ${protocol}`}</span>
        </ButtonAnchor>
      )}
    </div>
  );
}
