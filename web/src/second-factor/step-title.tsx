import { type ReactNode, useEffect, useRef } from 'react';
import styles from './second-factor.module.css';

/** The rank of the headings, which depends on what stands above. */
export type Heading = 'h2' | 'h3';

/** The heading of a step. It takes the focus, because the button that led here is gone. */
export function StepTitle({ as: Rank, children }: { readonly as: Heading; readonly children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Rank ref={title} tabIndex={-1} className={styles['title']}>
      {children}
    </Rank>
  );
}
