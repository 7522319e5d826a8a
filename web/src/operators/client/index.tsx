import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { ReadClientAsOperatorResult } from '../../api/client.ts';
import { formatCnpj, formatDate, formatMoment } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { COMMON } from '../../texts/common.ts';
import { ACT_NAMES, CLIENT_STATUS, NEED_NAMES, OPERATORS, UNVERIFIED, VERIFIED } from '../../texts/operators.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Facts, Loaded, PageHeader, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { operatorApi } from '../api.ts';
import styles from '../operators.module.css';
import { Backlog, Problems } from '../problems.tsx';
import { StatusActions } from './status-actions.tsx';
import { Verification } from './verification.tsx';

type Client = ReadClientAsOperatorResult;
type Act = Client['acts'][number];

const ACTS: readonly Column<Act>[] = [
  { key: 'at', label: OPERATORS.at, short: true, cell: ({ at }) => formatMoment(at) },
  { key: 'who', label: OPERATORS.who, wide: true, cell: ({ operator }) => operator ?? OPERATORS.command },
  { key: 'what', label: OPERATORS.what, cell: ({ action }) => ACT_NAMES[action] },
];

/** One company: who it is, whether it was checked, what fails and waits, and what operators have done. */
export default function ClientScreen() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery({
    queryKey: ['client', id],
    queryFn: () => operatorApi.readClientAsOperator({ path: { id } }),
  });
  return (
    <>
      <BackLink to="/">{OPERATORS.clients}</BackLink>
      {query.data === undefined && <PageHeader title={OPERATORS.clientTitle} />}
      <Loaded query={query} lines={10}>
        {(client) => <ClientPage client={client} />}
      </Loaded>
    </>
  );
}

function ClientPage({ client }: { readonly client: Client }) {
  const { name, status, verified, problems, backlog, acts } = client;
  return (
    <>
      <PageHeader
        title={name}
        documentTitle={OPERATORS.clientTitle}
        badges={
          <>
            <Badge {...CLIENT_STATUS[status]} />
            <Badge {...(verified ? VERIFIED : UNVERIFIED)} />
          </>
        }
        actions={<StatusActions client={client} />}
      />
      <Verification client={client} />
      <Panel title={OPERATORS.facts}>
        <Facts items={factsOf(client)} />
      </Panel>
      <Panel title={OPERATORS.fails}>
        {problems.length === 0 ? (
          <p className={styles['muted']}>{OPERATORS.failsNone}</p>
        ) : (
          <Problems caption={OPERATORS.fails} problems={problems} when={OPERATORS.when} />
        )}
      </Panel>
      <Panel title={OPERATORS.backlog}>
        <Backlog rows={backlog} />
      </Panel>
      <Panel title={OPERATORS.acts}>
        {acts.length === 0 ? (
          <p className={styles['muted']}>{OPERATORS.actsNone}</p>
        ) : (
          <Table caption={OPERATORS.acts} columns={ACTS} rows={acts} rowKey={({ at, action }) => `${at} ${action}`} />
        )}
      </Panel>
    </>
  );
}

const factsOf = ({ id, email, cnpj, collectsFor, plan, trialEndsAt, missing }: Client) =>
  [
    [ACCOUNT.cnpj, cnpj === null ? COMMON.none : formatCnpj(cnpj)],
    [OPERATORS.email, email],
    [ACCOUNT.collectsFor, ACCOUNT.collectsForOptions.find(({ value }) => value === collectsFor)?.label],
    [OPERATORS.plan, plan],
    [OPERATORS.trial, trialEndsAt === null ? COMMON.none : formatDate(trialEndsAt)],
    [OPERATORS.missing, missing.map((need) => NEED_NAMES[need]).join(', ') || OPERATORS.missingNone],
    [
      OPERATORS.id,
      <span key="id" className={styles['code']}>
        {id}
      </span>,
    ],
  ] as const;
