import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { quita } from '../api/quita.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { AppSecret } from './app-secret.tsx';
import { CodeField, codeProblem } from './code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';
import { type Heading, StepTitle } from './step-title.tsx';

/** Sets the app up: its secret as a code to scan or to type, a first code, and then the recovery codes. */
export default function SetUp({
  app,
  heading,
  onCancel,
  onDone,
}: {
  readonly app: { readonly secret: string; readonly uri: string };
  readonly heading: Heading;
  readonly onCancel?: () => void;
  readonly onDone: () => void;
}) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const confirm = useSubmit(async (form) => {
    const { recoveryCodes } = await quita.confirmTotp({ body: { code: textOf(form, 'code') } });
    setCodes(recoveryCodes);
    // The other sessions have ended.
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  });
  if (codes !== null) return <RecoveryCodes codes={codes} heading={heading} onDone={onDone} />;
  return (
    <form onSubmit={confirm.onSubmit}>
      <StepTitle as={heading}>{TEXT.scanTitle}</StepTitle>
      <ProblemSummary failed={confirm.failed} text={codeProblem(confirm.failed)} />
      <AppSecret app={app} />
      <CodeField recovery={false} error={confirm.errorAt('/code')} />
      <div className={styles['buttons']}>
        {onCancel !== undefined && <Button onClick={onCancel}>{TEXT.notNow}</Button>}
        <Button type="submit" kind="primary" busy={confirm.busy}>
          {TEXT.confirm}
        </Button>
      </div>
    </form>
  );
}
