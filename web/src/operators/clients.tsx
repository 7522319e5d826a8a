import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ListClientsAsOperatorResult } from '../api/client.ts';
import { formatCnpj, formatCount, formatDate } from '../format.ts';
import { COMMON } from '../texts/common.ts';
import { CLIENT_STATUS, OPERATORS, UNVERIFIED, VERIFIED } from '../texts/operators.ts';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty, Loaded, PageHeader } from '../ui/page.tsx';
import { Badge } from '../ui/status.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useFilters } from '../use-filters.ts';
import { useSearchText } from '../use-search-text.ts';
import { useSettled } from '../use-settled.ts';
import { operatorApi } from './api.ts';
import styles from './operators.module.css';

type Item = ListClientsAsOperatorResult['items'][number];
type Filter = keyof typeof OPERATORS.filters;

const FILTERS = Object.entries(OPERATORS.filters).map(([key, label]) => ({ key: key as Filter, label }));
const isFilter = (text: string): text is Filter => Object.hasOwn(OPERATORS.filters, text);

const COLUMNS: readonly Column<Item>[] = [
  {
    key: 'name',
    label: OPERATORS.company,
    wide: true,
    cell: ({ id, name, email }) => (
      <div className={styles['company']}>
        <Link to={`/empresas/${id}`}>{name}</Link>
        <span className={styles['muted']}>{email}</span>
      </div>
    ),
  },
  {
    key: 'cnpj',
    label: OPERATORS.cnpj,
    short: true,
    cell: ({ cnpj }) => (cnpj === null ? COMMON.none : formatCnpj(cnpj)),
  },
  { key: 'status', label: OPERATORS.status, cell: ({ status }) => <Badge {...CLIENT_STATUS[status]} /> },
  {
    key: 'verified',
    label: OPERATORS.verification,
    cell: ({ verified }) => <Badge {...(verified ? VERIFIED : UNVERIFIED)} />,
  },
  { key: 'problems', label: OPERATORS.problems, numeric: true, cell: ({ problems }) => formatCount(problems) },
  { key: 'since', label: OPERATORS.since, short: true, desk: true, cell: ({ createdAt }) => formatDate(createdAt) },
];

/** The companies of the deployment. What is typed in the search stays out of the address. */
export default function Clients() {
  const [{ ver }, changeFilters] = useFilters(['ver']);
  const filter = isFilter(ver) ? ver : 'all';
  const [text, setText] = useSearchText();
  const search = useSettled(text.trim());
  const query = useQuery({
    queryKey: ['clients', filter, search],
    queryFn: () => operatorApi.listClientsAsOperator({ query: { filter, search } }),
  });
  const clear = (): void => {
    setText('');
    changeFilters({ ver: '' });
  };
  return (
    <>
      <PageHeader title={OPERATORS.clients}>{OPERATORS.clientsLead}</PageHeader>
      <search className={styles['search']}>
        <TextField
          label={OPERATORS.search}
          type="search"
          name="search"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Chips
          label={OPERATORS.filter}
          options={FILTERS}
          chosen={filter}
          onChoose={(key) => changeFilters({ ver: key === 'all' ? '' : key })}
        />
      </search>
      <Loaded query={query} lines={8}>
        {({ items, total }) =>
          items.length > 0 ? (
            <>
              <p className={styles['count']} role="status">
                {OPERATORS.shown(items.length, total)}
              </p>
              <Table caption={OPERATORS.clients} columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
            </>
          ) : search === '' && filter === 'all' ? (
            <Empty icon="account" title={OPERATORS.noneTitle}>
              {OPERATORS.noneText}
            </Empty>
          ) : (
            <Empty
              icon="search"
              title={OPERATORS.noneFound}
              action={<Button onClick={clear}>{COMMON.clearFilters}</Button>}
            />
          )
        }
      </Loaded>
    </>
  );
}
