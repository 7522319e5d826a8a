import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Agreement } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { formatDate, formatMoment, formatMoney } from '../format.ts';
import { showsDebts } from '../live/stale.ts';
import { ACCEPTED_BY, AGREEMENT_STATUS, INSTALMENT_STATUS } from '../texts/agreement-words.ts';
import { AGREEMENTS } from '../texts/agreements.ts';
import { announce } from '../ui/announce.tsx';
import { Button, ButtonAnchor } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { textOf, useSubmit } from '../ui/form.tsx';
import { Facts, Note } from '../ui/page.tsx';
import { Badge } from '../ui/status.tsx';
import styles from './agreements.module.css';
import { openOf } from './plan.ts';

export const AgreementBadge = ({ status }: { readonly status: Agreement['status'] }) => (
  <Badge {...AGREEMENT_STATUS[status]} />
);

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    await quita.cancelAgreement({ path: { id }, body: { reason: textOf(form, 'reason') } });
    onClose();
    announce(AGREEMENTS.cancelled);
    await queries.invalidateQueries({ predicate: showsDebts });
  });
  return (
    <ConfirmDialog
      title={AGREEMENTS.cancel}
      action={AGREEMENTS.cancel}
      danger
      stay={AGREEMENTS.keep}
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={(form) => void submit.run(form)}
      onClose={onClose}
    >
      <p>{AGREEMENTS.cancelText}</p>
      <p className={styles['lead']}>{AGREEMENTS.cancelTell}</p>
      <TextAreaField
        label={AGREEMENTS.cancelReason}
        hint={AGREEMENTS.cancelReasonHint}
        name="reason"
        rows={2}
        maxLength={1_000}
        required
        error={submit.errorAt('/reason')}
      />
    </ConfirmDialog>
  );
}

function Plan({ instalments }: Pick<Agreement, 'instalments'>) {
  return (
    <>
      <h3 className={styles['heading']}>{AGREEMENTS.plan}</h3>
      <ol className={styles['plan']}>
        {instalments.map(({ number, dueDate, amount, status, paidAt }) => (
          <li key={number}>
            <span>
              <strong>{`${AGREEMENTS.instalment(number, instalments.length)}: ${formatMoney(amount)}`}</strong>
              <span className={styles['terms']}>{AGREEMENTS.dueOn(dueDate)}</span>
            </span>
            <Badge
              {...INSTALMENT_STATUS[status]}
              {...(paidAt !== null && status === 'APPROVED' && { label: AGREEMENTS.paidOn(formatDate(paidAt)) })}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

/** What was agreed, how it stands, and what staff can do about it. */
export function AgreementDetails({
  agreement,
  children,
}: {
  readonly agreement: Agreement;
  readonly children?: React.ReactNode;
}) {
  const { id, status, protocol, debtIds, total, discount, paid, acceptedAt, acceptedBy, stoppedBecause, url } =
    agreement;
  const { by, cancelledBy } = agreement;
  const how = by === undefined ? (ACCEPTED_BY[acceptedBy] ?? acceptedBy) : AGREEMENTS.recordedBy(by.name);
  const [cancelling, setCancelling] = useState(false);
  return (
    <>
      {stoppedBecause !== null && status === 'ACTIVE' && (
        <Note tone="warning">
          <p>{AGREEMENTS.stopped(stoppedBecause)}</p>
          <Link to={`/atendimento/${debtIds[0]}`}>{AGREEMENTS.toInbox}</Link>
        </Note>
      )}
      <div className={styles['facts']}>
        <Facts
          items={[
            [AGREEMENTS.total, formatMoney(total)],
            [AGREEMENTS.discountName, formatMoney(discount)],
            [AGREEMENTS.paid, formatMoney(paid)],
            ...(status === 'ACTIVE' ? ([[AGREEMENTS.open, formatMoney(openOf(agreement))]] as const) : []),
            [AGREEMENTS.acceptedAt, `${formatMoment(acceptedAt)}, ${how}`],
            ...(cancelledBy === undefined ? [] : ([[AGREEMENTS.cancelledBy, cancelledBy.name]] as const)),
            [
              AGREEMENTS.protocol,
              <span key="protocol" className={styles['protocol']}>
                {protocol}
              </span>,
            ],
          ]}
        />
      </div>
      <Plan instalments={agreement.instalments} />
      <div className={styles['buttons']}>
        <ButtonAnchor href={url} icon="receipt">
          {AGREEMENTS.document}
        </ButtonAnchor>
        {children}
        {status === 'ACTIVE' && (
          <Button right="manage" kind="danger" icon="stop" onClick={() => setCancelling(true)}>
            {AGREEMENTS.cancel}
          </Button>
        )}
      </div>
      {cancelling && <CancelDialog id={id} onClose={() => setCancelling(false)} />}
    </>
  );
}
