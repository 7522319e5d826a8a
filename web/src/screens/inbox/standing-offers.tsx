import { Offers } from '../../agreements/offers.tsx';
import { useOffers } from '../../agreements/use-agreements.ts';
import type { GetDebtResult } from '../../api/client.ts';
import { INBOX } from '../../texts/inbox.ts';
import styles from './case.module.css';

/** What can be offered to a person who wants other terms, so that one press closes the case. */
export function StandingOffers({ debt }: { readonly debt: GetDebtResult }) {
  const { data } = useOffers(debt);
  if (data === undefined) return null;
  return (
    <section className={styles['offers']} aria-label={INBOX.offers}>
      <h3>{INBOX.offers}</h3>
      <Offers debt={debt} offers={data} />
    </section>
  );
}
