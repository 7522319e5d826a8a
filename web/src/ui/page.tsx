import { type ReactNode, useEffect, useRef } from 'react';
import { COMMON } from '../texts/common.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { Failure } from './failure.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './page.module.css';
import { useDelayed } from './use-delayed.ts';

/**
 * The head of a screen. After a navigation it takes the focus and names the document, so that a screen reader says
 * where the person is.
 */
export function PageHeader({
  title,
  documentTitle = title,
  badges,
  actions,
  children,
}: {
  readonly title: string;
  /** Stands in the window's title and in the browser's history, where no person's name belongs. */
  readonly documentTitle?: string;
  readonly badges?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = SHELL.title(documentTitle);
    if (first.current) heading.current?.focus({ preventScroll: true });
    first.current = false;
  }, [documentTitle]);
  return (
    <header className={styles['header']}>
      <div className={styles['heading']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {badges}
      </div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      {children !== undefined && <div className={styles['lead']}>{children}</div>}
    </header>
  );
}

/** A surface with a heading. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles['panel']}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles['panelHead']}>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Nothing is there yet; one action leads on. */
export function Empty({
  icon = 'info',
  title,
  children,
  action,
}: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      <Icon name={icon} size={40} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Grey bars in place of what is being loaded; nothing for the first moment. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  const shown = useDelayed();
  if (!shown) return null;
  return (
    <div className={styles['skeleton']} role="status">
      <span className="visually-hidden">{COMMON.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The bars are all alike and never change places.
        <span key={line} className={styles['bar']} />
      ))}
    </div>
  );
}

interface Loadable<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows the data of a query, its skeleton before, or its failure when there is nothing to show. */
export function Loaded<Data>({
  query,
  lines,
  children,
}: {
  readonly query: Loadable<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null && query.error !== undefined) {
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <Skeleton {...(lines !== undefined && { lines })} />;
}

/** Pairs of a name and a value. */
export function Facts({ items }: { readonly items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Large figures with their names. */
export function Figures({
  items,
}: {
  readonly items: readonly { readonly label: string; readonly value: ReactNode; readonly note?: ReactNode }[];
}) {
  return (
    <dl className={styles['figures']}>
      {items.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd className={styles['figureNote']}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A remark inside a screen: information, a warning, or that this is a test. */
export function Note({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warning' | 'test' | 'good';
  readonly children: ReactNode;
}) {
  const icon = ({ info: 'info', warning: 'warning', test: 'test', good: 'check' } as const)[tone];
  return (
    <div className={`${styles['note']} ${styles[tone]}`}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
