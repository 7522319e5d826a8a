import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectPaymentAccountBody } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { BANK_OPTIONS, type Bank, PAYMENT_ACCOUNTS as TEXT } from '../../texts/payment-accounts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField, SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, type Submit, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import styles from './account.module.css';

type Provider = ConnectPaymentAccountBody['provider'];
type CertificateKind = keyof typeof TEXT.certificateKinds;
/** `mercadopago`, or a bank. */
type Place = 'mercadopago' | Bank;

const MAX_FILE_BYTES = 24_000;

const fileOf = (form: FormData, name: string): File | null => {
  const file = form.get(name);
  return file instanceof File && file.size > 0 && file.size <= MAX_FILE_BYTES ? file : null;
};

const textOfFile = async (form: FormData, name: string): Promise<string | null> =>
  (await fileOf(form, name)?.text()) ?? null;

async function base64OfFile(form: FormData, name: string): Promise<string | null> {
  const bytes = await fileOf(form, name)?.arrayBuffer();
  return bytes === undefined ? null : btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** What some banks give beside client id and secret. */
const extraOf = (bank: Bank) => (bank === 'bb' || bank === 'inter' ? TEXT.extras[bank] : null);

async function bodyOf(place: Place, form: FormData): Promise<ConnectPaymentAccountBody> {
  const given = (name: string): string | null => textOf(form, name) || null;
  if (place === 'mercadopago') {
    const accessToken = textOf(form, 'accessToken');
    return { provider: 'mercadopago', accessToken, webhookSecret: given('webhookSecret') };
  }
  const extra = extraOf(place);
  return {
    provider: 'pix',
    profile: place,
    clientId: textOf(form, 'clientId'),
    clientSecret: given('clientSecret'),
    key: textOf(form, 'key'),
    extra: extra === null || given('extra') === null ? null : { [extra.name]: textOf(form, 'extra') },
    certificate: await textOfFile(form, 'certificate'),
    privateKey: await textOfFile(form, 'privateKey'),
    pkcs12: await base64OfFile(form, 'pkcs12'),
    passphrase: given('passphrase'),
    baseUrl: given('baseUrl'),
    tokenUrl: given('tokenUrl'),
    ca: await textOfFile(form, 'ca'),
  };
}

/** Connects an account, which the provider checks at once. */
export function ConnectAccount({
  offered,
  onClose,
}: {
  readonly offered: readonly Provider[];
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const places: readonly { readonly value: Place; readonly label: string }[] = [
    ...(offered.includes('pix') ? BANK_OPTIONS : []),
    ...(offered.includes('mercadopago') ? [{ value: 'mercadopago' as const, label: TEXT.mercadopago }] : []),
  ];
  const [place, setPlace] = useState<Place>(places[0]?.value ?? 'mercadopago');
  const connect = useSubmit(async (form) => {
    await quita.connectPaymentAccount({ body: await bodyOf(place, form) }, { idempotencyKey: true });
    await queries.invalidateQueries({ queryKey: ['payment-accounts'] });
    await queries.invalidateQueries({ queryKey: ['account'] });
    announce(TEXT.connected);
    onClose();
  });
  return (
    <Dialog title={TEXT.connect} onClose={onClose}>
      <form onSubmit={connect.onSubmit}>
        <ProblemSummary failed={connect.failed} />
        <SelectField
          label={TEXT.where}
          options={places}
          value={place}
          onChange={({ currentTarget }) => setPlace(currentTarget.value as Place)}
        />
        {place === 'mercadopago' ? (
          <>
            <Note tone="info">{TEXT.mercadopagoHelp}</Note>
            <PasswordField
              label={TEXT.accessToken}
              name="accessToken"
              autoComplete="off"
              required
              error={connect.errorAt('/accessToken')}
            />
            <PasswordField
              label={TEXT.webhookSecret}
              name="webhookSecret"
              autoComplete="off"
              error={connect.errorAt('/webhookSecret')}
            />
          </>
        ) : (
          <BankFields key={place} bank={place} connect={connect} />
        )}
        <p className={styles['muted']}>{TEXT.secrets}</p>
        <Button type="submit" kind="primary" busy={connect.busy}>
          {TEXT.connect}
        </Button>
      </form>
    </Dialog>
  );
}

function BankFields({ bank, connect }: { readonly bank: Bank; readonly connect: Submit }) {
  const [kind, setKind] = useState<CertificateKind>(bank === 'inter' ? 'pem' : 'pkcs12');
  const extra = extraOf(bank);
  const kinds = Object.entries(TEXT.certificateKinds).map(([value, label]) => ({ value, label }));
  const file = (label: string, name: string, required: boolean) => (
    <TextField label={label} name={name} type="file" required={required} error={connect.errorAt(`/${name}`)} />
  );
  return (
    <>
      <Note tone="info">{TEXT.help(bank)}</Note>
      <TextField
        label={TEXT.clientId}
        name="clientId"
        autoComplete="off"
        maxLength={512}
        required
        error={connect.errorAt('/clientId')}
      />
      <PasswordField
        label={TEXT.clientSecret}
        name="clientSecret"
        autoComplete="off"
        required={bank !== 'sicoob' && bank !== 'custom'}
        error={connect.errorAt('/clientSecret')}
      />
      <TextField
        label={TEXT.key}
        hint={TEXT.keyHint}
        name="key"
        autoComplete="off"
        maxLength={77}
        required
        error={connect.errorAt('/key')}
      />
      {extra !== null && (
        <TextField
          label={extra.label}
          name="extra"
          autoComplete="off"
          maxLength={512}
          required={extra.required}
          error={connect.errorAt('/extra')}
        />
      )}
      <SelectField
        label={TEXT.certificateKind}
        options={kinds}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as CertificateKind)}
      />
      {kind === 'pkcs12' && file(TEXT.pkcs12, 'pkcs12', true)}
      {kind === 'pem' && file(TEXT.pem, 'certificate', true)}
      {kind === 'pem' && file(TEXT.privateKey, 'privateKey', true)}
      {kind !== 'none' && (
        <PasswordField
          label={TEXT.passphrase}
          name="passphrase"
          autoComplete="off"
          maxLength={512}
          error={connect.errorAt('/passphrase')}
        />
      )}
      {bank === 'custom' && (
        <>
          <TextField label={TEXT.baseUrl} name="baseUrl" type="url" required error={connect.errorAt('/baseUrl')} />
          <TextField label={TEXT.tokenUrl} name="tokenUrl" type="url" required error={connect.errorAt('/tokenUrl')} />
          {file(TEXT.ca, 'ca', false)}
        </>
      )}
    </>
  );
}
