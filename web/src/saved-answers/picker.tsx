import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ListSavedAnswersResult } from '../api/client.ts';
import { may } from '../session/may.ts';
import { INBOX } from '../texts/inbox.ts';
import { SAVED_ANSWERS as TEXT } from '../texts/saved-answers.ts';
import { announce } from '../ui/announce.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Loaded } from '../ui/page.tsx';
import { matching } from './matching.ts';
import styles from './saved-answers.module.css';
import { useSavedAnswers } from './use-saved-answers.ts';

type Items = ListSavedAnswersResult['items'];

const STEP: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Chooses a saved answer for a debtor. Nothing is sent: the text comes to the writer, who may change it. */
export default function Picker({
  debtId,
  written,
  onChoose,
  onSave,
  onClose,
}: {
  readonly debtId: string;
  /** What is being written, which may become a saved answer too. */
  readonly written: string;
  readonly onChoose: (text: string) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}) {
  const query = useSavedAnswers(debtId);
  const choose = (text: string): void => {
    onChoose(text);
    announce(TEXT.inserted);
  };
  return (
    <Dialog title={INBOX.savedAnswers} onClose={onClose}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{`${TEXT.emptyTitle}. ${may('manage') ? TEXT.emptyText : TEXT.emptyForReader}`}</p>
          ) : (
            <Choice items={items} onChoose={choose} />
          )
        }
      </Loaded>
      {may('manage') && (
        <div className={styles['buttons']}>
          <ButtonLink to="/conta/respostas" kind="quiet">
            {TEXT.organize}
          </ButtonLink>
          {written.trim() !== '' && (
            <Button icon="plus" onClick={onSave}>
              {TEXT.saveWritten}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Choice({ items, onChoose }: { readonly items: Items; readonly onChoose: (text: string) => void }) {
  const [typed, setTyped] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // The answers come after the dialog, which has given the focus to its closing button by then.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const shown = matching(
    items.map(({ id, name, text, filled = text }) => ({ id, name, text: filled })),
    typed,
  );
  const [first] = shown;
  /** The arrows go from the field through the answers and back. */
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEP[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(form.current?.querySelectorAll<HTMLElement>('input, li button') ?? [])];
    stops[stops.indexOf(event.currentTarget) + step]?.focus();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== undefined) onChoose(first.text);
      }}
    >
      <TextField
        label={TEXT.search}
        hint={TEXT.searchHint}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={move}
      />
      <p role="status" className={styles['found']}>
        {TEXT.found(shown.length)}
      </p>
      <ul className={styles['list']}>
        {shown.map(({ id, name, text }) => (
          <li key={id}>
            <button type="button" className={styles['answer']} onClick={() => onChoose(text)} onKeyDown={move}>
              <strong>{name}</strong>
              <span className={styles['text']}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
