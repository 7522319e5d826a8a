import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { quita } from '../../api/quita.ts';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { DEBT_STATUS, STATUS_GROUPS } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import chipStyles from '../../ui/chips.module.css';
import { classNames } from '../../ui/class-names.ts';
import { DayField } from '../../ui/day-field.tsx';
import { saveFile } from '../../ui/download.ts';
import { FailedNote } from '../../ui/failure.tsx';
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { activeFilters } from './active-filters.ts';
import type { ColumnKey } from './column-choice.ts';
import styles from './debts-table.module.css';
import {
  ALL_STATUSES,
  type DebtSearch,
  type FilterName,
  type FilterValues,
  isWhole,
  type Scope,
  SORT_KEYS,
  statusesOf,
  statusValues,
  toggled,
} from './search.ts';

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
type Format = keyof typeof TYPES;

/** Saves what the filters show, all pages of it. */
function ExportMenu({ search }: { readonly search: DebtSearch }) {
  const save = async (format: Format): Promise<void> => {
    announce(DEBTS.exporting);
    const file = await quita.exportDebts(
      { body: search },
      { headers: { Accept: TYPES[format] }, timeout: 0, parseAs: 'blob' },
    );
    // Days are those of the company, whatever the clock of this machine says.
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    saveFile(file as Blob, `dividas-${today}.${format}`);
    announce(DEBTS.exported);
  };
  const csv = useSubmit(() => save('csv'));
  const xlsx = useSubmit(() => save('xlsx'));
  const failed = csv.failed ?? xlsx.failed;
  return (
    <>
      <Menu
        label={csv.busy || xlsx.busy ? DEBTS.exporting : DEBTS.exportName}
        items={[
          { label: DEBTS.exports.csv, right: 'manage', onSelect: () => void csv.run() },
          { label: DEBTS.exports.xlsx, right: 'manage', onSelect: () => void xlsx.run() },
        ]}
      />
      {failed !== null && <FailedNote failed={failed} />}
    </>
  );
}

const ColumnsDialog = lazy(() => import('./columns-dialog.tsx'));

export interface FiltersProps extends Scope {
  readonly values: FilterValues;
  readonly text: string;
  readonly search: DebtSearch;
  readonly onChange: (changed: Partial<Record<FilterName, string>>) => void;
  readonly onText: (text: string) => void;
  readonly onClear: () => void;
  readonly columns: readonly ColumnKey[];
  readonly onColumns: (next: readonly ColumnKey[]) => void;
}

/** The search, the groups of statuses, and the rarer filters behind a button that says how many of them are on. */
export function Filters(props: FiltersProps) {
  const { values, text, search, campaignId, onChange, onText, onClear, columns, onColumns } = props;
  const [open, setOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const id = useId();
  const statuses = statusesOf(values);
  const active = activeFilters(search, { campaignId });
  // What is typed stands in the field above. Repeated here it would move the table at the first key.
  const told = activeFilters({ ...search, q: null }, { campaignId });
  return (
    <search>
      <div className={styles['tools']}>
        <div className={styles['search']}>
          <TextField
            label={DEBTS.search}
            type="search"
            placeholder={DEBTS.searchHint}
            value={text}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onText(target.value)}
          />
        </div>
        <div className={styles['buttons']}>
          <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {DEBTS.filtersOn(active.length)}
          </Button>
          <Button onClick={() => setChoosing(true)}>{DEBTS.columns}</Button>
          <ExportMenu search={search} />
        </div>
      </div>
      <fieldset className={styles['groups']}>
        <legend className="visually-hidden">{DEBTS.groups}</legend>
        {STATUS_GROUPS.map((group) => {
          const pressed = isWhole(group.statuses, statuses);
          return (
            <button
              key={group.key}
              type="button"
              aria-pressed={pressed}
              className={classNames(chipStyles['chip'], pressed && chipStyles['chosen'])}
              onClick={() => onChange(statusValues(toggled(statuses, group.statuses)))}
            >
              {group.label}
            </button>
          );
        })}
      </fieldset>
      <div id={id} hidden={!open}>
        {open && <Panel {...props} />}
      </div>
      {told.length > 0 && (
        <div className={styles['active']}>
          <span>{`${DEBTS.filters}: ${told.join('; ')}.`}</span>
          <Button small onClick={onClear}>
            {COMMON.clearFilters}
          </Button>
        </div>
      )}
      <Suspense fallback={null}>
        {choosing && (
          <ColumnsDialog
            chosen={columns}
            hidden={campaignId === undefined ? [] : ['campaign']}
            onChoose={onColumns}
            onClose={() => setChoosing(false)}
          />
        )}
      </Suspense>
    </search>
  );
}

function Panel({ values, search, campaignId, onChange }: FiltersProps) {
  const sandboxOnly = useSandboxOnly();
  const statuses = statusesOf(values);
  const date = (name: 'de' | 'ate', label: string) => (
    <DayField label={label} value={values[name]} onDay={(day) => onChange({ [name]: day })} />
  );
  return (
    <div className={styles['panel']}>
      <div className={styles['fields']}>
        {date('de', DEBTS.dueFrom)}
        {date('ate', DEBTS.dueTo)}
        {campaignId === undefined && sandboxOnly === false && (
          <SelectField
            label={DEBTS.world}
            options={DEBTS.worlds}
            value={values.teste}
            onChange={({ target }) => onChange({ teste: target.value })}
          />
        )}
        {campaignId === undefined && <CampaignField value={search.campaignId ?? ''} onChange={onChange} />}
        <SelectField
          label={DEBTS.sort}
          options={SORT_KEYS.flatMap((key) => [
            { value: key, label: `${DEBTS.sorts[key]}, ${DEBTS.upwards}` },
            { value: `-${key}`, label: `${DEBTS.sorts[key]}, ${DEBTS.downwards}` },
          ])}
          value={search.sort}
          onChange={({ target }) => onChange({ ordem: target.value })}
        />
      </div>
      <fieldset>
        <legend>{DEBTS.statuses}</legend>
        <div className={styles['statuses']}>
          {ALL_STATUSES.map((status) => (
            <CheckboxField
              key={status}
              label={DEBT_STATUS[status].label}
              checked={statuses.includes(status)}
              onChange={() => onChange(statusValues(toggled(statuses, [status])))}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

/** The newest campaigns; an older one that the address names is added by its name. */
function CampaignField({ value, onChange }: { readonly value: string; readonly onChange: FiltersProps['onChange'] }) {
  const { data } = useQuery({
    queryKey: ['campaigns', 'names'],
    queryFn: () => quita.listCampaigns({ query: { limit: 100 } }),
  });
  const listed = data?.items ?? [];
  const isMissing = value !== '' && data !== undefined && listed.every(({ id }) => id !== value);
  const older = useQuery({
    queryKey: ['campaign', value],
    queryFn: () => quita.getCampaign({ path: { id: value } }),
    enabled: isMissing,
    placeholderData: undefined,
  });
  const campaigns = isMissing ? [...listed, { id: value, name: older.data?.name ?? COMMON.none }] : listed;
  return (
    <SelectField
      label={DEBTS.campaign}
      options={[
        { value: '', label: DEBTS.allCampaigns },
        ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value}
      onChange={({ target }) => onChange({ campanha: target.value })}
    />
  );
}
