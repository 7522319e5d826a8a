import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { AgreementBadge, AgreementDetails } from '../../agreements/agreement.tsx';
import { quita } from '../../api/quita.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { AGREEMENTS } from '../../texts/agreements.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import { TestBadge } from '../../ui/status.tsx';
import styles from './agreements.module.css';

/** One agreement, with its instalments and the debts that it is about. */
export default function AgreementScreen() {
  const { id = '' } = useParams();
  useLive(PACE.running);
  const query = useQuery({
    queryKey: ['agreements', 'one', id],
    queryFn: () => quita.getAgreement({ path: { id } }),
    placeholderData: () => undefined,
  });
  const agreement = query.data;
  return (
    <>
      <PageHeader
        title={agreement === undefined ? AGREEMENTS.one : inWrittenOrder(agreement.debtorName) || AGREEMENTS.erased}
        documentTitle={AGREEMENTS.one}
        badges={
          agreement && (
            <>
              <AgreementBadge status={agreement.status} />
              {agreement.sandbox && <TestBadge />}
            </>
          )
        }
      />
      <Loaded query={query} lines={10}>
        {(shown) => (
          <Panel title={AGREEMENTS.section}>
            <AgreementDetails agreement={shown}>
              {shown.debtIds.map((debtId, at) => (
                <ButtonLink key={debtId} to={`/dividas/${debtId}`} icon="debts">
                  {AGREEMENTS.debt(at + 1, shown.debtIds.length)}
                </ButtonLink>
              ))}
            </AgreementDetails>
          </Panel>
        )}
      </Loaded>
      <p className={styles['back']}>
        <Link to="/acordos">{AGREEMENTS.back}</Link>
      </p>
    </>
  );
}
