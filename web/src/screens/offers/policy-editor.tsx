import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { planDays, planText } from '../../agreements/plan.ts';
import type { OffersPolicy, OffersPreview, PreviewOffersBody } from '../../api/client.ts';
import { type FieldError, failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { may } from '../../session/may.ts';
import { OFFERS } from '../../texts/offers.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { useSettled } from '../../use-settled.ts';
import { Bands } from './bands.tsx';
import styles from './offers.module.css';
import { bodyOf, formOf, type PolicyForm, previewOf } from './policy-body.ts';

/** Asks what the form would offer when nobody has typed for a moment. */
function usePreview(form: PolicyForm) {
  const body = previewOf(form);
  const asked = useSettled(body === null ? '' : JSON.stringify(body));
  const { data, error } = useQuery({
    queryKey: ['offers-policy', 'preview', asked],
    queryFn: () => quita.previewOffers({ body: JSON.parse(asked) as PreviewOffersBody }),
    enabled: asked !== '' && may('manage'),
  });
  return { preview: body === null ? undefined : data, errors: error === null ? [] : failedOf(error).errors };
}

/** What would be offered of the example. */
function Offered({
  preview: { owed, charges, items, reason },
  discountOn,
}: {
  readonly preview: OffersPreview;
  readonly discountOn: OffersPolicy['discountOn'];
}) {
  return (
    <>
      <p>{OFFERS.owed(owed, charges)}</p>
      {charges === 0 && discountOn === 'charges' && (
        <Note>
          {OFFERS.noCharges} <Link to="/encargos">{OFFERS.toCharges}</Link>
        </Note>
      )}
      {reason !== null && <p>{OFFERS.examplePerson}</p>}
      <ol className={styles['offered']}>
        {items.map(({ number, total, discount, instalments, validUntil }) => (
          <li key={number}>
            <strong>{OFFERS.offer(number, total)}</strong>
            <span>{planText(instalments)}</span>
            <span className={styles['terms']}>
              {[OFFERS.discount(discount), planDays(instalments), OFFERS.until(validUntil)].join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The form of the policy, and an example that follows it. */
export function PolicyEditor({
  stored,
  onSaved,
}: {
  readonly stored: OffersPolicy | null;
  readonly onSaved: () => Promise<unknown>;
}) {
  const [form, setForm] = useState(() => formOf(stored));
  const { preview, errors } = usePreview(form);
  const submit = useSubmit(async () => {
    await quita.changeOffersPolicy({ body: bodyOf(form) });
    announce(OFFERS.saved);
    await onSaved();
  });
  const known: readonly FieldError[] = [...(submit.failed?.errors ?? []), ...errors];
  const errorAt = (pointer: string): string | undefined => {
    const found = known.find((one) => one.pointer === pointer);
    return found && OFFERS.problemAt(found);
  };
  type Field = Exclude<keyof PolicyForm, 'bands'>;
  const change = (changed: Partial<PolicyForm>): void => setForm((before) => ({ ...before, ...changed }));
  const typed = (name: Field, pointer: string = `/${name}`) => ({
    value: form[name],
    error: errorAt(pointer),
    required: true,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [name]: target.value }),
  });
  const decimal = { inputMode: 'decimal', autoComplete: 'off' } as const;
  const whole = (min: number, max: number) => ({ type: 'number', min, max }) as const;
  return (
    <div className={styles['pair']}>
      <Panel title={OFFERS.policy}>
        <p className={styles['lead']}>{OFFERS.policyLead}</p>
        <form onSubmit={submit.onSubmit}>
          <fieldset disabled={!may('manage')}>
            <ProblemSummary failed={submit.failed} />
            <h3 className={styles['heading']}>{OFFERS.bands}</h3>
            <p className={styles['lead']}>{OFFERS.bandsLead}</p>
            <Bands bands={form.bands} errorAt={errorAt} onChange={(bands) => change({ bands })} />
            <SelectField label={OFFERS.discountOn} options={OFFERS.discountOns} {...typed('discountOn')} />
            <h3 className={styles['heading']}>{OFFERS.instalments}</h3>
            <div className={styles['fields']}>
              <TextField
                label={OFFERS.maxInstalments}
                hint={OFFERS.maxInstalmentsHint}
                {...whole(1, 60)}
                {...typed('maxInstalments')}
              />
              <TextField label={OFFERS.minInstalment} {...decimal} {...typed('minInstalment')} />
              <TextField
                label={OFFERS.minEntry}
                hint={OFFERS.minEntryHint}
                {...decimal}
                {...typed('minEntryPercent')}
              />
              <TextField
                label={OFFERS.maxDaysToFirst}
                hint={OFFERS.maxDaysToFirstHint}
                {...whole(0, 90)}
                {...typed('maxDaysToFirst')}
              />
              <TextField
                label={OFFERS.graceMoves}
                hint={OFFERS.graceMovesHint}
                {...whole(0, 3)}
                {...typed('graceMoves')}
              />
            </div>
            <h3 className={styles['heading']}>{OFFERS.talk}</h3>
            <div className={styles['fields']}>
              <TextField label={OFFERS.holdDays} hint={OFFERS.holdDaysHint} {...whole(0, 90)} {...typed('holdDays')} />
              <TextField
                label={OFFERS.maxOffers}
                hint={OFFERS.maxOffersHint}
                {...whole(0, 50)}
                {...typed('maxOffers')}
              />
              <TextField
                label={OFFERS.personAbove}
                hint={OFFERS.personAboveHint}
                {...decimal}
                {...typed('personAbove')}
                required={false}
              />
            </div>
            <h3 className={styles['heading']}>{OFFERS.breach}</h3>
            <div className={styles['fields']}>
              <TextField
                label={OFFERS.afterDays}
                hint={OFFERS.afterDaysHint}
                {...whole(5, 60)}
                {...typed('afterDays', '/breach/afterDays')}
              />
            </div>
            <SelectField
              label={OFFERS.whatFollows}
              hint={OFFERS.whatFollowsHint}
              options={OFFERS.followings}
              {...typed('afterBreach', '/breach/then')}
            />
            <Button right="manage" type="submit" kind="primary" busy={submit.busy}>
              {OFFERS.save}
            </Button>
          </fieldset>
        </form>
      </Panel>
      {may('manage') && (
        <div className={styles['beside']}>
          <Panel title={OFFERS.example}>
            <p className={styles['lead']}>{OFFERS.exampleLead}</p>
            <div className={styles['fields']}>
              <TextField label={OFFERS.amount} {...decimal} {...typed('amount', '/example/amount')} />
              <TextField label={OFFERS.daysLate} {...whole(1, 1_826)} {...typed('daysLate', '/example/daysLate')} />
            </div>
            <div aria-live="polite">
              {preview === undefined ? (
                <p>{OFFERS.exampleWaits}</p>
              ) : (
                <Offered preview={preview} discountOn={form.discountOn} />
              )}
            </div>
          </Panel>
        </div>
      )}
    </div>
  );
}
