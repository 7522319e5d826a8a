import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportFileResult } from '../../api/client.ts';
import type { Failed } from '../../api/problem.ts';
import { IMPORT, IMPORT_FIELD } from '../../texts/import.ts';
import { announce } from '../../ui/announce.tsx';
import { saveFile } from '../../ui/download.ts';
import { bestSheet } from './best-sheet.ts';
import { applyRemembered, choose, type Field, holderOf, type Mapping, mappingOf } from './fields.ts';
import { type FileRefusal, HEAD_BYTES, refusalOf } from './file-kind.ts';
import { readRemembered, remember } from './remembered.ts';
import { failureOf, rejectedRows, type SentFile, sendFile } from './send-file.ts';

export interface Chosen {
  readonly name: string;
  /** A copy in memory: the person may save the file in a spreadsheet program between two steps. */
  readonly file: Blob;
}

/** The columns of the file, as the server guesses them, and as the person has them now. */
export interface Columns {
  readonly guessed: ImportFileResult;
  readonly sheet: string | null;
  readonly mapping: Mapping;
  readonly isRemembered: boolean;
}

export interface Refusal {
  readonly name: string;
  readonly reason: FileRefusal;
}

export type Work = { readonly kind: 'read' | 'check' | 'import' | 'download'; readonly sent: number };
export type Step = 'file' | 'columns' | 'check' | 'done';
export const STEPS: readonly Step[] = ['file', 'columns', 'check', 'done'];

const isSame = (one: Mapping, other: Mapping): boolean =>
  [...one].every(([header, field]) => other.get(header) === field);

/** A larger file is not sent several times to find its best sheet. */
const SEARCHED_BYTES = 4 * 1024 * 1024;

/** Copies the file into memory, when it can be a spreadsheet. */
async function open(file: File): Promise<Chosen | FileRefusal> {
  try {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const refused = refusalOf({ size: file.size, head });
    return refused ?? { name: file.name, file: new Blob([await file.arrayBuffer()]) };
  } catch {
    return 'unreadable';
  }
}

/** The server's own words are for programs; a file is refused by these codes. */
const isOfFile = ({ errors }: Failed): boolean => errors.some(({ pointer }) => pointer === '/file');

/**
 * What the wizard holds. The file goes to the server at each step, because one parser serves all clients; nothing is
 * stored there before the last step, and nothing here outlives the screen but the choice of columns.
 */
