import { Link } from 'wouter';
import type { AuditEntry, ListAuditQuery } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { mayReadFiles } from '../../session/may.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { AUDIT } from '../../texts/audit.ts';
import { AUDIT_NAMES } from '../../texts/audit-names.ts';
import { wordOf } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { saveFile } from '../../ui/download.ts';
import { SelectField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { useFilters } from '../../use-filters.ts';
import styles from './account.module.css';
import { linkOf } from './audit-links.ts';

type Filter = Pick<ListAuditQuery, 'action' | 'from' | 'to'>;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv';

function What({ entry }: { readonly entry: AuditEntry }) {
  const link = linkOf(entry);
  const words = wordOf(AUDIT_NAMES, entry.action);
  return link === null ? words : <Link to={link}>{words}</Link>;
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'at', label: ACCOUNT.when, cell: ({ at }) => formatMoment(at) },
  { key: 'actor', label: ACCOUNT.actor, cell: ({ actor, by }) => by?.name ?? wordOf(ACCOUNT.actors, actor) },
  { key: 'action', label: ACCOUNT.action, cell: (entry) => <What entry={entry} /> },
  { key: 'ip', label: ACCOUNT.ip, cell: ({ ip }) => ip ?? '–' },
];

const isGroup = (text: string): text is NonNullable<Filter['action']> =>
  AUDIT.groups.some(({ value }) => value === text);

/** Who did what in the account. */
export default function Audit() {
  const [{ parte, inicio, fim }, change] = useFilters(['parte', 'inicio', 'fim']);
  const filter: Filter = {
    ...(isGroup(parte) && { action: parte }),
    ...(inicio !== '' && { from: inicio }),
    ...(fim !== '' && { to: fim }),
  };
  return (
    <Panel title={ACCOUNT.audit} actions={mayReadFiles() && <Downloads filter={filter} />}>
      <p className={styles['muted']}>{ACCOUNT.auditText}</p>
      <div className={styles['fields']}>
        <SelectField
          label={AUDIT.part}
          options={[{ value: '', label: AUDIT.all }, ...AUDIT.groups]}
          value={parte}
          onChange={({ target }) => change({ parte: target.value })}
        />
        <DayField label={AUDIT.from} value={inicio} onDay={(day) => change({ inicio: day })} />
        <DayField label={AUDIT.to} value={fim} onDay={(day) => change({ fim: day })} />
      </div>
      <PagedTable
        queryKey={['audit', filter]}
        read={(page) => quita.listAudit({ query: { ...filter, ...page } })}
        caption={ACCOUNT.audit}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        none={AUDIT.none}
      />
    </Panel>
  );
}

function Downloads({ filter }: { readonly filter: Filter }) {
  const download = async (type: string, ending: string): Promise<void> => {
    // The generated client takes the answer for JSON unless it is told otherwise.
    const file: unknown = await quita.exportAudit({ query: filter }, { headers: { accept: type }, parseAs: 'blob' });
    saveFile(file as Blob, `registro.${ending}`);
    announce(AUDIT.downloaded);
  };
  const csv = useSubmit(() => download(CSV, 'csv'));
  const xlsx = useSubmit(() => download(XLSX, 'xlsx'));
  return (
    <div className={styles['rowButtons']}>
      <ProblemSummary failed={csv.failed ?? xlsx.failed} />
      <Button small icon="download" busy={csv.busy} onClick={() => void csv.run()}>
        {AUDIT.csv}
      </Button>
      <Button small icon="download" busy={xlsx.busy} onClick={() => void xlsx.run()}>
        {AUDIT.xlsx}
      </Button>
    </div>
  );
}
