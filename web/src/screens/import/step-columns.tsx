import { COMMON } from '../../texts/common.ts';
import { IMPORT } from '../../texts/import.ts';
import { IMPORT_FIELD, MISSING_FIELD } from '../../texts/import-problems.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectField } from '../../ui/field.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import {
  type Column,
  type Field,
  GROUPS,
  hasShortYears,
  holderOf,
  isField,
  looksLike,
  looksLikeData,
  type Mapping,
  missingFields,
  showSample,
} from './fields.ts';
import styles from './import.module.css';
import { Progress, StepHeading } from './steps.tsx';
import type { Import } from './use-import.ts';
import type { Columns } from './wizard-state.ts';

const NONE = '';
const idOf = (header: string): string => `column-${encodeURIComponent(header)}`;

/** What a column is taken for. The sign of what is needed stands at its group, where one field of several may do. */
function FieldChoice({
  column,
  mapping,
  onChoose,
}: {
  readonly column: Column;
  readonly mapping: Mapping;
  readonly onChoose: Import['chooseField'];
}) {
  const { header } = column;
  const labelOf = (field: Field): string => {
    const holder = holderOf(mapping, field);
    if (holder !== undefined && holder !== header) return IMPORT.heldBy(IMPORT_FIELD[field], holder);
    return column.looksLike === field ? IMPORT.looksLike(IMPORT_FIELD[field]) : IMPORT_FIELD[field];
  };
  return (
    <select
      id={idOf(header)}
      className={styles['select']}
      aria-label={IMPORT.fieldOf(header)}
      value={mapping.get(header) ?? NONE}
      onChange={({ target: { value } }) => onChoose(header, isField(value) ? value : null)}
    >
      <option value={NONE}>{IMPORT.leaveOut}</option>
      {GROUPS.map(([key, fields]) => (
        <optgroup key={key} label={IMPORT.groups[key]}>
          {fields.map((field) => (
            <option key={field} value={field}>
              {labelOf(field)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** The columns whose values look like a field that is needed and that no column holds. */
function LikelyColumns({
  field,
  columns,
  mapping,
  onChoose,
}: {
  readonly field: Field;
  readonly columns: readonly Column[];
  readonly mapping: Mapping;
  readonly onChoose: Import['chooseField'];
}) {
  const likely = columns.filter((column) => (mapping.get(column.header) ?? null) === null && looksLike(column, field));
  if (likely.length === 0) return IMPORT.lackingHint;
  return (
    <div className={styles['actions']}>
      {likely.map(({ header, looksLike: own }) => (
        <Button
          key={header}
          small
          onClick={() => {
            onChoose(header, own);
            // This line ends with the choice, so the focus goes to the choice of the column.
            requestAnimationFrame(() => document.getElementById(idOf(header))?.focus());
          }}
        >
          {IMPORT.takeColumn(header)}
        </Button>
      ))}
    </div>
  );
}

/** A column of the sheet, or a field that is needed and that no column holds. */
type Line = { readonly column: Column } | { readonly lacking: Field };

const nameOf = (field: Field): string => MISSING_FIELD[field] ?? IMPORT_FIELD[field];

/** The name of a column, with what its values look like where it is not imported as that. */
function ColumnName({ column, mapping }: { readonly column: Column; readonly mapping: Mapping }) {
  const { header, looksLike } = column;
  return (
    <div className={styles['header']}>
      <strong>{header}</strong>
      {looksLike !== null && (mapping.get(header) ?? null) === null && (
        <p className={styles['likely']}>{IMPORT.columnLooksLike(IMPORT_FIELD[looksLike])}</p>
      )}
    </div>
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
  const lacking = guessed.rows === 0 ? [] : missingFields(mapping);
  const missing = lacking.map(nameOf);
  const proposed = guessed.columns.filter(
    ({ header, proposed: field }) => field !== null && mapping.get(header) === field,
  );
  const lines: Line[] = [
    ...lacking.map((field) => ({ lacking: field })),
    ...guessed.columns.map((column) => ({ column })),
  ];
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
      {proposed.length > 0 && <Note>{IMPORT.proposed(proposed.map(({ header }) => header))}</Note>}
      <p className={classNames(styles['muted'], styles['before'])}>{IMPORT.requiredHint}</p>
      <Table<Line>
        caption={IMPORT.columnsCaption}
        rows={lines}
        rowKey={(line) => ('column' in line ? `column ${line.column.header}` : line.lacking)}
        columns={[
          {
            key: 'header',
            label: IMPORT.yourColumn,
            cell: (line) =>
              'column' in line ? (
                <ColumnName column={line.column} mapping={mapping} />
              ) : (
                <strong className={styles['lacking']}>{IMPORT.lacking(nameOf(line.lacking))}</strong>
              ),
          },
          {
            key: 'samples',
            label: IMPORT.samples,
            cell: (line) => ('column' in line ? samplesOf(line.column, mapping) : COMMON.none),
          },
          {
            key: 'field',
            label: IMPORT.field,
            cell: (line) =>
              'column' in line ? (
                <FieldChoice column={line.column} mapping={mapping} onChoose={state.chooseField} />
              ) : (
                <LikelyColumns
                  field={line.lacking}
                  columns={guessed.columns}
                  mapping={mapping}
                  onChoose={state.chooseField}
                />
              ),
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
        <Button kind="primary" busy={work !== null} disabledBecause={missingText} onClick={() => state.check()}>
          {IMPORT.check(guessed.rows)}
        </Button>
      </div>
    </Panel>
  );
}
