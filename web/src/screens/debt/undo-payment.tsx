import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TimelineEntry } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoney } from '../../format.ts';
import { RECEIVED } from '../../texts/received.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';

/** What tells of one payment: money for a debt, or for an instalment of its agreement. */
type PaymentEntry = Extract<
  TimelineEntry,
  { kind: 'payment_approved' | 'payment_duplicate' | 'payment_changed' | 'instalment_paid' }
>;

const KINDS: readonly string[] = ['payment_approved', 'payment_duplicate', 'payment_changed', 'instalment_paid'];

const tellsOfPayment = (entry: TimelineEntry): entry is PaymentEntry => KINDS.includes(entry.kind);

/** Whether an entry tells of money from elsewhere that has not been taken back. Only the server knows the term. */
export const isUndoable = <Entry extends { readonly kind: string }>(
  entry: Entry,
  timeline: readonly TimelineEntry[],
): entry is Entry & PaymentEntry => {
  const told = entry as unknown as TimelineEntry;
  if (!tellsOfPayment(told) || told.method == null) return false;
  return !timeline.some(
    (one) => one.kind === 'payment_changed' && one.change === 'undone' && one.paymentId === told.paymentId,
  );
};

/** Takes back a payment that was recorded about the wrong debt. */
export function UndoPayment({
  debtId,
  entry: { paymentId, amount },
}: {
  readonly debtId: string;
  readonly entry: Pick<PaymentEntry, 'paymentId'> & { readonly amount?: number };
}) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const undo = useSubmit(async () => {
    await quita.undoSettlement({ path: { id: paymentId } }, { idempotencyKey: true });
    announce(RECEIVED.undone);
    setAsking(false);
    await queries.invalidateQueries();
  });
  return (
    <>
      <Button right="manage" small onClick={() => setAsking(true)}>
        {RECEIVED.undo}
      </Button>
      {asking && (
        <ConfirmDialog
          key={debtId}
          title={RECEIVED.undoTitle}
          action={RECEIVED.undo}
          danger
          busy={undo.busy}
          failed={undo.failed}
          onConfirm={() => void undo.run()}
          onClose={() => setAsking(false)}
        >
          <p>{RECEIVED.undoText(formatMoney(amount ?? 0))}</p>
          <p>{RECEIVED.undoMore}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
