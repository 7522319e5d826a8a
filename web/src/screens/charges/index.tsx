import { useQuery } from '@tanstack/react-query';
import type { LatePaymentTerms } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { may } from '../../session/may.ts';
import { CHARGES } from '../../texts/charges.ts';
import { Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import styles from './charges.module.css';
import { NewTerms } from './new-terms.tsx';

function Versions({ items }: { readonly items: readonly LatePaymentTerms[] }) {
  return (
    <Panel title={CHARGES.versions}>
      {items.length === 0 ? (
        <p>{CHARGES.noVersions}</p>
      ) : (
        <ul className={styles['versions']}>
          {items.map((terms) => (
            <li key={terms.id}>
              {CHARGES.inWords(terms)}
              {terms.clause !== null && <p className={styles['clause']}>{CHARGES.clauseOf(terms.clause)}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What the company charges for late payment: its versions, and a new one with an example beside it. */
export default function Charges() {
  const query = useQuery({ queryKey: ['terms'], queryFn: () => quita.listTerms() });
  return (
    <>
      <PageHeader title={CHARGES.title}>{CHARGES.lead}</PageHeader>
      <Loaded query={query} lines={8}>
        {({ items }) => (
          <>
            <Versions items={items} />
            {may('manage') && <NewTerms newest={items[0]} />}
          </>
        )}
      </Loaded>
    </>
  );
}
