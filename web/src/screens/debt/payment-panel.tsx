import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetDebtResult, ListedReceipt, Payment, RequestReceiptResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { AnnualQuittance } from './annual-quittance.tsx';
import { isErased } from './changes.ts';
import styles from './debt.module.css';
import { ReceiptLinks } from './receipt-links.tsx';

/** The code, the page where the debtor pays, and the receipt. */
export function PaymentPanel({
  debt,
  payment,
  receipts,
  zone,
}: {
  readonly debt: GetDebtResult;
  readonly payment: Payment | undefined;
  readonly receipts: readonly ListedReceipt[] | undefined;
  readonly zone: string;
}) {
  const { id, status, dueDate } = debt;
  return (
    <Panel title={DEBT.payment}>
      {status === 'PAID' ? (
        <>
          {payment?.paidAt != null && <p>{DEBT.paidAt(formatMoment(payment.paidAt, zone))}</p>}
          {receipts !== undefined && (
            <Receipt debtId={id} zone={zone} receipt={receipts.find(({ kind }) => kind === 'settlement')} />
          )}
          {!isErased(debt) && <AnnualQuittance debtId={id} dueDate={dueDate} />}
        </>
      ) : (
        <>
          <Code payment={payment} zone={zone} />
          {status !== 'IMPORTED' && status !== 'STOPPED' && <PageLinks debtId={id} />}
        </>
      )}
    </Panel>
  );
}

function Code({ payment, zone }: { readonly payment: Payment | undefined; readonly zone: string }) {
  if (payment?.brCode == null) {
    return <p className={styles['muted']}>{DEBT.codeState[payment?.status ?? 'PENDING']}</p>;
  }
  return (
    <>
      <p>
        {DEBT.code}
        {payment.expiresAt !== null && `, ${DEBT.codeUntil(formatMoment(payment.expiresAt, zone))}`}
      </p>
      <code className={styles['code']}>{payment.brCode}</code>
      <CopyButton text={payment.brCode} label={DEBT.copyCode} />
    </>
  );
}

function PageLinks({ debtId }: { readonly debtId: string }) {
  const page = `${location.origin}/checkout/${debtId}`;
  return (
    <div className={styles['buttons']}>
      <ButtonAnchor href={page} icon="external" small>
        {DEBT.openPage}
      </ButtonAnchor>
      <CopyButton text={page} label={DEBT.copyPage} />
    </div>
  );
}

const sentenceOf = ({ sent, sendAt, reason }: RequestReceiptResult, zone: string): string => {
  if (sent) return DEBT.receiptSent;
  if (sendAt !== undefined) return DEBT.receiptLater(formatMoment(sendAt, zone));
  return (reason !== undefined ? DEBT.receiptNotSent[reason] : undefined) ?? DEBT.receiptIssued;
};

function Receipt({
  debtId,
  zone,
  receipt,
}: {
  readonly debtId: string;
  readonly zone: string;
  readonly receipt: ListedReceipt | undefined;
}) {
  const queries = useQueryClient();
  const [said, say] = useState<string | null>(null);
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['receipts'] }),
      queries.invalidateQueries({ queryKey: ['debt', debtId] }),
    ]);
  };
  const issue = useSubmit(async () => {
    await quita.requestReceipt({ path: { debtId } }, { idempotencyKey: true });
    announce(DEBT.receiptIssued);
    await refresh();
  });
  const send = useSubmit(async () => {
    const sent = await quita.requestReceipt({ path: { debtId }, query: { send: 'true' } }, { idempotencyKey: true });
    const sentence = sentenceOf(sent, zone);
    say(sentence);
    announce(sentence);
    await refresh();
  });
  const isRevoked = receipt !== undefined && receipt.revokedAt !== null;
  return (
    <>
      <ProblemSummary failed={issue.failed ?? send.failed} />
      {receipt === undefined ? (
        <p>{DEBT.receiptWaits}</p>
      ) : (
        <p>
          {`${DEBT.receipt} `}
          <span className={styles['protocol']}>{receipt.protocol}</span>{' '}
          {isRevoked && <Badge tone="danger" label={DEBT.receiptRevoked} />}
        </p>
      )}
      {isRevoked && <p className={styles['muted']}>{DEBT.receiptRevokedText}</p>}
      {said !== null && <Note>{said}</Note>}
      <div className={styles['buttons']}>
        {receipt === undefined ? (
          <Button right="work" icon="receipt" busy={issue.busy} onClick={() => void issue.run()}>
            {DEBT.receiptAsk}
          </Button>
        ) : (
          <ReceiptLinks receipt={receipt} />
        )}
        {!isRevoked && (
          <Button right="work" icon="send" busy={send.busy} onClick={() => void send.run()}>
            {DEBT.receiptSend}
          </Button>
        )}
      </div>
    </>
  );
}
