import { IMPORT, IMPORT_FIELD, MISSING_FIELD } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectField } from '../../ui/field.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import {
  type Column,
  FIELDS,
  hasShortYears,
  holderOf,
  isField,
  isRequired,
  looksLikeData,
  type Mapping,
  missingFields,
  showSample,
} from './fields.ts';
import styles from './import.module.css';
import { Progress, StepHeading } from './steps.tsx';
import type { Columns, Import } from './use-import.ts';

const LEAVE_OUT = '';

function FieldChoice({
  header,
  mapping,
  onChoose,
}: {
  readonly header: string;
  readonly mapping: Mapping;
  readonly onChoose: Import['chooseField'];
}) {
  return (
    <select
      className={styles['select']}
      aria-label={IMPORT.fieldOf(header)}
      value={mapping.get(header) ?? LEAVE_OUT}
      onChange={({ target: { value } }) => onChoose(header, isField(value) ? value : null)}
    >
      <option value={LEAVE_OUT}>{IMPORT.leaveOut}</option>
      {FIELDS.map((field) => {
        const name = isRequired(field) ? IMPORT.required(IMPORT_FIELD[field]) : IMPORT_FIELD[field];
        const holder = holderOf(mapping, field);
        return (
          <option key={field} value={field}>
            {holder === undefined || holder === header ? name : IMPORT.heldBy(name, holder)}
          </option>
        );
      })}
    </select>
  );
}

const samplesOf = ({ header, samples }: Column, mapping: Mapping): string =>
  samples.length === 0
    ? IMPORT.noSamples
    : samples.map((sample) => showSample(sample, mapping.get(header) ?? null)).join(' · ');

export function StepColumns({
  state,
  columns,
  focus,
  onBack,
}: {
  readonly state: Import;
  readonly columns: Columns;
  readonly focus: boolean;
  readonly onBack: () => void;
}) {
  const { guessed, mapping, sheet, isRemembered } = columns;
  const { chosen, work, failed } = state;
  const missing = missingFields(mapping).map((field) => MISSING_FIELD[field] ?? IMPORT_FIELD[field]);
  const missingText = guessed.rows === 0 ? IMPORT.noRows : missing.length === 0 ? undefined : IMPORT.missing(missing);
  return (
    <Panel>
      <StepHeading focus={focus}>{IMPORT.columnsHeading}</StepHeading>
      <p className={styles['facts']}>{IMPORT.fileFacts(chosen?.name ?? '', guessed.rows)}</p>
      <ProblemSummary failed={failed} />
      {guessed.sheets.length > 1 && (
        <div className={styles['sheet']}>
          <SelectField
            label={IMPORT.sheet}
            value={sheet ?? ''}
            options={[
              ...(sheet === null ? [{ value: '', label: IMPORT.sheetAuto }] : []),
              ...guessed.sheets.map((name) => ({ value: name, label: name })),
            ]}
            onChange={({ target: { value } }) => state.chooseSheet(value)}
          />
        </div>
      )}
      {guessed.columns.some(({ header }) => looksLikeData(header)) && <Note tone="warning">{IMPORT.noHeader}</Note>}
      {hasShortYears(guessed.columns, mapping) && <Note>{IMPORT.shortYears}</Note>}
      {isRemembered && <Note>{IMPORT.remembered}</Note>}
      <p className={classNames(styles['muted'], styles['before'])}>{IMPORT.requiredHint}</p>
      <Table
        caption={IMPORT.columnsCaption}
        rows={guessed.columns}
        rowKey={({ header }) => header}
        columns={[
          { key: 'header', label: IMPORT.yourColumn, cell: ({ header }) => <strong>{header}</strong> },
          { key: 'samples', label: IMPORT.samples, cell: (column) => samplesOf(column, mapping) },
          {
            key: 'field',
            label: IMPORT.field,
            cell: ({ header }) => <FieldChoice header={header} mapping={mapping} onChoose={state.chooseField} />,
          },
        ]}
      />
      <div className={styles['after']} role="status">
        {missingText !== undefined && <Note tone="warning">{missingText}</Note>}
      </div>
      {work !== null && <Progress work={work} />}
      <div className={styles['buttons']}>
        <Button icon="left" onClick={onBack}>
          {IMPORT.back}
        </Button>
        <Button kind="primary" busy={work !== null} disabledBecause={missingText} onClick={state.check}>
          {IMPORT.check(guessed.rows)}
        </Button>
      </div>
    </Panel>
  );
}
