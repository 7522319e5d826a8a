import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerRightsRequestBody, GetDebtResult, RightsRequest } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { may } from '../../session/may.ts';
import { INBOX } from '../../texts/inbox.ts';
import { PlainText } from '../../timeline/message-bubble.tsx';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { FailedNote } from '../../ui/failure.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { textOf, useSubmit } from '../../ui/form.tsx';
import styles from './case.module.css';
import type { Case } from './cases.ts';
import type { Done } from './dialogs.tsx';
import { FormDialog } from './form-dialog.tsx';

const MAX_ANSWER = 4_000;
const OUTCOMES = [
  { value: 'granted', label: INBOX.rightsGranted },
  { value: 'refused', label: INBOX.rightsRefused },
] as const;

/** What a person asked on their page of rights, with the way to answer it. */
export function RightsRequests({
  debt,
  one,
  onDone,
}: {
  readonly debt: GetDebtResult;
  readonly one: Case;
  readonly onDone: (done: Done) => Promise<void>;
}) {
  const [asked, setAsked] = useState<RightsRequest | null>(null);
  const { data } = useQuery({
    queryKey: ['debt', debt.id, 'rights'],
    enabled: may('work') && one.reasons.some(({ reason }) => reason === 'rights'),
    queryFn: () => quita.listRightsRequests({ query: { debtId: debt.id, state: 'open' } }),
    placeholderData: () => undefined,
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label={INBOX.rights}>
      <h3>{INBOX.rights}</h3>
      <ul className={styles['reasons']}>
        {data.items.map((request) => (
          <li key={request.id}>
            <strong>{INBOX.rightsKinds[request.kind] ?? request.kind}</strong>
            <p className={styles['outlook']}>{INBOX.rightsAsked(formatMoment(request.createdAt), request.protocol)}</p>
            {request.text !== '' && <PlainText text={request.text} />}
            {request.file !== null && <FileOf request={request} />}
            <Button kind="primary" onClick={() => setAsked(request)}>
              {INBOX.rightsAnswer}
            </Button>
          </li>
        ))}
      </ul>
      {asked !== null && (
        <AnswerDialog
          request={asked}
          isLast={data.items.length === 1}
          onClose={() => setAsked(null)}
          onDone={async (done) => {
            setAsked(null);
            await onDone(done);
          }}
        />
      )}
    </section>
  );
}

function FileOf({ request }: { readonly request: RightsRequest }) {
  const load = useSubmit(async () => {
    const content = await quita.downloadRightsFile({ path: { id: request.id } });
    const ending = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg' }[request.file?.contentType ?? ''] ?? 'png';
    saveFile(content, `pedido-${request.protocol}.${ending}`);
  });
  return (
    <>
      {load.failed !== null && <FailedNote failed={load.failed} />}
      <Button small busy={load.busy} onClick={() => void load.run()}>
        {INBOX.rightsFile}
      </Button>
    </>
  );
}

function AnswerDialog({
  request,
  isLast,
  onClose,
  onDone,
}: {
  readonly request: RightsRequest;
  readonly isLast: boolean;
  readonly onClose: () => void;
  readonly onDone: (done: Done) => Promise<void>;
}) {
  const queries = useQueryClient();
  const mayCorrect = request.kind === 'correction' && may('manage');
  const submit = useSubmit(async (form) => {
    const debtorPhone = mayCorrect ? textOf(form, 'phone') : '';
    const debtorEmail = mayCorrect ? textOf(form, 'email') : '';
    const changes = {
      ...(debtorPhone === '' ? {} : { debtorPhone }),
      ...(debtorEmail === '' ? {} : { debtorEmail }),
    };
    const body: AnswerRightsRequestBody = {
      text: textOf(form, 'text'),
      outcome: textOf(form, 'outcome') as AnswerRightsRequestBody['outcome'],
      changes: Object.keys(changes).length === 0 ? null : changes,
    };
    await quita.answerRightsRequest({ path: { id: request.id }, body }, { idempotencyKey: true });
    await queries.invalidateQueries({ queryKey: ['debt', request.debtId] });
    await onDone({ debt: null, said: INBOX.rightsAnswered, decided: isLast });
  });
  return (
    <FormDialog title={INBOX.rightsAnswer} action={INBOX.rightsAnswer} submit={submit} onClose={onClose}>
      {request.text !== '' && <PlainText text={request.text} />}
      <SelectField label={INBOX.rightsOutcome} name="outcome" options={OUTCOMES} error={submit.errorAt('/outcome')} />
      <TextAreaField
        label={INBOX.rightsText}
        hint={INBOX.rightsTextHint}
        name="text"
        maxLength={MAX_ANSWER}
        rows={5}
        required
        error={submit.errorAt('/text')}
      />
      {mayCorrect && (
        <>
          <TextField
            label={INBOX.rightsPhone}
            hint={INBOX.rightsChangesHint}
            name="phone"
            type="tel"
            autoComplete="off"
            error={submit.errorAt('/changes/debtorPhone')}
          />
          <TextField
            label={INBOX.rightsEmail}
            name="email"
            type="email"
            autoComplete="off"
            error={submit.errorAt('/changes/debtorEmail')}
          />
        </>
      )}
    </FormDialog>
  );
}
