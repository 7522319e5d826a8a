import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettlementFileResult } from '../../api/client.ts';
import { type FieldError, failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { RECEIVED } from '../../texts/received.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { FileRows } from './file-rows.tsx';
import styles from './received.module.css';

/** 50,000 payments are recorded one by one, also by a busy server. */
const TIMEOUT_MS = 1_800_000;

interface Checked {
  readonly file: File;
  /** The names of the columns that the person gave, as the server takes them. */
  readonly columns: { readonly columns?: string };
  /** A repetition with the same key records once. */
  readonly key: string;
  readonly result: SettlementFileResult;
  readonly isDone: boolean;
}

const reasonOf = (errors: readonly FieldError[]): string | undefined => {
  const problem = errors.find((one) => one.pointer === '/file');
  return problem === undefined ? undefined : (RECEIVED.fileProblems[problem.code] ?? RECEIVED.fileUnread);
};

const isAboutColumns = ({ code }: FieldError): boolean => code === 'required' || code === 'unknown_header';

const FIELDS = ['invoiceId', 'cpf', 'paidAt', 'amount', 'method'] as const;

/** The headers that the person named; the others are guessed. */
function columnsOf(form: FormData): Checked['columns'] {
  const given = FIELDS.flatMap((field) => {
    const header = textOf(form, field);
    return header === '' ? [] : [[header, field] as const];
  });
  return given.length === 0 ? {} : { columns: JSON.stringify(Object.fromEntries(given)) };
}

/** Sends a file of payments: first it is looked at, and only a second click records anything. */
export function SendFile({ onDecide }: { readonly onDecide: () => void }) {
  const queries = useQueryClient();
  const [checked, setChecked] = useState<Checked | null>(null);
  // They stay once they were needed, with what the person wrote.
  const [needsColumns, setNeedsColumns] = useState(false);
  const check = useSubmit(async (form) => {
    const file = form.get('file');
    if (!(file instanceof File) || file.size === 0) return;
    const columns = columnsOf(form);
    try {
      const result = await quita.sendSettlementFile(
        { query: { checkOnly: 'true' }, body: { file, ...columns } },
        { timeout: TIMEOUT_MS },
      );
      setChecked({ file, columns, key: crypto.randomUUID(), result, isDone: false });
    } catch (error) {
      if (failedOf(error).errors.some(isAboutColumns)) setNeedsColumns(true);
      throw error;
    }
  });
  const confirm = useSubmit(async () => {
    if (checked === null) return;
    const { file, columns, key } = checked;
    const result = await quita.sendSettlementFile(
      { body: { file, ...columns } },
      { timeout: TIMEOUT_MS, idempotencyKey: key },
    );
    setChecked({ ...checked, result, isDone: true });
    announce(RECEIVED.settledNote(result.settled, result.amount));
    await queries.invalidateQueries();
  });
  const reason = reasonOf(check.failed?.errors ?? []);
  if (checked === null) {
    return (
      <Panel title={RECEIVED.file}>
        <form onSubmit={check.onSubmit}>
          {reason === undefined && !needsColumns && <ProblemSummary failed={check.failed} />}
          <TextField
            label={RECEIVED.choose}
            hint={RECEIVED.chooseHint}
            name="file"
            type="file"
            required
            accept=".csv,.xlsx,.ofx,.ret,.txt,.rem"
            {...(reason !== undefined && { error: reason })}
          />
          {needsColumns && (
            <fieldset className={styles['columns']}>
              <legend>{RECEIVED.columns}</legend>
              <p className={styles['muted']}>{RECEIVED.columnsHint}</p>
              {check.failed?.errors.some(({ code }) => code === 'unknown_header') && (
                <Note tone="warning">{RECEIVED.columnsUnknown}</Note>
              )}
              {FIELDS.map((field) => (
                <TextField key={field} label={RECEIVED.columnOf[field]} name={field} autoComplete="off" />
              ))}
            </fieldset>
          )}
          <div className={styles['buttons']}>
            <Button type="submit" kind="primary" busy={check.busy}>
              {RECEIVED.check}
            </Button>
            <span className={styles['muted']}>{RECEIVED.nothingYet}</span>
          </div>
        </form>
      </Panel>
    );
  }
  const { result, isDone } = checked;
  const doubts = result.ambiguous + result.unmatched;
  return (
    <Panel title={isDone ? RECEIVED.done : RECEIVED.checked}>
      <ProblemSummary failed={confirm.failed} />
      {isDone && <Note tone="good">{RECEIVED.settledNote(result.settled, result.amount)}</Note>}
      {isDone && doubts > 0 && <Note tone="warning">{RECEIVED.doubtsNote(doubts)}</Note>}
      {!isDone && result.matched + doubts === 0 && <Note>{RECEIVED.none}</Note>}
      <FileRows result={result} />
      <div className={styles['buttons']}>
        {!isDone && result.matched + doubts > 0 && (
          <Button kind="primary" busy={confirm.busy} onClick={() => void confirm.run()}>
            {RECEIVED.confirm(result.matched, result.amount)}
          </Button>
        )}
        {isDone && doubts > 0 && (
          <Button kind="primary" onClick={onDecide}>
            {RECEIVED.toDoubts}
          </Button>
        )}
        {!confirm.busy && <Button onClick={() => setChecked(null)}>{RECEIVED.again}</Button>}
      </div>
    </Panel>
  );
}
