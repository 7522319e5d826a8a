import { useQueryClient } from '@tanstack/react-query';
import { quita } from '../api/quita.ts';
import { COMMON } from '../texts/common.ts';
import { MAX_SAVED_TEXT, SAVED_ANSWERS as TEXT } from '../texts/saved-answers.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { TextAreaField, TextField } from '../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import styles from './saved-answers.module.css';
import { SAVED_ANSWERS_KEY } from './use-saved-answers.ts';

/** Writes a new answer, or another wording of one. */
export default function AnswerDialog({
  id,
  name,
  text,
  onClose,
}: {
  /** Absent for a new answer. */
  readonly id?: string;
  readonly name?: string;
  readonly text?: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const body = { name: textOf(form, 'name'), text: textOf(form, 'text') };
    try {
      if (id === undefined) await quita.createSavedAnswer({ body }, { idempotencyKey: true });
      else await quita.changeSavedAnswer({ path: { id }, body });
    } finally {
      // A refusal may mean that a colleague has changed the list.
      await queries.invalidateQueries({ queryKey: SAVED_ANSWERS_KEY });
    }
    announce(TEXT.saved);
    onClose();
  });
  const wrongText = submit.failed?.errors.find(({ pointer }) => pointer === '/text');
  return (
    <Dialog title={id === undefined ? TEXT.add : TEXT.changeTitle} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} text={submit.errorAt('')} />
        <TextField
          label={TEXT.name}
          hint={TEXT.nameHint}
          name="name"
          maxLength={60}
          autoComplete="off"
          required
          defaultValue={name}
          error={submit.errorAt('/name')}
        />
        <TextAreaField
          label={TEXT.text}
          hint={TEXT.textHint}
          name="text"
          rows={5}
          maxLength={MAX_SAVED_TEXT}
          required
          defaultValue={text}
          error={wrongText && TEXT.problem(wrongText.code)}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {COMMON.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
