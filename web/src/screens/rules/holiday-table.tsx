import { useState } from 'react';
import type { Policy } from '../../api/client.ts';
import { formatDay } from '../../format.ts';
import { RULES } from '../../texts/rules.ts';
import { SelectField } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type HolidayRow, holidaysOf, statesOf } from './policy-view.ts';
import styles from './rules.module.css';

const COLUMNS: readonly Column<HolidayRow>[] = [
  { key: 'date', label: RULES.date, cell: ({ date }) => formatDay(`${date}T12:00:00Z`, 'UTC') },
  { key: 'name', label: RULES.holiday, cell: ({ name }) => name },
  { key: 'law', label: RULES.law, wide: true, cell: ({ law }) => law },
];

/** The holidays of this year, of the nation or of a state. */
export function HolidayTable({ holidays }: { readonly holidays: Policy['holidays'] }) {
  const [state, setState] = useState('');
  const year = new Date().getFullYear();
  const options = [
    { value: '', label: RULES.national },
    ...statesOf(holidays).map((value) => ({ value, label: value })),
  ];
  return (
    <Panel title={RULES.holidays(year)}>
      <p className={styles['lead']}>{RULES.holidaysLead}</p>
      <SelectField
        label={RULES.chooseState}
        options={options}
        value={state}
        onChange={(event) => setState(event.target.value)}
      />
      <Table
        caption={RULES.holidays(year)}
        columns={COLUMNS}
        rows={holidaysOf(holidays, state, year)}
        rowKey={({ date, name }) => `${date} ${name}`}
      />
    </Panel>
  );
}
