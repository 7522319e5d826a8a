import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImportFileResult } from '../../api/client.ts';
import type { Failed } from '../../api/problem.ts';
import { onSessionChange, sessionState } from '../../session/session.ts';
import { IMPORT } from '../../texts/import.ts';
import { IMPORT_FIELD } from '../../texts/import-problems.ts';
import { announce } from '../../ui/announce.tsx';
import { saveFile } from '../../ui/download.ts';
import { bestSheet } from './best-sheet.ts';
import { changesOf, type EditedCell, type Edits, editCell, isSameEdits, leaveOut, NO_EDITS } from './edits.ts';
import { applyRemembered, choose, type Field, holderOf, type Mapping, mappingOf } from './fields.ts';
import { forgetChoice, keepChoice, keptChoice } from './kept-choice.ts';
import { type Chosen, openFile } from './open-file.ts';
import { readRemembered, remember } from './remembered.ts';
import { failureOf, rejectedRows, type SentFile, sendFile } from './send-file.ts';
import { useWork } from './use-work.ts';
import { type Checked, type Columns, type Refusal, reach, type Step } from './wizard-state.ts';

onSessionChange(() => {
  const state = sessionState();
  if (state.kind === 'out' && state.reason !== 'ended') forgetChoice(sessionStorage);
});

const isSame = (one: Mapping, other: Mapping): boolean =>
  [...one].every(([header, field]) => other.get(header) === field);

/** A larger file is not sent several times to find its best sheet. */
const SEARCHED_BYTES = 4 * 1024 * 1024;

/** The server's own words are for programs; a file is refused by these codes. */
const isOfFile = ({ errors }: Failed): boolean => errors.some(({ pointer }) => pointer === '/file');

/**
 * What the wizard holds. The file goes to the server at each step, because one parser serves all clients; nothing is
 * stored there before the last step, and nothing here outlives the screen but the choice of columns and the file's name.
 */
