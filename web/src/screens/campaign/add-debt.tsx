import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign, ImportJsonResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { showsDebts } from '../../live/stale.ts';
import { sessionState } from '../../session/session.ts';
import { CAMPAIGN } from '../../texts/campaign.ts';
import { COMMON } from '../../texts/common.ts';
import { IMPORT } from '../../texts/import.ts';
import { IMPORT_FIELD } from '../../texts/import-problems.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { debtOf, sentenceAt } from './one-debt.ts';
import styles from './settings.module.css';

/** Brings one debt without a spreadsheet. It is an import of one, with the same checks. */
export default function AddDebt({ campaign, onClose }: { readonly campaign: Campaign; readonly onClose: () => void }) {
  const { id, status, sandbox } = campaign;
  const queries = useQueryClient();
  const [errors, setErrors] = useState<ImportJsonResult['errors']>([]);
  const submit = useSubmit(async (form) => {
    setErrors([]);
    const session = sessionState();
    if (session.kind !== 'in') return;
    const body = { clientId: session.client.id, debts: [debtOf((name) => textOf(form, name))] };
    const answer = await quita.importJson({ path: { campaignId: id }, body });
    if (answer.imported === 0) return setErrors(answer.errors);
    announce(CAMPAIGN.debtAdded);
    await queries.invalidateQueries({ predicate: showsDebts });
    onClose();
  });
  const isKnown = errors.some(({ code }) => code === 'duplicate');
  const text = (name: keyof typeof IMPORT_FIELD, rest: Omit<Parameters<typeof TextField>[0], 'label'> = {}) => (
    <TextField label={IMPORT_FIELD[name]} name={name} autoComplete="off" error={sentenceAt(errors, name)} {...rest} />
  );
  return (
    <Dialog title={CAMPAIGN.addDebt} onClose={onClose}>
      {/* The server names all problems at once, each beside its field. */}
      <form noValidate onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <div role="status">
          {isKnown && <Note tone="warning">{CAMPAIGN.debtKnown}</Note>}
          {errors.length > 0 && !isKnown && <Note tone="warning">{CAMPAIGN.debtRefused}</Note>}
        </div>
        {status === 'RUNNING' && (
          <Note tone={sandbox === true ? 'test' : 'warning'}>
            {sandbox === true ? IMPORT.runningTest : IMPORT.runningNote}
          </Note>
        )}
        {text('debtorName', { required: true, maxLength: 200 })}
        {text('debtorTaxId', {
          name: 'taxId',
          required: true,
          maxLength: 20,
          error: sentenceAt(errors, 'debtorCpf', 'debtorCnpj'),
        })}
        {text('debtorPhone', { type: 'tel', required: true, error: sentenceAt(errors, 'debtorPhone', 'debtorPhones') })}
        {text('originalAmount', { hint: CAMPAIGN.amountHint, inputMode: 'decimal', required: true })}
        {text('dueDate', { placeholder: COMMON.dayHint, inputMode: 'numeric', maxLength: 10, required: true })}
        {text('invoiceId', { maxLength: 100 })}
        {text('debtorEmail', { type: 'email', error: sentenceAt(errors, 'debtorEmail', 'debtorEmails') })}
        {text('description', { hint: CAMPAIGN.descriptionHint, maxLength: 200 })}
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {CAMPAIGN.addDebtAction}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
