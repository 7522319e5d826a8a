import { useInfiniteQuery } from '@tanstack/react-query';
import { COMMON } from '../texts/common.ts';
import { Button } from './button.tsx';
import { Loaded } from './page.tsx';
import styles from './table.module.css';
import { type Column, Table } from './table.tsx';

interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

const ROWS = 50;

/** A table of which older rows are read when somebody asks for them. */
export function PagedTable<Row>({
  queryKey,
  read,
  caption,
  columns,
  rowKey,
  none,
}: {
  readonly queryKey: readonly unknown[];
  readonly read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Row>>;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** What stands in place of a table without rows. */
  readonly none?: string;
}) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read({ limit: ROWS, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return (
    <>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          if (rows.length === 0 && none !== undefined) return <p>{none}</p>;
          return <Table caption={caption} columns={columns} rows={rows} rowKey={rowKey} />;
        }}
      </Loaded>
      {query.hasNextPage && (
        <p className={styles['more']}>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {COMMON.showMore}
          </Button>
        </p>
      )}
    </>
  );
}
