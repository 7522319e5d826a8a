import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LatePaymentTerms, PreviewTermsBody } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { CHARGES } from '../../texts/charges.ts';
import { fieldText } from '../../texts/problem-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { OwedLines } from '../../ui/owed-lines.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { useSettled } from '../../use-settled.ts';
import styles from './charges.module.css';
import { bodyOf, formOf, previewOf, type TermsForm } from './terms-body.ts';

/** Asks what the form would charge when nobody has typed for a moment. */
function usePreview(form: TermsForm) {
  const asked = useSettled(JSON.stringify(previewOf(form)));
  const { data, error } = useQuery({
    queryKey: ['terms', 'preview', asked],
    queryFn: () => quita.previewTerms({ body: JSON.parse(asked) as PreviewTermsBody }),
    // An empty date is being typed.
    enabled: form.effectiveFrom !== '',
  });
  return { preview: data, failed: error === null ? null : failedOf(error) };
}

/** The form of a new version, the example beside it, and what saving it would change. */
export function NewTerms({ newest }: { readonly newest: LatePaymentTerms | undefined }) {
  const queries = useQueryClient();
  const [form, setForm] = useState(() => formOf(newest, Date.now()));
  const { preview, failed } = usePreview(form);
  const submit = useSubmit(async () => {
    await quita.addTerms({ body: bodyOf(form) });
    announce(CHARGES.saved);
    // A draft's debts are quoted by the version that they would take.
    await Promise.all(['terms', 'debt'].map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
  });
  const errorAt = (pointer: string): string | undefined => {
    const found = failed?.errors.find((one) => one.pointer === pointer);
    return submit.errorAt(pointer) ?? (found && fieldText(found.code));
  };
  const typed = (name: keyof TermsForm) => ({
    value: String(form[name]),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setForm((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <div className={styles['pair']}>
      <Panel title={CHARGES.newVersion}>
        <p className={styles['lead']}>{CHARGES.newVersionLead}</p>
        <form onSubmit={submit.onSubmit}>
          <ProblemSummary failed={submit.failed} />
          <div className={styles['fields']}>
            <TextField
              label={CHARGES.effectiveFrom}
              type="date"
              required
              error={errorAt('/effectiveFrom')}
              {...typed('effectiveFrom')}
            />
            <TextField
              label={CHARGES.fine}
              hint={CHARGES.fineHint}
              inputMode="decimal"
              required
              error={errorAt('/finePercent')}
              {...typed('finePercent')}
            />
            <SelectField
              label={CHARGES.interest}
              hint={CHARGES.interestHint}
              options={CHARGES.interestKinds}
              error={errorAt('/interest/kind')}
              {...typed('interestKind')}
            />
            {form.interestKind === 'monthly' && (
              <TextField
                label={CHARGES.monthly}
                hint={CHARGES.monthlyHint}
                inputMode="decimal"
                required
                error={errorAt('/interest/percent')}
                {...typed('interestPercent')}
              />
            )}
            <SelectField
              label={CHARGES.correction}
              options={CHARGES.corrections}
              error={errorAt('/correction')}
              {...typed('correction')}
            />
            <TextField
              label={CHARGES.grace}
              hint={CHARGES.graceHint}
              type="number"
              min={0}
              max={30}
              required
              error={errorAt('/graceDays')}
              {...typed('graceDays')}
            />
          </div>
          <CheckboxField
            label={CHARGES.shift}
            checked={form.businessDayShift}
            onChange={({ target }) => setForm((before) => ({ ...before, businessDayShift: target.checked }))}
          />
          <TextAreaField
            label={CHARGES.clause}
            hint={CHARGES.clauseHint}
            rows={2}
            maxLength={500}
            error={submit.errorAt('/clause')}
            {...typed('clause')}
          />
          {preview !== undefined && (
            <section aria-label={CHARGES.changes} aria-live="polite" className={styles['changes']}>
              <Note>{CHARGES.whatChanges(preview.debts)}</Note>
            </section>
          )}
          <Button type="submit" kind="primary" busy={submit.busy}>
            {CHARGES.save}
          </Button>
        </form>
      </Panel>
      <Panel title={CHARGES.example}>
        <p className={styles['lead']}>{CHARGES.exampleLead}</p>
        <div className={styles['fields']}>
          <TextField
            label={CHARGES.amount}
            inputMode="decimal"
            required
            error={errorAt('/example/amount')}
            {...typed('amount')}
          />
          <TextField
            label={CHARGES.due}
            type="date"
            required
            error={errorAt('/example/dueDate')}
            {...typed('dueDate')}
          />
          <TextField label={CHARGES.on} type="date" required error={errorAt('/example/on')} {...typed('on')} />
        </div>
        <div aria-live="polite">
          {preview?.example == null ? (
            <p>{CHARGES.exampleWaits}</p>
          ) : (
            <>
              <OwedLines owed={preview.example} />
              {form.dueDate < form.effectiveFrom && <Note>{CHARGES.exampleEarlier}</Note>}
            </>
          )}
        </div>
      </Panel>
    </div>
  );
}
