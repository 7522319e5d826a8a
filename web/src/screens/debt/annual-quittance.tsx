import { useState } from 'react';
import { Link } from 'wouter';
import type { IssueAnnualQuittanceResult, QuittanceYear } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatMoney, formatPlainDate } from '../../format.ts';
import { QUITTANCE } from '../../texts/annual-quittance.ts';
import { COMMON } from '../../texts/common.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { CheckboxField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import styles from './debt.module.css';
import { ReceiptLinks } from './receipt-links.tsx';

/** Declares that a year of bills of the person is paid. Who may only read is not offered it. */
export function AnnualQuittance({ debtId, dueDate }: { readonly debtId: string; readonly dueDate: string }) {
  const [isOpen, open] = useState(false);
  return (
    <div className={styles['buttons']}>
      <Button right="work" icon="receipt" onClick={() => open(true)}>
        {QUITTANCE.open}
      </Button>
      {isOpen && <QuittanceDialog debtId={debtId} dueDate={dueDate} onClose={() => open(false)} />}
    </div>
  );
}

function QuittanceDialog({
  debtId,
  dueDate,
  onClose,
}: {
  readonly debtId: string;
  readonly dueDate: string;
  readonly onClose: () => void;
}) {
  const [shown, show] = useState<QuittanceYear | null>(null);
  const look = useSubmit(async (form) => {
    show(await quita.readAnnualQuittance({ query: { debtId, year: Number(textOf(form, 'year')) } }));
  });
  return (
    <Dialog title={QUITTANCE.title} onClose={onClose} isUnsaved={() => false}>
      <p>{QUITTANCE.lead}</p>
      <form onSubmit={look.onSubmit}>
        <ProblemSummary failed={look.failed} />
        <TextField
          label={QUITTANCE.year}
          name="year"
          inputMode="numeric"
          pattern="20[0-9]{2}"
          maxLength={4}
          defaultValue={dueDate.slice(0, 4)}
          required
          onChange={() => show(null)}
        />
        <Button type="submit" kind={shown === null ? 'primary' : 'default'} busy={look.busy}>
          {QUITTANCE.look}
        </Button>
      </form>
      <div role="status" className={styles['year']}>
        {shown !== null && <Year key={shown.year} debtId={debtId} shown={shown} onIssued={show} />}
      </div>
    </Dialog>
  );
}

function Year({
  debtId,
  shown,
  onIssued,
}: {
  readonly debtId: string;
  readonly shown: QuittanceYear;
  readonly onIssued: (shown: QuittanceYear) => void;
}) {
  const { year, bills, ended, earlierOwed, refusals, statement, issued } = shown;
  const unpaid = ({ invoiceId, dueDate, amount }: QuittanceYear['ended'][number]): string =>
    QUITTANCE.unpaid(written(invoiceId), formatPlainDate(dueDate), formatMoney(amount));
  if (refusals.length > 0) return <Refusals refusals={refusals} />;
  return (
    <>
      <p>{QUITTANCE.bills(bills.length, year)}</p>
      <ul>
        {bills.map(({ debtId: id, invoiceId, dueDate, paid, paidOn }) => (
          <li key={id}>
            {QUITTANCE.bill(written(invoiceId), formatPlainDate(dueDate), formatMoney(paid), formatPlainDate(paidOn))}
          </li>
        ))}
      </ul>
      <Others title={QUITTANCE.ended} lines={ended.map((bill) => [bill.debtId, unpaid(bill)])} />
      <Others title={QUITTANCE.earlier} lines={earlierOwed.map((bill) => [bill.debtId, unpaid(bill)])} />
      {issued !== null && <Issued quittance={issued} />}
      {issued === null && statement !== null && (
        <Confirm
          asked={{ debtId, year, statement }}
          onIssued={(quittance) => onIssued({ ...shown, issued: quittance })}
        />
      )}
    </>
  );
}

const written = (invoiceId: string | null): string | null => (invoiceId === null ? null : inWrittenOrder(invoiceId));

function Others({ title, lines }: { readonly title: string; readonly lines: readonly (readonly [string, string])[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {lines.map(([id, line]) => (
          <li key={id}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function Refusals({ refusals }: Pick<QuittanceYear, 'refusals'>) {
  return (
    <>
      <p>{QUITTANCE.refused}</p>
      <ul>
        {refusals.map(({ code, debtIds }) => (
          <li key={code}>
            {QUITTANCE.because[code]}
            {debtIds.map((id) => (
              <span key={id}>
                {' '}
                <Link to={`/dividas/${id}`}>{QUITTANCE.openBill}</Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Issued({ quittance }: { readonly quittance: IssueAnnualQuittanceResult }) {
  return (
    <>
      <p>{QUITTANCE.exists(quittance.protocol, formatDate(quittance.issuedAt))}</p>
      <ReceiptLinks receipt={quittance} />
    </>
  );
}

function Confirm({
  asked,
  onIssued,
}: {
  readonly asked: { readonly debtId: string; readonly year: number; readonly statement: string };
  readonly onIssued: (quittance: IssueAnnualQuittanceResult) => void;
}) {
  const issue = useSubmit(async () => {
    const quittance = await quita.issueAnnualQuittance({ body: asked }, { idempotencyKey: true });
    announce(QUITTANCE.issued);
    onIssued(quittance);
  });
  return (
    <form onSubmit={issue.onSubmit} className={styles['year']}>
      <ProblemSummary failed={issue.failed} />
      <h3>{QUITTANCE.confirmTitle}</h3>
      <p>{QUITTANCE.known}</p>
      <blockquote>{asked.statement}</blockquote>
      <CheckboxField label={QUITTANCE.confirm} name="confirmed" required />
      <div className={styles['buttons']}>
        <CancelButton label={COMMON.cancel} />
        <Button type="submit" kind="primary" busy={issue.busy}>
          {QUITTANCE.issue}
        </Button>
      </div>
    </form>
  );
}
