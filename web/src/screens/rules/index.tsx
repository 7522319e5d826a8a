import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Policy } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatDay, formatPlainDate } from '../../format.ts';
import { RULES } from '../../texts/rules.ts';
import { RULE, wordOf } from '../../texts/words.ts';
import { SelectField } from '../../ui/field.tsx';
import { Loaded, Note, PageHeader, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useFilters } from '../../use-filters.ts';
import { OwnRulesPanel } from './own-rules.tsx';
import {
  type HolidayRow,
  holidaysOf,
  hoursByState,
  type SequenceStep,
  type StateHours,
  sourceText,
  statesOf,
  stepsOf,
} from './policy-view.ts';
import styles from './rules.module.css';

const COLUMNS: readonly Column<HolidayRow>[] = [
  { key: 'date', label: RULES.date, cell: ({ date }) => formatDay(`${date}T12:00:00Z`, 'UTC') },
  { key: 'name', label: RULES.holiday, cell: ({ name }) => name },
  { key: 'law', label: RULES.law, wide: true, cell: ({ law }) => law },
];

/** The holidays of this year, of the nation or of a state. */
function HolidayTable({ holidays }: { readonly holidays: Policy['holidays'] }) {
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

type Rule = Policy['rules'][number];

/** A rule of others that nobody has seen in force. What the product chose needs no proof, and a bill has none. */
const isUnproved = ({ status, statusProof }: Rule): boolean =>
  status !== 'bill' && status !== 'product' && statusProof === null;

/** Where the rule was seen to be in force, and whom it binds. */
function InForce({ rule: { status, statusProof, checkedAt, binds } }: { readonly rule: Rule }) {
  return (
    <>
      {status === 'bill' ? (
        RULES.notLaw
      ) : status === 'product' ? (
        RULES.ours
      ) : statusProof === null ? (
        <Badge tone="waiting" label={RULES.unproved} />
      ) : statusProof.url?.startsWith('https://') ? (
        <a href={statusProof.url} target="_blank" rel="noreferrer">
          {RULES.provedBy(statusProof.seen)}
        </a>
      ) : (
        RULES.provedBy(statusProof.seen)
      )}
      {checkedAt !== null && <> {RULES.checkedOn(formatPlainDate(checkedAt))}</>}
      {binds === 'collectors' && <> {RULES.onlyCollectors}</>}
    </>
  );
}

const RULE_COLUMNS: readonly Column<Rule>[] = [
  {
    key: 'rule',
    label: RULES.rule,
    cell: ({ id, rule }) => (
      <strong id={id} className={styles['name']}>
        {rule === 'free_text' ? 'WhatsApp' : wordOf(RULE, rule)}
      </strong>
    ),
  },
  { key: 'says', label: RULES.says, wide: true, cell: ({ id, note }) => RULES.texts[id] ?? note ?? id },
  {
    key: 'basis',
    label: RULES.basis,
    cell: ({ status }) => (
      <Badge tone={status === 'law' ? 'paid' : 'ended'} icon="rules" label={wordOf(RULES.bases, status)} />
    ),
  },
  { key: 'inForce', label: RULES.inForce, wide: true, cell: (rule) => <InForce rule={rule} /> },
  {
    key: 'source',
    label: RULES.source,
    wide: true,
    cell: ({ id, source, foundAt }) => (
      <>
        {sourceText({ id, source })}
        {foundAt
          .filter((address) => address.startsWith('https://'))
          .map((address, index) => (
            <span key={address}>
              {' '}
              <a href={address} target="_blank" rel="noreferrer">
                {RULES.readAt(index + 1)}
              </a>
            </span>
          ))}
      </>
    ),
  },
];

const HOUR_COLUMNS: readonly Column<StateHours>[] = [
  { key: 'state', label: RULES.state, cell: ({ state }) => state ?? RULES.allStates },
  { key: 'hours', label: RULES.weekdays, cell: ({ from, to }) => `${from} – ${to}` },
];

const STEP_COLUMNS: readonly Column<SequenceStep & { readonly index: number }>[] = [
  { key: 'step', label: RULES.step, cell: ({ kind, index }) => `${index + 1}. ${wordOf(RULES.kinds, kind)}` },
  { key: 'tone', label: RULES.tone, cell: ({ tone }) => wordOf(RULES.tones, tone) },
  {
    key: 'wait',
    label: RULES.wait,
    cell: ({ thenWaitDays }) => (thenWaitDays === 0 ? RULES.ends : RULES.days(thenWaitDays)),
  },
];

export default function Rules() {
  const [{ versao }] = useFilters(['versao']);
  const query = useQuery({
    queryKey: ['policy', versao],
    queryFn: () => quita.getPolicy({ query: versao === '' ? {} : { version: versao } }),
    staleTime: 60_000,
  });
  const account = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() });
  return (
    <>
      <PageHeader title={RULES.title}>{RULES.lead}</PageHeader>
      <Loaded query={query} lines={12}>
        {(policy) => (
          <>
            {versao !== '' && policy.versions[0]?.version !== versao && (
              <Note tone="warning">
                {RULES.older(formatPlainDate(versao))} <Link to="/regras">{RULES.current}</Link>
              </Note>
            )}
            <OwnRulesPanel />
            <Panel title={RULES.contact} actions={<span>{RULES.version(formatPlainDate(policy.version))}</span>}>
              {policy.rules.some(isUnproved) && (
                <p className={styles['lead']}>{RULES.unprovedCount(policy.rules.filter(isUnproved).length)}</p>
              )}
              <Table caption={RULES.contact} columns={RULE_COLUMNS} rows={policy.rules} rowKey={({ id }) => id} />
            </Panel>
            <div className={styles['pair']}>
              <Panel title={RULES.hours}>
                <p className={styles['lead']}>{RULES.hoursLead}</p>
                <Table
                  caption={RULES.hours}
                  columns={HOUR_COLUMNS}
                  rows={hoursByState(policy.rules, account.data?.collectsFor ?? 'itself')}
                  rowKey={({ state }) => state ?? ''}
                />
              </Panel>
              <Panel title={RULES.sequence}>
                <p className={styles['lead']}>{RULES.sequenceLead}</p>
                <Table
                  caption={RULES.sequence}
                  columns={STEP_COLUMNS}
                  rows={stepsOf(policy.sequence).map((step, index) => ({ ...step, index }))}
                  rowKey={({ index }) => String(index)}
                />
              </Panel>
            </div>
            <HolidayTable holidays={policy.holidays} />
            <Panel title={RULES.versions}>
              <ul className={styles['versions']}>
                {policy.versions.map(({ version, usedSince }) => (
                  <li key={version}>
                    <Link to={`/regras?versao=${encodeURIComponent(version)}`}>{formatPlainDate(version)}</Link>
                    {` · ${formatDate(usedSince)}`}
                  </li>
                ))}
              </ul>
            </Panel>
          </>
        )}
      </Loaded>
    </>
  );
}
