import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Account, ChangeAccountBody } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCnpj } from '../../format.ts';
import { may } from '../../session/may.ts';
import { useConsole, useNeeds } from '../../shell/use-console.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { STATES } from '../../texts/server-names.ts';
import { SIGN_UP } from '../../texts/sign-in.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, type Submit, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import styles from './account.module.css';
import { CompanyEmail } from './change-email.tsx';
import { changesOf } from './company-changes.ts';

/** Who the company is: what debtors see of it, and what a real launch still needs. */
export function Company() {
  const query = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() });
  return (
    <Loaded query={query} lines={10}>
      {(account) => (
        <>
          <Missing account={account} />
          {!account.verified && <Verification account={account} />}
          <CompanyForm account={account} />
          {may('administer') && <CompanyEmail email={account.email} />}
        </>
      )}
    </Loaded>
  );
}

function Missing({ account }: { readonly account: Account }) {
  const needs = useNeeds(account.missing);
  const resend = useSubmit(async () => {
    await quita.askForConfirmation({}, { idempotencyKey: true });
    announce(ACCOUNT.resent);
  });
  if (account.missing.length === 0) return <Note tone="good">{ACCOUNT.missingNone}</Note>;
  return (
    <Note tone="warning">
      <p>{`${ACCOUNT.missingTitle}:`}</p>
      <ul className={styles['missing']}>
        {needs.map((need) => (
          <li key={need}>
            {need === 'payment_provider' || need === 'channel' ? (
              <Link to="/conta/canais">{ACCOUNT.missing[need]}</Link>
            ) : (
              ACCOUNT.missing[need]
            )}
          </li>
        ))}
      </ul>
      <ProblemSummary failed={resend.failed} />
      {!account.emailConfirmed && (
        <div className={styles['buttons']}>
          <Button right="administer" small icon="send" busy={resend.busy} onClick={() => void resend.run()}>
            {ACCOUNT.resend}
          </Button>
        </div>
      )}
    </Note>
  );
}

/** How the company comes to be verified: its owner confirms it, or the operator is asked. */
function Verification({ account }: { readonly account: Account }) {
  const queries = useQueryClient();
  const { verification } = useConsole().data ?? {};
  const confirm = useSubmit(async () => {
    queries.setQueryData(['account'], await quita.confirmCompany({ body: { confirm: true } }));
    announce(ACCOUNT.confirmedCompany);
  });
  const ask = useSubmit(async () => {
    await quita.askForVerification({}, { idempotencyKey: true });
    announce(ACCOUNT.askedVerification);
  });
  if (account.cnpj === null) return null;
  if (verification === 'own') {
    return (
      <Panel title={ACCOUNT.confirmTitle}>
        <form onSubmit={confirm.onSubmit}>
          <ProblemSummary failed={confirm.failed} />
          <p>{ACCOUNT.confirmText(account.name, formatCnpj(account.cnpj))}</p>
          <p>{ACCOUNT.confirmLaw}</p>
          <fieldset disabled={!may('administer')}>
            <CheckboxField label={ACCOUNT.confirmLabel} name="confirm" required />
            <Button right="administer" type="submit" kind="primary" busy={confirm.busy}>
              {ACCOUNT.confirmSubmit}
            </Button>
          </fieldset>
        </form>
      </Panel>
    );
  }
  return (
    <Panel title={ACCOUNT.askTitle}>
      <p>{verification === 'by_mail' ? ACCOUNT.askText : ACCOUNT.askOtherwise}</p>
      {verification === 'by_mail' && (
        <>
          <ProblemSummary failed={ask.failed} />
          <Button right="administer" icon="send" busy={ask.busy} onClick={() => void ask.run()}>
            {ACCOUNT.askSubmit}
          </Button>
        </>
      )}
    </Panel>
  );
}

