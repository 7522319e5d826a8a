import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Place } from '../../saved-answers/insert.ts';

/** Remembers where the cursor of the answer was, and puts it where it has to be after words came in. */
export function useCaret(field: RefObject<HTMLFormElement | null>) {
  const left = useRef<Place | null>(null);
  const [wanted, setWanted] = useState<{ readonly at: number } | null>(null);
  // A dialog gives the focus back to its button when it closes, which is before this.
  useEffect(() => {
    const area = field.current?.querySelector('textarea');
    if (wanted === null || area == null) return;
    area.focus();
    area.setSelectionRange(wanted.at, wanted.at);
  }, [wanted, field]);
  return {
    onBlur: ({ target }: FocusEvent<HTMLTextAreaElement>): void => {
      left.current = { from: target.selectionStart, to: target.selectionEnd };
    },
    /** Where words come in. Before the field had the focus that is the end. */
    placeIn: (text: string): Place => left.current ?? { from: text.length, to: text.length },
    moveTo: (at: number): void => setWanted({ at }),
  };
}
