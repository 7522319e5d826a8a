import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { BureauListing, GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatLastDay, formatPlainDate } from '../../format.ts';
import { showsDebts } from '../../live/stale.ts';
import { LISTINGS } from '../../texts/listings.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './debt.module.css';

/** What the company has at bureaus of this debt; undefined until it is known. */
export const useListings = ({ id }: Pick<GetDebtResult, 'id'>) =>
  useQuery({
    queryKey: ['debt', id, 'listings'],
    queryFn: async () => (await quita.listNegativations({ query: { debtId: id } })).items,
    placeholderData: () => undefined,
  });

interface DialogProps {
  readonly debtId: string;
  readonly onClose: () => void;
}

function useFinish(onClose: () => void): (said: string) => Promise<void> {
  const queries = useQueryClient();
  return async (said) => {
    await queries.invalidateQueries({ predicate: showsDebts });
    onClose();
    announce(said);
  };
}

function RecordDialog({ debtId, onClose }: DialogProps) {
  const [at, setAt] = useState('');
  const [notifiedAt, setNotifiedAt] = useState('');
  const finish = useFinish(onClose);
  const submit = useSubmit(async (form) => {
    const body = { bureau: textOf(form, 'bureau'), at, notifiedAt };
    await quita.recordNegativation({ path: { id: debtId }, body }, { idempotencyKey: true });
    await finish(LISTINGS.recorded);
  });
  return (
    <Dialog title={LISTINGS.record} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{LISTINGS.recordText}</p>
        <TextField
          label={LISTINGS.bureau}
          hint={LISTINGS.bureauHint}
          name="bureau"
          required
          maxLength={60}
          autoComplete="off"
          error={submit.errorAt('/bureau')}
        />
        <DayField label={LISTINGS.notifiedAt} value={notifiedAt} required onDay={setNotifiedAt} />
        <DayField label={LISTINGS.at} value={at} required onDay={setAt} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {LISTINGS.record}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ debtId, bureau, onClose }: DialogProps & { readonly bureau: string }) {
  const [at, setAt] = useState('');
  const finish = useFinish(onClose);
  const submit = useSubmit(async () => {
    await quita.recordNegativationRemoved({ path: { id: debtId }, body: { at, bureau } }, { idempotencyKey: true });
    await finish(LISTINGS.removeDone);
  });
  return (
    <Dialog title={LISTINGS.remove} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{LISTINGS.removeText(inWrittenOrder(bureau))}</p>
        <DayField label={LISTINGS.removedAt} value={at} required onDay={setAt} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {LISTINGS.remove}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The debts of which a listing may be recorded; the server decides. */
const NOT_LISTED: ReadonlySet<string> = new Set(['IMPORTED', 'PAID', 'AGREEMENT', 'DISPUTED', 'STOPPED']);

const termOf = ({ state, dueAt }: BureauListing): string | null => {
  if (dueAt === null || (state !== 'to_remove' && state !== 'late')) return null;
  return (state === 'late' ? LISTINGS.late : LISTINGS.until)(formatLastDay(dueAt));
};

/** Says where the debt is listed and until when it has to go, and records what the staff have done. */
export function ListingsPanel({
  debt: { id, status },
  listings,
}: {
  readonly debt: GetDebtResult;
  readonly listings: readonly BureauListing[];
}) {
  const [recording, setRecording] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const standing = listings.filter(({ state }) => state !== 'removed');
  if (standing.length === 0 && NOT_LISTED.has(status)) return null;
  return (
    <Panel title={LISTINGS.title}>
      {standing.length === 0 ? (
        <p className={styles['muted']}>{LISTINGS.none}</p>
      ) : (
        <ul className={styles['others']}>
          {standing.map((listing) => (
            <li key={listing.id}>
              <span>
                <bdi>{LISTINGS.since(inWrittenOrder(listing.bureau), formatPlainDate(listing.at))}</bdi>{' '}
                {termOf(listing)}
              </span>
              <Button right="manage" small onClick={() => setRemoving(listing.bureau)}>
                {LISTINGS.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['muted']}>
        {LISTINGS.lead} <Link to="/recibos?ver=negativacoes">{LISTINGS.report}</Link>
      </p>
      {!NOT_LISTED.has(status) && (
        <Button right="manage" small onClick={() => setRecording(true)}>
          {LISTINGS.record}
        </Button>
      )}
      {recording && <RecordDialog debtId={id} onClose={() => setRecording(false)} />}
      {removing !== null && <RemoveDialog debtId={id} bureau={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}
