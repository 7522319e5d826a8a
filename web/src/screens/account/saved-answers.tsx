import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SavedAnswer } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import AnswerDialog from '../../saved-answers/answer-dialog.tsx';
import { SAVED_ANSWERS_KEY, useSavedAnswers } from '../../saved-answers/use-saved-answers.ts';
import { may } from '../../session/may.ts';
import { SAVED_ANSWERS as TEXT } from '../../texts/saved-answers.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Empty, Loaded, Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';

type Asked = { readonly what: 'add' } | { readonly what: 'change' | 'remove'; readonly answer: SavedAnswer };

/** The texts that the staff put into their answers. Whoever works with debts reads them; managers keep them. */
export default function SavedAnswers() {
  const query = useSavedAnswers();
  const [asked, ask] = useState<Asked | null>(null);
  const [removals, setRemovals] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  // The button that asked for it is gone with its answer, so the focus goes to the first one that is left.
  useEffect(() => {
    if (removals > 0) panel.current?.querySelector('button')?.focus();
  }, [removals]);
  const close = (): void => ask(null);
  const add = (
    <Button right="manage" icon="plus" onClick={() => ask({ what: 'add' })}>
      {TEXT.add}
    </Button>
  );
  return (
    <div ref={panel}>
      <Panel title={TEXT.title} actions={add}>
        <p className={styles['muted']}>{TEXT.lead}</p>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="chat" title={TEXT.emptyTitle}>
                {may('manage') ? TEXT.emptyText : TEXT.emptyForReader}
              </Empty>
            ) : (
              <Table caption={TEXT.title} columns={columnsOf(ask)} rows={items} rowKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      {asked?.what === 'add' && <AnswerDialog onClose={close} />}
      {asked?.what === 'change' && <AnswerDialog {...asked.answer} onClose={close} />}
      {asked?.what === 'remove' && (
        <RemoveDialog
          answer={asked.answer}
          onClose={close}
          onDone={() => {
            close();
            setRemovals(removals + 1);
          }}
        />
      )}
    </div>
  );
}

function columnsOf(ask: (asked: Asked) => void): readonly Column<SavedAnswer>[] {
  const columns: readonly Column<SavedAnswer>[] = [
    { key: 'name', label: TEXT.name, cell: ({ name }) => <strong>{name}</strong> },
    {
      key: 'text',
      label: TEXT.text,
      wide: true,
      cell: ({ text }) => <span className={styles['written']}>{text}</span>,
    },
  ];
  if (!may('manage')) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      label: TEXT.actions,
      cell: (answer) => (
        <fieldset className={styles['rowButtons']} aria-label={TEXT.actionsOf(answer.name)}>
          <Button small onClick={() => ask({ what: 'change', answer })}>
            {TEXT.change}
          </Button>
          <Button small kind="danger" onClick={() => ask({ what: 'remove', answer })}>
            {TEXT.remove}
          </Button>
        </fieldset>
      ),
    },
  ];
}

function RemoveDialog({
  answer: { id, name },
  onClose,
  onDone,
}: {
  readonly answer: SavedAnswer;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const queries = useQueryClient();
  const remove = useSubmit(async () => {
    try {
      await quita.deleteSavedAnswer({ path: { id } });
    } finally {
      await queries.invalidateQueries({ queryKey: SAVED_ANSWERS_KEY });
    }
    announce(TEXT.removed);
    onDone();
  });
  return (
    <ConfirmDialog
      title={TEXT.removeTitle(name)}
      action={TEXT.remove}
      danger
      busy={remove.busy}
      failed={remove.failed}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>{TEXT.removeText}</p>
    </ConfirmDialog>
  );
}
