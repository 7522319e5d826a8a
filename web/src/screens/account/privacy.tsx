import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Retention } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { PRIVACY } from '../../texts/privacy.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import styles from './account.module.css';
import { EraseDialog } from './erase-dialog.tsx';
import { List } from './list.tsx';

const KEY = ['retention'] as const;

/** How long data of debtors is kept, and how a person's data is erased. */
export default function Privacy() {
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.readRetention() });
  const [erasing, setErasing] = useState(false);
  return (
    <>
      <Panel title={PRIVACY.retention}>
        <Loaded query={query} lines={8}>
          {(retention) => <RetentionForm key={retention.days} retention={retention} />}
        </Loaded>
      </Panel>
      <Panel title={PRIVACY.erase}>
        <p className={styles['muted']}>{PRIVACY.eraseLead}</p>
        <Button right="administer" kind="danger" onClick={() => setErasing(true)}>
          {PRIVACY.erase}
        </Button>
        {erasing && <EraseDialog onClose={() => setErasing(false)} />}
      </Panel>
    </>
  );
}

function RetentionForm({ retention }: { readonly retention: Retention }) {
  const { days, defaultDays, minDays, maxDays } = retention;
  const queries = useQueryClient();
  const [shorter, setShorter] = useState<number | null>(null);
  const store = async (wanted: number): Promise<void> => {
    const body = { days: wanted === defaultDays ? null : wanted };
    const stored = await quita.changeRetention({ body });
    setShorter(null);
    announce(PRIVACY.saved);
    queries.setQueryData(KEY, stored);
  };
  const submit = useSubmit(async (form) => {
    const wanted = Number(textOf(form, 'days'));
    // What is deleted does not come back, so that a shorter time is confirmed.
    if (wanted >= minDays && wanted < days) setShorter(wanted);
    else await store(wanted);
  });
  const confirm = useSubmit(async () => {
    if (shorter !== null) await store(shorter);
  });
  return (
    <>
      <p>{PRIVACY.retentionLead(days)}</p>
      <List items={PRIVACY.retentionDeletes} />
      <p>{PRIVACY.retentionKeepsTitle}</p>
      <List items={PRIVACY.retentionKeeps} />
      <p className={styles['muted']}>{PRIVACY.retentionWaits}</p>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <TextField
          label={PRIVACY.days}
          hint={PRIVACY.daysHint(minDays, maxDays, defaultDays)}
          name="days"
          type="number"
          inputMode="numeric"
          min={minDays}
          max={maxDays}
          required
          defaultValue={days}
          error={submit.errorAt('/days')}
        />
        <Button right="administer" type="submit" kind="primary" busy={submit.busy}>
          {PRIVACY.save}
        </Button>
      </form>
      {shorter !== null && (
        <ConfirmDialog
          title={PRIVACY.shorterTitle}
          action={PRIVACY.shorterAction}
          danger
          busy={confirm.busy}
          failed={confirm.failed}
          onConfirm={() => void confirm.run()}
          onClose={() => setShorter(null)}
        >
          <p>{PRIVACY.shorterText(shorter)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
