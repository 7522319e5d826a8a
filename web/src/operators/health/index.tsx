import { useQuery } from '@tanstack/react-query';
import type { ReadOperatorHealthResult } from '../../api/client.ts';
import { formatBytes, formatMoment, formatPercent, formatTime } from '../../format.ts';
import { OPERATORS } from '../../texts/operators.ts';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Facts, Loaded, Note, PageHeader, Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { operatorApi } from '../api.ts';
import styles from '../operators.module.css';
import { Backlog, Problems } from '../problems.tsx';

type Health = ReadOperatorHealthResult;

/** What fails, ends or waits. It asks when somebody wants it: an open page keeps no session alive by itself. */
export default function HealthScreen() {
  const query = useQuery({ queryKey: ['health'], queryFn: () => operatorApi.readOperatorHealth() });
  return (
    <>
      <PageHeader
        title={OPERATORS.health}
        actions={
          <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
            {OPERATORS.refresh}
          </Button>
        }
      >
        {query.dataUpdatedAt > 0
          ? `${OPERATORS.healthLead} ${OPERATORS.refreshedAt(formatTime(new Date(query.dataUpdatedAt)))}`
          : OPERATORS.healthLead}
      </PageHeader>
      {query.data !== undefined && query.error !== null && <Failure error={query.error} />}
      <Loaded query={query} lines={10}>
        {(health) => (
          <>
            <Workflows workflows={health.workflows} />
            <Parked rows={health.parked} />
            <ProblemPanels problems={health.problems} />
            <Panel title={OPERATORS.backlog}>
              <Backlog rows={health.backlog} />
            </Panel>
            <Disk disk={health.disk} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Workflow = NonNullable<Health['workflows']>['items'][number];

const WORKFLOWS: readonly Column<Workflow>[] = [
  {
    key: 'id',
    label: OPERATORS.workflowId,
    wide: true,
    cell: ({ workflowId }) => <span className={styles['code']}>{workflowId}</span>,
  },
  {
    key: 'link',
    label: '',
    cell: ({ workflowId, url }) =>
      url !== null && (
        <ButtonAnchor small icon="external" href={url} label={OPERATORS.openOne(workflowId)}>
          {OPERATORS.open}
        </ButtonAnchor>
      ),
  },
];

function Workflows({ workflows }: Pick<Health, 'workflows'>) {
  return (
    <Panel title={OPERATORS.workflows}>
      {workflows === null ? (
        <Note tone="warning">{OPERATORS.workflowsUnknown}</Note>
      ) : workflows.count === 0 ? (
        <p className={styles['muted']}>{OPERATORS.workflowsNone}</p>
      ) : (
        <>
          <p className={styles['lead']}>{OPERATORS.workflowsText(workflows.count)}</p>
          {workflows.items.every(({ url }) => url === null) && <Note>{OPERATORS.noUi}</Note>}
          <Table
            caption={OPERATORS.workflows}
            columns={WORKFLOWS}
            rows={workflows.items}
            rowKey={({ workflowId }) => workflowId}
          />
        </>
      )}
    </Panel>
  );
}

const PARKED: readonly Column<Health['parked'][number]>[] = [
  { key: 'workflow', label: OPERATORS.workflow, cell: ({ workflow }) => workflow },
  {
    key: 'id',
    label: OPERATORS.workflowId,
    wide: true,
    cell: ({ workflowId }) => <span className={styles['code']}>{workflowId}</span>,
  },
  { key: 'at', label: OPERATORS.created, short: true, cell: ({ createdAt }) => formatMoment(createdAt) },
];

const Parked = ({ rows }: { readonly rows: Health['parked'] }) => (
  <Panel title={OPERATORS.parked}>
    {rows.length === 0 ? (
      <p className={styles['muted']}>{OPERATORS.parkedNone}</p>
    ) : (
      <>
        <p className={styles['lead']}>{OPERATORS.parkedText}</p>
        <Table caption={OPERATORS.parked} columns={PARKED} rows={rows} rowKey={({ id }) => id} />
      </>
    )}
  </Panel>
);

type Kind = Health['problems'][number]['kind'];

const PANELS: readonly {
  readonly title: string;
  readonly kinds: readonly Kind[];
  readonly none: string;
  readonly when: string;
}[] = [
  {
    title: OPERATORS.channels,
    kinds: ['channel_failing', 'channel_paused', 'account_failing'],
    none: OPERATORS.channelsNone,
    when: OPERATORS.since,
  },
  {
    title: OPERATORS.certificates,
    kinds: ['certificate_ending'],
    none: OPERATORS.certificatesNone,
    when: OPERATORS.ends,
  },
  {
    title: OPERATORS.deliveries,
    kinds: ['webhook_disabled', 'webhook_failing'],
    none: OPERATORS.deliveriesNone,
    when: OPERATORS.since,
  },
];

const ProblemPanels = ({ problems }: Pick<Health, 'problems'>) =>
  PANELS.map(({ title, kinds, none, when }) => {
    const found = problems.filter(({ kind }) => kinds.includes(kind));
    return (
      <Panel key={title} title={title}>
        {found.length === 0 ? (
          <p className={styles['muted']}>{none}</p>
        ) : (
          <Problems caption={title} problems={found} when={when} ofAll />
        )}
      </Panel>
    );
  });

const Disk = ({ disk }: Pick<Health, 'disk'>) => (
  <Panel title={OPERATORS.disk}>
    {disk === null ? (
      <p className={styles['muted']}>{OPERATORS.diskNone}</p>
    ) : (
      <Facts
        items={[
          [OPERATORS.diskFree, formatBytes(disk.freeBytes)],
          [OPERATORS.diskTotal, formatBytes(disk.totalBytes)],
          [OPERATORS.diskShare, formatPercent(disk.totalBytes === 0 ? 0 : disk.freeBytes / disk.totalBytes)],
        ]}
      />
    )}
  </Panel>
);
