import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MakeOfferBody, Offer } from '../api/client.ts';
import { type FieldError, failedOf } from '../api/problem.ts';
import { quita } from '../api/quita.ts';
import { AGREEMENTS } from '../texts/agreements.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { CheckboxField, TextField } from '../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { Note } from '../ui/page.tsx';
import styles from './agreements.module.css';
import { usePolicy } from './use-agreements.ts';

/** What cannot be read is no number in the request, and the service names the field. */
const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text.replace(',', '.')));

const bodyOf = (form: FormData): MakeOfferBody => ({
  discountPercent: numberOf(textOf(form, 'discountPercent')),
  instalments: numberOf(textOf(form, 'instalments')),
  entryPercent: numberOf(textOf(form, 'entryPercent')),
  firstDueDate: textOf(form, 'firstDueDate'),
  confirm: form.get('confirm') !== null,
});

/** An offer by staff. What is outside the policy is named, and made only when it is confirmed. */
export function OfferDialog({
  debtId,
  today,
  onClose,
}: {
  readonly debtId: string;
  readonly today: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const policy = usePolicy().data?.policy;
  const [outside, setOutside] = useState<readonly FieldError[]>([]);
  const submit = useSubmit(async (form) => {
    let offer: Offer;
    try {
      offer = await quita.makeOffer({ path: { id: debtId }, body: bodyOf(form) }, { idempotencyKey: true });
    } catch (error) {
      const { code, errors } = failedOf(error);
      if (code !== 'offer_outside_policy' || errors.length === 0) throw error;
      return setOutside(errors);
    }
    await queries.invalidateQueries({ queryKey: ['debt', debtId] });
    onClose();
    announce(AGREEMENTS.made(offer.number, offer.total, offer.instalments.length));
  });
  const mustConfirm = outside.length > 0;
  return (
    <Dialog title={AGREEMENTS.make} onClose={onClose}>
      {/* Other terms are another offer, about which nobody has been asked yet. */}
      <form
        onSubmit={submit.onSubmit}
        onChange={({ target }) => {
          if (target instanceof HTMLInputElement && target.name !== 'confirm') setOutside([]);
        }}
      >
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{AGREEMENTS.makeText}</p>
        <div className={styles['fields']}>
          <TextField
            label={AGREEMENTS.discountPercent}
            hint={AGREEMENTS.discountHint(policy?.discountOn)}
            name="discountPercent"
            inputMode="decimal"
            autoComplete="off"
            required
            defaultValue="0"
            error={submit.errorAt('/discountPercent')}
          />
          <TextField
            label={AGREEMENTS.instalments}
            hint={AGREEMENTS.instalmentsHint(policy?.maxInstalments)}
            name="instalments"
            type="number"
            min={1}
            max={60}
            required
            defaultValue="1"
            error={submit.errorAt('/instalments')}
          />
          <TextField
            label={AGREEMENTS.entryPercent}
            hint={AGREEMENTS.entryHint(policy?.minEntryPercent)}
            name="entryPercent"
            inputMode="decimal"
            autoComplete="off"
            required
            defaultValue="0"
            error={submit.errorAt('/entryPercent')}
          />
          <TextField
            label={AGREEMENTS.firstDueDate}
            hint={AGREEMENTS.firstHint}
            name="firstDueDate"
            type="date"
            min={today}
            required
            defaultValue={today}
            error={submit.errorAt('/firstDueDate')}
          />
        </div>
        <div role="alert">
          {mustConfirm && (
            <Note tone="warning">
              <strong>{AGREEMENTS.outside}</strong>
              <ul className={styles['limits']}>
                {outside.map((limit) => (
                  <li key={`${limit.pointer} ${limit.code}`}>{AGREEMENTS.limitPassed(limit, policy)}</li>
                ))}
              </ul>
            </Note>
          )}
        </div>
        {mustConfirm && <CheckboxField label={AGREEMENTS.confirm} name="confirm" required />}
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {mustConfirm ? AGREEMENTS.makeAnyway : AGREEMENTS.make}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
