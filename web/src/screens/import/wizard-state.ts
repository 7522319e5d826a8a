import type { ImportFileResult } from '../../api/client.ts';
import type { Edits } from './edits.ts';
import type { Mapping } from './fields.ts';
import type { FileRefusal } from './file-kind.ts';

/** The columns of the file, as the server guesses them, and as the person has them now. */
export interface Columns {
  readonly guessed: ImportFileResult;
  readonly sheet: string | null;
  readonly mapping: Mapping;
  readonly isRemembered: boolean;
}

export interface Checked {
  readonly answer: ImportFileResult;
  readonly edits: Edits;
  readonly times: number;
}

export interface Refusal {
  readonly name: string;
  readonly reason: FileRefusal;
}

export type Work = { readonly kind: 'read' | 'check' | 'import' | 'download'; readonly sent: number };
export type Step = 'file' | 'columns' | 'check' | 'done';
export const STEPS: readonly Step[] = ['file', 'columns', 'check', 'done'];

/** The last step that can be shown with what is there. */
export function reach({ columns, checked, result }: Pick<ImportState, 'columns' | 'checked' | 'result'>): Step {
  if (result !== null) return 'done';
  if (checked !== null) return 'check';
  return columns === null ? 'file' : 'columns';
}

interface ImportState {
  readonly columns: Columns | null;
  readonly checked: Checked | null;
  readonly result: ImportFileResult | null;
}
