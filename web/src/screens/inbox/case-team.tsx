import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoney, formatTime } from '../../format.ts';
import { PACE } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { useSession } from '../../session/use-session.ts';
import { INBOX } from '../../texts/inbox.ts';
import { INBOX_REASON } from '../../texts/words.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { FailedNote } from '../../ui/failure.tsx';
import { SelectField } from '../../ui/field.tsx';
import { textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import styles from './case.module.css';
import type { Case } from './cases.ts';
import { FormDialog } from './form-dialog.tsx';
import { useRefreshWhenTaken } from './use-refresh-when-taken.ts';

type Team = Pick<GetDebtResult, 'assignee' | 'viewing'>;

/** Says that this member has the case open while it is on the screen, and returns who else works on it. */
function useTeam(debt: GetDebtResult): Team {
  const { data } = useQuery({
    queryKey: ['viewing', debt.id],
    queryFn: () => quita.viewCase({ path: { debtId: debt.id } }),
    enabled: may('work'),
    refetchInterval: PACE.still,
    placeholderData: () => undefined,
  });
  return data ?? { assignee: debt.assignee, viewing: [] };
}

/** Says who has the case now, and goes on where the list shows it no longer. */
type Assigned = (said: string) => Promise<void>;

function useAssign(debtId: string, seen: string | null, onAssigned: Assigned) {
  const queries = useQueryClient();
  return async (memberId: string | null): Promise<void> => {
    const { assignee } = await quita.assignCase({ path: { debtId }, body: { memberId, seen } });
    queries.setQueryData<Team>(['viewing', debtId], (known) => {
      const { viewing = [] } = known ?? {};
      return assignee === undefined ? { viewing } : { viewing, assignee };
    });
    await onAssigned(assignee === undefined ? INBOX.givenBack : INBOX.givenTo(assignee.name));
  };
}

const NOBODY = '';

function AssignDialog({
  debtId,
  assignee,
  onAssigned,
  onClose,
}: {
  readonly debtId: string;
  readonly assignee: Team['assignee'];
  readonly onAssigned: Assigned;
  readonly onClose: () => void;
}) {
  const { data } = useQuery({ queryKey: ['inbox-members'], queryFn: () => quita.listInboxMembers() });
  const assign = useAssign(debtId, assignee?.id ?? null, async (said) => {
    onClose();
    await onAssigned(said);
  });
  const submit = useSubmit(async (form) => {
    const id = textOf(form, 'member');
    await assign(id === NOBODY ? null : id);
  });
  return (
    <FormDialog title={INBOX.assignTitle} action={INBOX.assign} submit={submit} onClose={onClose}>
      {data !== undefined && (
        <SelectField
          label={INBOX.assignee}
          name="member"
          defaultValue={assignee?.id ?? NOBODY}
          options={[
            { value: NOBODY, label: INBOX.nobody },
            ...data.items.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          error={submit.errorAt('/memberId')}
        />
      )}
    </FormDialog>
  );
}

/** Who has the case, and who else has it open. */
export function CaseTeam({
  debt,
  waits,
  onAssigned,
}: {
  readonly debt: GetDebtResult;
  readonly waits: boolean;
  readonly onAssigned: Assigned;
}) {
  const { assignee, viewing } = useTeam(debt);
  const session = useSession();
  const me = session.kind === 'in' ? session.member.id : null;
  const [asking, setAsking] = useState(false);
  const assign = useAssign(debt.id, assignee?.id ?? null, onAssigned);
  const take = useSubmit(() => assign(me));
  useRefreshWhenTaken(take.failed);
  return (
    <div className={styles['team']}>
      <p role="status">{viewing.length > 0 && INBOX.viewing(viewing.map(({ name }) => name))}</p>
      <p>
        <strong>{INBOX.assignee}</strong>{' '}
        <bdi>{assignee === undefined ? INBOX.nobody : assignee.id === me ? INBOX.you : assignee.name}</bdi>
      </p>
      {take.failed !== null && <FailedNote failed={take.failed} />}
      {may('work') && waits && (
        <span className={styles['teamButtons']}>
          {assignee?.id !== me && (
            <Button small busy={take.busy} onClick={() => void take.run()}>
              {INBOX.take}
            </Button>
          )}
          <Button small kind="quiet" onClick={() => setAsking(true)}>
            {INBOX.assignTo}
          </Button>
        </span>
      )}
      {asking && (
        <AssignDialog debtId={debt.id} assignee={assignee} onAssigned={onAssigned} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

/** A case that ended while it was open here, and who ended it. */
export function EndedMeanwhile({ debt }: { readonly debt: GetDebtResult }) {
  const session = useSession();
  const me = session.kind === 'in' ? session.member.id : null;
  const last = debt.timeline.findLast(({ kind }) => kind === 'status_changed');
  const by = last?.kind === 'status_changed' ? last.by : undefined;
  return (
    <Note>
      <p role="status">
        {by === undefined || by.id === me || last === undefined
          ? INBOX.endedMeanwhile
          : INBOX.decidedMeanwhile(by.name, formatTime(last.at))}
      </p>
    </Note>
  );
}

/** The cases of the same person, one of which is open. */
export function CasesOfPerson({
  cases,
  openId,
  hrefOf,
}: {
  readonly cases: readonly Case[];
  readonly openId: string;
  readonly hrefOf: (id: string) => string;
}) {
  const [first] = cases;
  if (first === undefined || cases.length < 2) return null;
  return (
    <nav aria-label={INBOX.casesOf(inWrittenOrder(first.debt.debtorName))} className={styles['switch']}>
      <ul>
        {cases.map(({ id, debt, reasons, solved }) => (
          <li key={id}>
            <Link to={hrefOf(id)} replace aria-current={id === openId ? 'true' : undefined}>
              {`${formatMoney(debt.originalAmount)} · ${solved ? INBOX.solved : INBOX_REASON[reasons[0]?.reason ?? 'human']}`}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
