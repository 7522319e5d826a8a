import { quita } from '../api/quita.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { CodeField, codeProblem } from './code-field.tsx';
import styles from './second-factor.module.css';

/** Asks for the code again, over whatever the person was doing. */
export default function StepUpDialog({ settle }: { readonly settle: (proved: boolean) => void }) {
  const submit = useSubmit(async (form) => {
    await quita.stepUp({ body: { code: textOf(form, 'code') } });
    settle(true);
  });
  return (
    <Dialog title={TEXT.stepUp} onClose={() => settle(false)}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} text={codeProblem(submit.failed)} />
        <p className={styles['lead']}>{TEXT.stepUpText}</p>
        <CodeField error={submit.errorAt('/code')} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {TEXT.continue}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