function CompanyForm({ account: current }: { readonly account: Account }) {
  const queries = useQueryClient();
  // What the fields were filled with: what somebody else changes meanwhile is no change of this form, nor undone by it.
  const [account, setAccount] = useState(current);
  const submit = useSubmit(async (form) => {
    const body: ChangeAccountBody = changesOf(account, (name) => textOf(form, name));
    queries.setQueryData(['account'], await quita.changeAccount({ body }));
    setAccount({ ...account, ...body });
    announce(ACCOUNT.savedCompany);
  });
  const { name, cnpj, segment, contactEmail, lawfulGround, collectsFor, autoRefundExcess } = account;
  return (
    <Panel title={ACCOUNT.company}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <fieldset disabled={!may('administer')}>
          <div className={styles['fields']}>
            <TextField
              label={ACCOUNT.name}
              hint={ACCOUNT.nameHint}
              name="name"
              autoComplete="organization"
              maxLength={200}
              required
              defaultValue={name}
              error={submit.errorAt('/name')}
            />
            <TextField
              label={ACCOUNT.cnpj}
              neededLater={ACCOUNT.neededToLaunch}
              name="cnpj"
              autoComplete="off"
              maxLength={20}
              defaultValue={cnpj === null ? '' : formatCnpj(cnpj)}
              error={submit.errorAt('/cnpj')}
            />
            <SelectField
              label={ACCOUNT.segment}
              name="segment"
              options={SIGN_UP.segments}
              defaultValue={segment ?? ''}
              error={submit.errorAt('/segment')}
            />
            <TextField
              label={ACCOUNT.contactEmail}
              hint={ACCOUNT.contactEmailHint}
              name="contactEmail"
              type="email"
              autoComplete="email"
              defaultValue={contactEmail ?? ''}
              error={submit.errorAt('/contactEmail')}
            />
            <SelectField
              label={ACCOUNT.collectsFor}
              hint={ACCOUNT.collectsForHint}
              name="collectsFor"
              options={ACCOUNT.collectsForOptions}
              defaultValue={collectsFor}
              error={submit.errorAt('/collectsFor')}
            />
          </div>
          <SelectField
            label={ACCOUNT.ground}
            hint={ACCOUNT.groundHint}
            name="lawfulGround"
            options={ACCOUNT.grounds}
            defaultValue={lawfulGround ?? ''}
            error={submit.errorAt('/lawfulGround')}
          />
          <CheckboxField
            label={ACCOUNT.autoRefundExcess}
            hint={ACCOUNT.autoRefundExcessHint}
            name="autoRefundExcess"
            defaultChecked={autoRefundExcess}
            error={submit.errorAt('/autoRefundExcess')}
          />
          <AddressFields address={account.address} submit={submit} />
          <Button right="administer" type="submit" kind="primary" busy={submit.busy}>
            {ACCOUNT.saveCompany}
          </Button>
        </fieldset>
      </form>
    </Panel>
  );
}

function AddressFields({ address, submit }: { readonly address: Account['address']; readonly submit: Submit }) {
  const field = (name: keyof NonNullable<Account['address']>, autoComplete: string, maxLength: number) => (
    <TextField
      label={ACCOUNT[name]}
      neededLater={ACCOUNT.neededToLaunch}
      name={name}
      autoComplete={autoComplete}
      maxLength={maxLength}
      defaultValue={address?.[name] ?? ''}
      error={submit.errorAt(`/address/${name}`)}
    />
  );
  return (
    <fieldset className={styles['address']}>
      <legend>{ACCOUNT.address}</legend>
      <div className={styles['fields']}>
        {field('postalCode', 'postal-code', 9)}
        {field('street', 'address-line1', 200)}
        {field('number', 'address-line2', 20)}
        {field('district', 'address-level3', 100)}
        {field('city', 'address-level2', 100)}
        <SelectField
          label={ACCOUNT.state}
          name="state"
          autoComplete="address-level1"
          options={[{ value: '', label: ACCOUNT.choose }, ...STATES.map((state) => ({ value: state, label: state }))]}
          defaultValue={address?.state ?? ''}
          error={submit.errorAt('/address/state')}
        />
      </div>
    </fieldset>
  );
}