export function useImport(campaignId: string, go: (step: Step, how?: { readonly replace: boolean }) => void) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [columns, setColumns] = useState<Columns | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [edits, setEdits] = useState(NO_EDITS);
  const [kept, setKept] = useState(() => keptChoice(sessionStorage, campaignId));
  const [result, setResult] = useState<ImportFileResult | null>(null);
  const [rejected, setRejected] = useState<Blob | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const key = useRef('');
  /** What the person chose for a file before, for the corrected one that takes its place. */
  const choices = useRef<Mapping>(kept?.mapping ?? new Map());

  const { work, failed, setFailed, abort, run } = useWork((failure) => {
    // An answer is kept under its key, so only a request without one is repeated with it.
    if (failure.code !== 'offline') key.current = crypto.randomUUID();
    if (!isOfFile(failure)) return;
    setColumns(null);
    setChecked(null);
    go('file', { replace: true });
  });

  const latest = reach({ columns, checked, result });
  const sentFile = (file: Chosen, at: Pick<Columns, 'sheet' | 'mapping'> | null, changed = edits): SentFile => ({
    campaignId,
    file: file.file,
    name: file.name,
    sheet: at?.sheet ?? null,
    mapping: at?.mapping ?? null,
    changes: at === null ? null : changesOf(changed),
    checkOnly: true,
  });

  const read = (file: Chosen, sheet: string | null, wanted: string | null = null): Promise<void> =>
    run('read', async (onSent) => {
      const send = (name: string | null) =>
        sendFile({ ...sentFile(file, null), sheet: name }, abort.current.signal, onSent);
      /** A cover or a chart has no rows, which is no reason to refuse the workbook. */
      const sendOrNull = (name: string) =>
        send(name).catch((error: unknown) => {
          if (isOfFile(failureOf(error))) return null;
          throw error;
        });
      if (sheet !== null) {
        const answer = await sendOrNull(sheet);
        show(file, { sheet, answer: answer ?? { ...columns!.guessed, columns: [], rows: 0, missing: [] } });
        return;
      }
      const first = await send(null);
      const isSmall = file.file.size <= SEARCHED_BYTES;
      show(file, isSmall ? await bestSheet(first, sendOrNull, wanted) : { sheet, answer: first });
      go('columns');
    });

  const keep = (file: Chosen, { sheet, mapping }: Pick<Columns, 'sheet' | 'mapping'>): void => {
    setKept(null);
    keepChoice(sessionStorage, { campaignId, name: file.name, sheet, mapping });
  };

  const show = (file: Chosen, read: { sheet: string | null; answer: ImportFileResult }): void => {
    const { sheet, answer: guessed } = read;
    const guess = mappingOf(guessed.columns);
    const mapping = applyRemembered(applyRemembered(guess, readRemembered(localStorage)), choices.current);
    setChecked(null);
    setRejected(null);
    setEdits(NO_EDITS);
    setColumns({ guessed, sheet, mapping, isRemembered: !isSame(mapping, guess) });
    keep(file, { sheet, mapping });
  };

  const change = (next: Edits): void => {
    setEdits(next);
    setRejected(null);
    setFailed(null);
  };

  const isImporting = work?.kind === 'import';
  return {
    chosen,
    columns,
    /** What the last check said, and for which corrections. */
    checked,
    edits,
    /** The corrections that no check has seen yet are not imported. */
    isStale: checked !== null && !isSameEdits(edits, checked.edits),
    /** The choice of an earlier visit, until a file is chosen. */
    kept,
    result,
    work,
    failed,
    isImporting,
    latest,
    refusal,
    /** Takes a file and asks the server what its columns are. */
    async take(files: readonly File[]): Promise<void> {
      const [first] = files;
      if (first === undefined || work !== null) return;
      setFailed(null);
      setRefusal(null);
      const opened = files.length > 1 ? 'several' : await openFile(first);
      if (typeof opened === 'string') {
        setRefusal({ name: first.name, reason: opened });
        return;
      }
      setChosen(opened);
      setColumns(null);
      setChecked(null);
      setRejected(null);
      await read(opened, null, kept?.sheet ?? null);
    },
    readAgain(): void {
      if (chosen !== null) void read(chosen, null);
    },
    chooseSheet(sheet: string): void {
      if (chosen !== null && columns !== null) void read(chosen, sheet);
    },
    editCell(cell: EditedCell, text: string): void {
      change(editCell(edits, checked?.edits ?? NO_EDITS, cell, text));
    },
    leaveOut(row: number, isOut: boolean): void {
      change(leaveOut(edits, row, isOut));
    },
    undoCells(): void {
      change({ ...edits, cells: NO_EDITS.cells });
    },
    takeRowsBack(): void {
      change({ ...edits, leftOut: NO_EDITS.leftOut });
    },
    chooseField(header: string, field: Field | null): void {
      if (chosen === null || columns === null) return;
      const from = field === null ? undefined : holderOf(columns.mapping, field);
      if (field !== null && from !== undefined && from !== header) {
        announce(IMPORT.moved(IMPORT_FIELD[field], from, header));
      }
      const mapping = choose(columns.mapping, header, field);
      choices.current = new Map([...choices.current, ...mapping]);
      setColumns({ ...columns, mapping, isRemembered: false });
      keep(chosen, { sheet: columns.sheet, mapping });
      setChecked(null);
      setRejected(null);
      setFailed(null);
    },
    /** Checks the file as it is now. `again` stays on the step, for the corrections. */
    check({ again = false } = {}): void {
      if (chosen === null || columns === null) return;
      void run('check', async (onSent) => {
        const answer = await sendFile(sentFile(chosen, columns), abort.current.signal, onSent);
        key.current = crypto.randomUUID();
        setRejected(null);
        setChecked((before) => ({ answer, edits, times: (before?.times ?? 0) + 1 }));
        if (again) announce(IMPORT.checkedAgain(answer.imported, answer.skipped), 'read');
        else go('check');
      });
    },
    download(): void {
      if (chosen === null || columns === null) return;
      void run('download', async () => {
        const rows = rejected ?? (await rejectedRows(sentFile(chosen, columns), abort.current.signal));
        setRejected(rows);
        saveFile(rows, IMPORT.downloadName);
        announce(IMPORT.downloaded);
      });
    },
    import(): void {
      if (chosen === null || columns === null || checked === null || !isSameEdits(edits, checked.edits)) return;
      const { signal: left } = abort.current;
      // An import that has begun goes on when the screen is left, and its end is announced.
      const { signal } = new AbortController();
      void run('import', async (onSent) => {
        // Afterwards the imported rows are known too, so the rows to correct are asked for before.
        if (checked.answer.skipped > 0 && rejected === null) {
          setRejected(await rejectedRows(sentFile(chosen, columns), signal));
        }
        const sent = { ...sentFile(chosen, columns), checkOnly: false, key: key.current };
        const answer = await sendFile(sent, signal, onSent);
        forgetChoice(sessionStorage);
        remember(localStorage, { mapping: columns.mapping, guessed: columns.guessed.columns });
        const changed = [['campaigns'], ['dashboard'], ['debts'], ['campaign', campaignId], ['statistics', campaignId]];
        for (const queryKey of changed) void queries.invalidateQueries({ queryKey });
        queries.removeQueries({ queryKey: ['rehearsal', campaignId] });
        announce(answer.imported > 0 ? IMPORT.imported(answer.imported, answer.amount) : IMPORT.unchangedHeading);
        if (left.aborted) return;
        setResult(answer);
        go('done', { replace: true });
      });
    },
    /** Begins anew, for another file. */
    reset(): void {
      forgetChoice(sessionStorage);
      setEdits(NO_EDITS);
      setChosen(null);
      setColumns(null);
      setChecked(null);
      setResult(null);
      setRejected(null);
      setFailed(null);
      setRefusal(null);
      go('file');
    },
  };
}

export type Import = ReturnType<typeof useImport>;
