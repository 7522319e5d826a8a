import type { ChangeDebtsResult } from '../../api/client.ts';
import { BULK } from '../../texts/bulk.ts';
import { PROBLEM_TEXT } from '../../texts/problem-texts.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import type { Chosen } from './chosen.ts';

export interface Outcome {
  readonly text: string;
  /** Nothing done is a warning, because the person wanted something to happen. */
  readonly tone: 'good' | 'warning';
  /** The debts that were left as they were. */
  readonly skipped: readonly { readonly id: string; readonly name: string; readonly why: string }[];
}

const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/[.]$/, '');
const whyOf = (code: ChangeDebtsResult['skipped'][number]['code']): string =>
  BULK.why[code] ?? (code === 'note_required' ? code : inSentence(PROBLEM_TEXT[code]));

/** `Feito em 30 dívidas. 2 dívidas ficaram como estavam: 2 porque a situação não permite.` */
export function outcomeOf({ done, skipped }: ChangeDebtsResult, known: Chosen['known']): Outcome {
  const left = skipped.map(({ id, code }) => {
    const name = known.get(id)?.debtorName;
    return { id, name: name === undefined ? BULK.unnamed(id) : inWrittenOrder(name), why: whyOf(code) };
  });
  const reasons = [...Map.groupBy(left, ({ why }) => why)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([why, debts]) => BULK.because(debts.length, why));
  const said = left.length === 0 ? [] : [BULK.skipped(left.length, reasons.join('; '))];
  return { text: [BULK.done(done), ...said].join(' '), tone: done === 0 ? 'warning' : 'good', skipped: left };
}
