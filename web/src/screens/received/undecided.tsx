import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CandidateDebt, OrphanPayment } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatMoney, formatPlainDate } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { RECEIVED } from '../../texts/received.ts';
import { METHOD_NAMES } from '../../texts/server-names.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Empty, Facts, Loaded, Note, Panel } from '../../ui/page.tsx';
import { DebtStatusBadge } from '../../ui/status.tsx';
import styles from './received.module.css';

/** The payments of which it is not certain which debt they pay, each beside the debts that it may be for. */
export default function Undecided() {
  const query = useInfiniteQuery({
    queryKey: ['received', 'undecided'],
    queryFn: ({ pageParam }) =>
      quita.listOrphanPayments({
        query: { limit: 20, include: 'candidates', ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) {
          return (
            <Empty icon="check" title={RECEIVED.undecidedNone}>
              {RECEIVED.undecidedNoneText}
            </Empty>
          );
        }
        return (
          <>
            {items.map((payment) => (
              <UndecidedPayment key={payment.id} payment={payment} />
            ))}
            {query.hasNextPage && (
              <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {COMMON.loadMore}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function UndecidedPayment({ payment }: { readonly payment: OrphanPayment }) {
  const { id, paidAt, endToEndId, by, details } = payment;
  const { doubt = null, candidates = [], method, invoiceId = null, memo = null, source } = details ?? {};
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const decided = async (sentence: string): Promise<void> => {
    announce(sentence);
    await queries.invalidateQueries();
  };
  const assign = useSubmit(async (form) => {
    const debtId = String(form.get('debtId'));
    await quita.assignOrphanPayment({ path: { id }, body: { debtId } }, { idempotencyKey: true });
    await decided(RECEIVED.assigned);
  });
  const dismiss = useSubmit(async () => {
    await quita.dismissOrphanPayment({ path: { id } }, { idempotencyKey: true });
    await decided(RECEIVED.dismissed);
  });
  const choose = (debtId: string): void => {
    const form = new FormData();
    form.set('debtId', debtId);
    void assign.run(form);
  };
  return (
    <Panel title={RECEIVED.payment(payment)}>
      <ProblemSummary failed={assign.failed} />
      <Note tone="warning">{RECEIVED.doubtOf(doubt)}</Note>
      <div className={styles['sides']}>
        <div>
          <Facts
            items={[
              [RECEIVED.paidAt, formatDate(paidAt)],
              ...(method === undefined ? [] : [[RECEIVED.method, METHOD_NAMES[method]] as const]),
              ...(source === undefined
                ? []
                : [[RECEIVED.source, by === undefined ? RECEIVED.sources[source] : RECEIVED.sentBy(by.name)] as const]),
              ...(invoiceId === null ? [] : [[RECEIVED.invoice, <bdi key="invoice">{invoiceId}</bdi>] as const]),
              ...(memo === null
                ? []
                : [
                    [
                      RECEIVED.memo,
                      <bdi key="memo" className={styles['memo']}>
                        {inWrittenOrder(memo)}
                      </bdi>,
                    ] as const,
                  ]),
              ...(endToEndId === null ? [] : [[RECEIVED.endToEnd, endToEndId] as const]),
            ]}
          />
          <div className={styles['buttons']}>
            <Button right="work" onClick={() => setAsking(true)}>
              {RECEIVED.ofNobody}
            </Button>
          </div>
        </div>
        <div>
          <h3>{RECEIVED.candidates}</h3>
          {candidates.length === 0 ? (
            <p className={styles['muted']}>{RECEIVED.noCandidates}</p>
          ) : (
            <ul className={styles['candidates']}>
              {candidates.map((candidate) => (
                <Candidate
                  key={candidate.debtId}
                  candidate={candidate}
                  busy={assign.busy}
                  onChoose={() => choose(candidate.debtId)}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          title={RECEIVED.dismissTitle}
          action={RECEIVED.ofNobody}
          busy={dismiss.busy}
          failed={dismiss.failed}
          onConfirm={() => void dismiss.run()}
          onClose={() => setAsking(false)}
        >
          <p>{RECEIVED.dismissText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Candidate({
  candidate: { debtId, debtorName, invoiceId, dueDate, amount, status },
  busy,
  onChoose,
}: {
  readonly candidate: CandidateDebt;
  readonly busy: boolean;
  readonly onChoose: () => void;
}) {
  const facts = [formatMoney(amount), RECEIVED.due(formatPlainDate(dueDate))];
  if (invoiceId !== null) facts.push(RECEIVED.invoiceOf(inWrittenOrder(invoiceId)));
  return (
    <li className={styles['candidate']}>
      <p>
        <Link to={`/dividas/${debtId}`}>{inWrittenOrder(debtorName)}</Link> <DebtStatusBadge status={status} />
      </p>
      <p>{facts.join(' · ')}</p>
      <Button right="work" small kind="primary" busy={busy} onClick={onChoose}>
        {RECEIVED.choosePayment}
        <span className="visually-hidden">{`: ${inWrittenOrder(debtorName)}, ${facts.join(', ')}`}</span>
      </Button>
    </li>
  );
}
