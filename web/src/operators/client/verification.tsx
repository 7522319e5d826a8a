import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReadClientAsOperatorResult } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { formatCnpj, formatMoment } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { CHECK_NAMES, type Check, OPERATORS } from '../../texts/operators.ts';
import { VERIFICATION } from '../../texts/verification.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { operatorApi } from '../api.ts';
import styles from '../operators.module.css';

type Client = ReadClientAsOperatorResult;

const CHECKS = Object.keys(CHECK_NAMES) as Check[];
/** Without these nobody has checked a company, so the server refuses the rest alone. */
const NEEDED: readonly Check[] = ['name', 'cnpj'];

const addressText = ({ address }: Client): string =>
  address === null
    ? VERIFICATION.noAddress
    : `${address.street}, ${address.number}, ${address.district}, ${address.city}/${address.state}, ${address.postalCode}`;

/** What the company says, beside the box of what the operator has compared it with. */
const saidBy = (client: Client): Readonly<Record<Check, string>> => ({
  name: client.name,
  cnpj: formatCnpj(client.cnpj ?? ''),
  address: addressText(client),
  senders: client.senders.join(', ') || VERIFICATION.noSenders,
  collects_for: ACCOUNT.collectsForOptions.find(({ value }) => value === client.collectsFor)?.label ?? '',
});

/** Whether the company was checked, by whom and what; or the form that records it. */
export function Verification({ client }: { readonly client: Client }) {
  // The button that had the focus is gone, so the focus moves to what it led to.
  const [isNew, setNew] = useState(false);
  return (
    <Panel title={OPERATORS.verification}>
      {client.verification !== null ? (
        <Verified verification={client.verification} takesFocus={isNew} />
      ) : client.status === 'CANCELLED' ? (
        <p className={styles['muted']}>{VERIFICATION.cancelledText}</p>
      ) : client.cnpj === null ? (
        <Note tone="warning">{VERIFICATION.noCnpj}</Note>
      ) : (
        <VerifyForm client={client} onDone={() => setNew(true)} />
      )}
    </Panel>
  );
}

function Verified({
  verification: { at, operator, checked },
  takesFocus,
}: {
  readonly verification: NonNullable<Client['verification']>;
  readonly takesFocus: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={box} tabIndex={-1} className={styles['verified']}>
      <p>{VERIFICATION.verifiedBy(formatMoment(at), operator ?? VERIFICATION.byNoOperator)}</p>
      {checked.length > 0 && <p>{VERIFICATION.checked(checked.map((one) => CHECK_NAMES[one]).join(', '))}</p>}
      <p className={styles['muted']}>{VERIFICATION.endsWhen}</p>
    </div>
  );
}

function VerifyForm({ client, onDone }: { readonly client: Client; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const checked = CHECKS.filter((check) => form.has(check));
    try {
      await operatorApi.verifyClientAsOperator({ path: { id: client.id }, body: { checked, seen: client.version } });
    } catch (error) {
      // The company has changed, and the sentence that says so stands beside the data as they are now.
      if (failedOf(error).code === 'client_state') await queries.invalidateQueries();
      throw error;
    }
    onDone();
    announce(VERIFICATION.verifiedNow);
    await queries.invalidateQueries();
  });
  const said = saidBy(client);
  return (
    <form onSubmit={submit.onSubmit}>
      <p className={styles['lead']}>{VERIFICATION.verifyLead}</p>
      <ProblemSummary
        failed={submit.failed}
        text={submit.failed?.code === 'client_state' ? VERIFICATION.changedMeanwhile : undefined}
      />
      {CHECKS.map((check) => (
        // A mark stands for the data that it was set beside, so others are not marked.
        <CheckboxField
          key={`${check} ${said[check]}`}
          label={CHECK_NAMES[check]}
          hint={said[check]}
          name={check}
          required={NEEDED.includes(check)}
        />
      ))}
      <Button type="submit" kind="primary" icon="check" busy={submit.busy}>
        {VERIFICATION.verify}
      </Button>
    </form>
  );
}
