import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GetDebtResult, ListOffersResult, Offer } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { formatMoney } from '../format.ts';
import { showsDebts } from '../live/stale.ts';
import { AGREEMENTS } from '../texts/agreements.ts';
import { placeOfPhone } from '../timeline/zone.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import styles from './agreements.module.css';
import { OfferDialog } from './offer-dialog.tsx';
import { planDays, planText } from './plan.ts';

/** Asks before an acceptance is recorded, with the words that the debtor agreed to. */
function AcceptDialog({
  debtId,
  offer,
  onClose,
}: {
  readonly debtId: string;
  readonly offer: Offer;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const note = textOf(form, 'note');
    const { protocol } = await quita.recordAcceptance(
      { path: { id: debtId, offerId: offer.id }, body: { note: note === '' ? null : note } },
      { idempotencyKey: true },
    );
    onClose();
    announce(AGREEMENTS.accepted(protocol));
    await queries.invalidateQueries({ predicate: showsDebts });
  });
  return (
    <Dialog title={AGREEMENTS.acceptTitle(offer.number)} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p>{AGREEMENTS.acceptText}</p>
        <blockquote className={styles['text']} tabIndex={-1} data-read-first>
          {offer.text}
        </blockquote>
        <p className={styles['lead']}>{AGREEMENTS.acceptAfter}</p>
        <TextAreaField
          label={AGREEMENTS.acceptNote}
          hint={AGREEMENTS.acceptNoteHint}
          name="note"
          rows={2}
          maxLength={1_000}
          error={submit.errorAt('/note')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {AGREEMENTS.accept}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Line({ offer, onAccept }: { readonly offer: Offer; readonly onAccept: () => void }) {
  const { number, total, discount, debtIds, instalments, validUntil, by } = offer;
  return (
    <li className={styles['offer']}>
      <div>
        <strong>{`${AGREEMENTS.offer(number)}: ${formatMoney(total)}`}</strong>
        <p>{planText(instalments)}</p>
        <p className={styles['terms']}>{`${AGREEMENTS.discount(discount)} · ${planDays(instalments)}`}</p>
        <p className={styles['terms']}>
          {AGREEMENTS.validUntil(validUntil)}
          {debtIds.length > 1 && ` · ${AGREEMENTS.about(debtIds.length)}`}
          {by !== undefined && ` · ${AGREEMENTS.madeBy(by.name)}`}
        </p>
      </div>
      <Button right="work" small icon="check" onClick={onAccept}>
        {AGREEMENTS.accept}
        <span className="visually-hidden">{AGREEMENTS.acceptOf(number)}</span>
      </Button>
    </li>
  );
}

/** The offers that stand, or why there are none, and what staff can do about them. */
export function Offers({
  debt,
  offers: { items, reason },
}: {
  readonly debt: Pick<GetDebtResult, 'id' | 'debtorPhone' | 'clock'>;
  readonly offers: ListOffersResult;
}) {
  const [accepting, setAccepting] = useState<Offer | null>(null);
  const [makingOn, setMakingOn] = useState<string | null>(null);
  const { zone } = placeOfPhone(debt.debtorPhone);
  // The clock of a simulated debt may be ahead of the wall's.
  const today = (): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(
      debt.clock === null ? new Date() : new Date(debt.clock),
    );
  return (
    <>
      {reason === null ? (
        <ul className={styles['offers']} aria-label={AGREEMENTS.offers}>
          {items.map((offer) => (
            <Line key={offer.id} offer={offer} onAccept={() => setAccepting(offer)} />
          ))}
        </ul>
      ) : (
        <p>{AGREEMENTS.noOffers(reason)}</p>
      )}
      {reason === 'no_policy' && (
        <p>
          <Link to="/ofertas">{AGREEMENTS.setPolicy}</Link>
        </p>
      )}
      {(reason === null || reason === 'needs_person') && (
        <div className={styles['buttons']}>
          <Button right="work" icon="offer" onClick={() => setMakingOn(today())}>
            {AGREEMENTS.make}
          </Button>
        </div>
      )}
      {accepting !== null && <AcceptDialog debtId={debt.id} offer={accepting} onClose={() => setAccepting(null)} />}
      {makingOn !== null && <OfferDialog debtId={debt.id} today={makingOn} onClose={() => setMakingOn(null)} />}
    </>
  );
}
