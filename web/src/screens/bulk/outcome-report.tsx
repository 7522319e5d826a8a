import { Link } from 'wouter';
import { BULK } from '../../texts/bulk.ts';
import styles from './bulk.module.css';
import type { Outcome } from './outcome.ts';

/** More debts than these are only counted. */
const MAX_LISTED = 100;

/** What an action has done, and which debts it has left as they were, and why. */
export function OutcomeReport({ outcome: { text, skipped } }: { readonly outcome: Outcome }) {
  return (
    <>
      <p>{text}</p>
      {skipped.length > 0 && (
        <ul className={styles['skipped']}>
          {skipped.slice(0, MAX_LISTED).map(({ id, name, why }) => (
            <li key={id}>
              <Link to={`/dividas/${id}`}>
                <bdi>{name}</bdi>
              </Link>
              {`: ${why}`}
            </li>
          ))}
          {skipped.length > MAX_LISTED && <li>{BULK.moreSkipped(skipped.length - MAX_LISTED)}</li>}
        </ul>
      )}
    </>
  );
}