export function useImport(campaignId: string, go: (step: Step, how?: { readonly replace: boolean }) => void) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [columns, setColumns] = useState<Columns | null>(null);
  const [checked, setChecked] = useState<ImportFileResult | null>(null);
  const [result, setResult] = useState<ImportFileResult | null>(null);
  const [rejected, setRejected] = useState<Blob | null>(null);
  const [work, setWork] = useState<Work | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const abort = useRef(new AbortController());
  const key = useRef('');
  /** What the person chose for a file before, for the corrected one that takes its place. */
  const choices = useRef<Mapping>(new Map());

  useEffect(() => {
    // React runs effects twice in development, so each run has a controller of its own.
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);

  const latest = reach({ columns, checked, result });
  const sentFile = (file: Chosen, at: Pick<Columns, 'sheet' | 'mapping'> | null): SentFile => ({
    campaignId,
    file: file.file,
    name: file.name,
    sheet: at?.sheet ?? null,
    mapping: at?.mapping ?? null,
    checkOnly: true,
  });

  /** Runs one request at a time. What failed stays on the screen until the next attempt. */
  async function run(kind: Work['kind'], action: (onSent: (sent: number) => void) => Promise<void>): Promise<void> {
    if (work !== null) return;
    const { signal } = abort.current;
    setWork({ kind, sent: 0 });
    setFailed(null);
    try {
      await action((sent) => setWork({ kind, sent }));
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      // An answer is kept under its key, so only a request without one is repeated with it.
      if (failure.code !== 'offline') key.current = crypto.randomUUID();
      setFailed(failure);
      if (isOfFile(failure)) {
        setColumns(null);
        setChecked(null);
        go('file', { replace: true });
      }
    }
    setWork(null);
  }

  const read = (file: Chosen, sheet: string | null): Promise<void> =>
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
        show({ sheet, answer: answer ?? { ...columns!.guessed, columns: [], rows: 0, missing: [] } });
        return;
      }
      const first = await send(null);
      show(file.file.size <= SEARCHED_BYTES ? await bestSheet(first, sendOrNull) : { sheet, answer: first });
      go('columns');
    });

  const show = ({ sheet, answer: guessed }: { sheet: string | null; answer: ImportFileResult }): void => {
    const guess = mappingOf(guessed.columns);
    const mapping = applyRemembered(applyRemembered(guess, readRemembered(localStorage)), choices.current);
    setChecked(null);
    setRejected(null);
    setColumns({ guessed, sheet, mapping, isRemembered: !isSame(mapping, guess) });
  };

  const isImporting = work?.kind === 'import';
  return {
    chosen,
    columns,
    checked,
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
      const opened = files.length > 1 ? 'several' : await open(first);
      if (typeof opened === 'string') {
        setRefusal({ name: first.name, reason: opened });
        return;
      }
      setChosen(opened);
      setColumns(null);
      setChecked(null);
      setRejected(null);
      await read(opened, null);
    },
    readAgain(): void {
      if (chosen !== null) void read(chosen, null);
    },
    chooseSheet(sheet: string): void {
      if (chosen !== null && columns !== null) void read(chosen, sheet);
    },
    chooseField(header: string, field: Field | null): void {
      if (columns === null) return;
      const from = field === null ? undefined : holderOf(columns.mapping, field);
      if (field !== null && from !== undefined && from !== header) {
        announce(IMPORT.moved(IMPORT_FIELD[field], from, header));
      }
      const mapping = choose(columns.mapping, header, field);
      choices.current = new Map([...choices.current, ...mapping]);
      setColumns({ ...columns, mapping, isRemembered: false });
      setChecked(null);
      setRejected(null);
      setFailed(null);
    },
    check(): void {
      if (chosen === null || columns === null) return;
      void run('check', async (onSent) => {
        const answer = await sendFile(sentFile(chosen, columns), abort.current.signal, onSent);
        key.current = crypto.randomUUID();
        setRejected(null);
        setChecked(answer);
        go('check');
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
      if (chosen === null || columns === null || checked === null) return;
      const { signal: left } = abort.current;
      // An import that has begun goes on when the screen is left, and its end is announced.
      const { signal } = new AbortController();
      void run('import', async (onSent) => {
        // Afterwards the imported rows are known too, so the rows to correct are asked for before.
        if (checked.skipped > 0 && rejected === null) {
          setRejected(await rejectedRows(sentFile(chosen, columns), signal));
        }
        const sent = { ...sentFile(chosen, columns), checkOnly: false, key: key.current };
        const answer = await sendFile(sent, signal, onSent);
        remember(localStorage, { mapping: columns.mapping, guessed: columns.guessed.columns });
        for (const topic of ['campaigns', 'dashboard', 'debts']) {
          void queries.invalidateQueries({ queryKey: [topic] });
        }
        void queries.invalidateQueries({ queryKey: ['campaign', campaignId] });
        void queries.invalidateQueries({ queryKey: ['statistics', campaignId] });
        queries.removeQueries({ queryKey: ['rehearsal', campaignId] });
        announce(answer.imported > 0 ? IMPORT.imported(answer.imported, answer.amount) : IMPORT.unchangedHeading);
        if (left.aborted) return;
        setResult(answer);
        go('done', { replace: true });
      });
    },
    /** Begins anew, for another file. */
    reset(): void {
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

/** The last step that can be shown with what is there. */
function reach({ columns, checked, result }: Pick<ImportState, 'columns' | 'checked' | 'result'>): Step {
  if (result !== null) return 'done';
  if (checked !== null) return 'check';
  return columns === null ? 'file' : 'columns';
}

interface ImportState {
  readonly columns: Columns | null;
  readonly checked: ImportFileResult | null;
  readonly result: ImportFileResult | null;
}
