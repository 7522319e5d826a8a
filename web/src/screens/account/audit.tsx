import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { wordOf } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'at', label: ACCOUNT.when, cell: ({ at }) => formatMoment(at) },
  { key: 'actor', label: ACCOUNT.actor, cell: ({ actor, by }) => by?.name ?? wordOf(ACCOUNT.actors, actor) },
  { key: 'action', label: ACCOUNT.action, cell: ({ action }) => ACCOUNT.actionOf(action) },
  { key: 'ip', label: ACCOUNT.ip, cell: ({ ip }) => ip ?? '–' },
];

/** Who did what in the account. */
export default function Audit() {
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => quita.listAudit({ query: { limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return (
    <Panel title={ACCOUNT.audit}>
      <p className={styles['muted']}>{ACCOUNT.auditText}</p>
      <Loaded query={query}>
        {({ pages }) => (
          <Table
            caption={ACCOUNT.audit}
            columns={COLUMNS}
            rows={pages.flatMap(({ items }) => items)}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
      {query.hasNextPage && (
        <div className={styles['buttons']}>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {ACCOUNT.older}
          </Button>
        </div>
      )}
    </Panel>
  );
}
