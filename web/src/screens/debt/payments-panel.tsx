import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DebtPayment, Refund } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatMoney } from '../../format.ts';
import { showsDebts } from '../../live/stale.ts';
import { inReais, parseReais } from '../../reais.ts';
import { REFUNDS } from '../../texts/refunds.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused, textOf, useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { FormDialog } from '../inbox/form-dialog.tsx';
import styles from './debt.module.css';

const centavos = (reais: number): number => Math.round(reais * 100);

/** How much of a payment its provider can still give back, in reais; 0 for money that came by no provider. */
function leftOf({ provider, paid, refunded, chargedBack, refunds }: DebtPayment): number {
  if (provider === 'outside' || provider === 'agreement' || chargedBack) return 0;
  const underWay = refunds.filter(({ state }) => state === 'pending');
  const held = underWay.reduce((sum, { amount }) => sum + centavos(amount), 0);
  return Math.max(0, centavos(paid) - centavos(refunded) - held) / 100;
}

/** The money that came for the debt, and what of it goes back. */
export function PaymentsPanel({
  payments,
  zone,
}: {
  readonly payments: readonly DebtPayment[];
  readonly zone: string;
}) {
  const [asked, ask] = useState<DebtPayment | null>(null);
  const paid = payments.filter((one) => one.paid > 0);
  if (paid.length === 0) return null;
  return (
    <Panel title={REFUNDS.payments}>
      <ul className={styles['payments']}>
        {paid.map((payment) => (
          <li key={payment.paymentId}>
            <p>
              <strong>{formatMoney(payment.paid)}</strong>
              {` ${REFUNDS.cameBy(payment.provider)}`}
              {payment.paidAt !== null && `, ${formatMoment(payment.paidAt, zone)}`}
            </p>
            {payment.refunds.length > 0 && (
              <ul className={styles['payments']}>
                {payment.refunds.map((refund) => (
                  <RefundLine key={refund.id} refund={refund} zone={zone} />
                ))}
              </ul>
            )}
            {leftOf(payment) > 0 && (
              <Button right="manage" small icon="money" onClick={() => ask(payment)}>
                {REFUNDS.give}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && <RefundDialog payment={asked} onClose={() => ask(null)} />}
    </Panel>
  );
}

function RefundLine({
  refund: { amount, kind, state, failure, reason, contestUntil, createdAt },
  zone,
}: {
  readonly refund: Refund;
  readonly zone: string;
}) {
  return (
    <li>
      <Badge tone={REFUNDS.tones[state]} label={REFUNDS.states[state]} />
      {` ${REFUNDS.line(formatMoney(amount), kind, formatMoment(createdAt, zone))}`}
      {reason !== null && <p className={styles['muted']}>{inWrittenOrder(reason)}</p>}
      {failure !== null && <p className={styles['muted']}>{REFUNDS.failures[failure]}</p>}
      {contestUntil !== null && <p>{REFUNDS.contestUntil(formatMoment(contestUntil, zone))}</p>}
    </li>
  );
}

const wrongAmount = (): Refused =>
  new Refused({
    code: 'validation_failed',
    requestId: null,
    retryAfterSeconds: null,
    errors: [{ pointer: '/amount', code: 'amount_invalid', message: REFUNDS.amountWrong }],
    problem: null,
  });

function RefundDialog({ payment, onClose }: { readonly payment: DebtPayment; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { debtId, paymentId } = payment;
  const left = leftOf(payment);
  const submit = useSubmit(async (form) => {
    const amount = parseReais(textOf(form, 'amount'));
    if (amount === null) throw wrongAmount();
    const body = { amount, reason: textOf(form, 'reason'), paymentId };
    await quita.refundPayment({ path: { debtId }, body }, { idempotencyKey: true });
    await queries.invalidateQueries({ predicate: showsDebts });
    announce(REFUNDS.asked);
    onClose();
  });
  return (
    <FormDialog title={REFUNDS.title} action={REFUNDS.give} danger submit={submit} onClose={onClose}>
      <p className={styles['muted']}>{REFUNDS.text}</p>
      <TextField
        label={REFUNDS.amount}
        hint={REFUNDS.amountHint(formatMoney(left))}
        name="amount"
        defaultValue={inReais(left)}
        inputMode="decimal"
        autoComplete="off"
        required
        error={submit.errorAt('/amount')}
      />
      <TextField
        label={REFUNDS.reason}
        hint={REFUNDS.reasonHint}
        name="reason"
        maxLength={1_000}
        autoComplete="off"
        required
        error={submit.errorAt('/reason')}
      />
    </FormDialog>
  );
}
