import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetDebtResult, RequestReceiptResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { verifyAddress } from '../receipts/verify-address.ts';
import styles from './debt.module.css';

/** The code, the page where the debtor pays, and the receipt. */
export function PaymentPanel({ debt, zone }: { readonly debt: GetDebtResult; readonly zone: string }) {
  const payment = useQuery({
    queryKey: ['debt', debt.id, 'payment', debt.status],
    queryFn: () => quita.readPayment({ path: { debtId: debt.id } }),
    enabled: debt.status !== 'IMPORTED',
  }).data;
  const page = `${location.origin}/checkout/${debt.id}`;
  return (
    <Panel title={DEBT.payment}>
      {debt.status === 'PAID' ? (
        <>
          {payment?.paidAt != null && <p>{DEBT.paidAt(formatMoment(payment.paidAt, zone))}</p>}
          <Receipt debtId={debt.id} zone={zone} />
        </>
      ) : (
        <>
          {payment?.brCode == null ? (
            <p className={styles['muted']}>{DEBT.noCode}</p>
          ) : (
            <>
              <p>
                {DEBT.code}
                {payment.expiresAt !== null && `, ${DEBT.codeUntil(formatMoment(payment.expiresAt, zone))}`}
              </p>
              <code className={styles['code']}>{payment.brCode}</code>
            </>
          )}
          <div className={styles['buttons']}>
            <ButtonAnchor href={page} icon="external" small>
              {DEBT.openPage}
            </ButtonAnchor>
            <CopyButton text={page} label={DEBT.copyPage} />
          </div>
        </>
      )}
    </Panel>
  );
}

const sentenceOf = ({ sent, sendAt, reason }: RequestReceiptResult, zone: string): string => {
  if (sent) return DEBT.receiptSent;
  if (sendAt !== undefined) return DEBT.receiptLater(formatMoment(sendAt, zone));
  return (reason !== undefined ? DEBT.receiptNotSent[reason] : undefined) ?? DEBT.receiptIssued;
};

function Receipt({ debtId, zone }: { readonly debtId: string; readonly zone: string }) {
  const queries = useQueryClient();
  const [receipt, setReceipt] = useState<RequestReceiptResult | null>(null);
  const [said, say] = useState<string | null>(null);
  const ask = useSubmit(async () => {
    setReceipt(await quita.requestReceipt({ path: { debtId } }));
    await queries.invalidateQueries({ queryKey: ['debt', debtId] });
  });
  const send = useSubmit(async () => {
    const sent = await quita.requestReceipt({ path: { debtId }, query: { send: 'true' } }, { idempotencyKey: true });
    setReceipt(sent);
    say(sentenceOf(sent, zone));
    announce(sentenceOf(sent, zone));
    await queries.invalidateQueries({ queryKey: ['debt', debtId] });
  });
  const verify = receipt === null ? null : verifyAddress(receipt.url);
  return (
    <>
      <ProblemSummary failed={ask.failed ?? send.failed} />
      {said !== null && <Note>{said}</Note>}
      <div className={styles['buttons']}>
        {receipt === null ? (
          <Button icon="receipt" busy={ask.busy} onClick={() => void ask.run()}>
            {DEBT.receipt}
          </Button>
        ) : (
          <>
            <ButtonAnchor href={receipt.url} icon="receipt" kind="primary">
              {DEBT.receiptPdf}
            </ButtonAnchor>
            {verify !== null && (
              <ButtonAnchor href={verify} icon="check">
                {DEBT.receiptVerify}
              </ButtonAnchor>
            )}
          </>
        )}
        <Button icon="send" busy={send.busy} onClick={() => void send.run()}>
          {DEBT.receiptSend}
        </Button>
      </div>
    </>
  );
}
