import type { ReactNode } from 'react';
import styles from './scroller.module.css';

/** Scrolls a wide or long table in itself, so that the page never scrolls sideways. */
export function Scroller({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll the table.
    <section className={styles['scroller']} aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
