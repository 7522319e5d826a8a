import type { ReactNode } from 'react';
import { COMMON } from '../../texts/common.ts';
import { PageHeader } from '../../ui/page.tsx';
import styles from './door.module.css';

/** The frame of the screens before the sign-in. */
export function Door({
  title,
  lead,
  children,
  after,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
  readonly after?: ReactNode;
}) {
  return (
    <main className={styles['door']}>
      <p className={styles['name']}>{COMMON.product}</p>
      <div className={styles['panel']}>
        <PageHeader title={title}>{lead}</PageHeader>
        {children}
      </div>
      {after !== undefined && <div className={styles['after']}>{after}</div>}
    </main>
  );
}
