import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Erasure } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate } from '../../format.ts';
import { PRIVACY } from '../../texts/privacy.ts';
import { DEBT_STATUS } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import styles from './account.module.css';
import { List } from './list.tsx';

/** A CPF has eleven digits; everything else is for the server to judge as a CNPJ. */
const personOf = (given: string) => (given.replace(/[^0-9a-z]/gi, '').length <= 11 ? { cpf: given } : { cnpj: given });

/** Asks who it is, shows what an erasure does, and has it done after a word that somebody typed. */
export function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const [taxId, setTaxId] = useState('');
  const [shown, show] = useState<Erasure | null>(null);
  const look = useSubmit(async (form) => {
    const given = textOf(form, 'taxId');
    const erasure = await quita.askForErasure({ query: { checkOnly: 'true' }, body: personOf(given) });
    setTaxId(given);
    show(erasure);
  });
  if (shown !== null && shown.erasable > 0) return <Confirm taxId={taxId} erasure={shown} onClose={onClose} />;
  return (
    <Dialog title={PRIVACY.erase} onClose={onClose} isUnsaved={() => false}>
      <form onSubmit={look.onSubmit}>
        <ProblemSummary failed={look.failed} />
        <TextField
          label={PRIVACY.taxId}
          hint={PRIVACY.taxIdHint}
          name="taxId"
          autoComplete="off"
          maxLength={20}
          required
          error={look.errorAt('/cpf') ?? look.errorAt('/cnpj')}
        />
        {shown !== null && (
          <div role="status">
            <p>{shown.kept === 0 ? PRIVACY.nobody : PRIVACY.notYet}</p>
            <Kept erasure={shown} />
          </div>
        )}
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={look.busy}>
            {PRIVACY.look}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const nameOf = ({ invoiceId, status }: Erasure['debts'][number]): string =>
  PRIVACY.debtOf(invoiceId, DEBT_STATUS[status].label);

/** The debts that keep their data, each with its reason. */
function Kept({ erasure: { kept, debts } }: { readonly erasure: Erasure }) {
  if (kept === 0) return null;
  const lines = debts.flatMap((debt) =>
    debt.because === null ? [] : [`${nameOf(debt)}: ${PRIVACY.because[debt.because]}`],
  );
  return (
    <>
      <p>{PRIVACY.kept(kept)}</p>
      <List items={lines.length < kept ? [...lines, PRIVACY.more] : lines} />
    </>
  );
}

function Confirm({
  taxId,
  erasure,
  onClose,
}: {
  readonly taxId: string;
  readonly erasure: Erasure;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { erasable, debts, receipts } = erasure;
  const erase = useSubmit(async () => {
    await quita.askForErasure({ body: personOf(taxId) });
    announce(PRIVACY.erased);
    onClose();
    await queries.invalidateQueries();
  });
  const lines = debts.filter(({ because }) => because === null).map(nameOf);
  return (
    <ConfirmDialog
      title={PRIVACY.erase}
      action={PRIVACY.eraseAction}
      danger
      typed={PRIVACY.eraseWord}
      busy={erase.busy}
      failed={erase.failed}
      onConfirm={() => void erase.run()}
      onClose={onClose}
    >
      <p>{PRIVACY.erasable(erasable)}</p>
      <List items={lines.length < erasable ? [...lines, PRIVACY.more] : lines} />
      <Kept erasure={erasure} />
      <h3>{PRIVACY.eraseGoesTitle}</h3>
      <p>{PRIVACY.eraseGoes}</p>
      <h3>{PRIVACY.eraseKeepsTitle}</h3>
      <List items={PRIVACY.eraseKeeps} />
      {receipts.length > 0 && (
        <List
          items={receipts.map(({ protocol, keptUntil }) => PRIVACY.receiptUntil(protocol, formatDate(keptUntil)))}
        />
      )}
      <p>{PRIVACY.eraseElsewhere}</p>
    </ConfirmDialog>
  );
}
