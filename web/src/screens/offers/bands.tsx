import { useRef } from 'react';
import { OFFERS } from '../../texts/offers.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './offers.module.css';
import { type BandForm, withBand } from './policy-body.ts';

/** The largest discount by days late, one row for each band. */
export function Bands({
  bands,
  errorAt,
  onChange,
}: {
  readonly bands: readonly BandForm[];
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (bands: readonly BandForm[]) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const typed = (at: number, name: Exclude<keyof BandForm, 'key'>) => ({
    value: bands[at]![name],
    error: errorAt(`/bands/${at}/${name}`),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(bands.map((band, index) => (index === at ? { ...band, [name]: target.value } : band))),
  });
  const remove = (at: number): void => {
    onChange(bands.filter((_, index) => index !== at));
    announce(OFFERS.bandRemoved(at + 1));
    // The button that had the focus goes away with its row.
    list.current?.querySelector<HTMLElement>('[data-add] button')?.focus();
  };
  return (
    <div ref={list} className={styles['bands']}>
      {bands.map(({ key }, at) => (
        <fieldset key={key} className={styles['band']}>
          <legend>{OFFERS.band(at + 1)}</legend>
          <TextField label={OFFERS.fromDays} type="number" min={0} max={36_500} required {...typed(at, 'fromDays')} />
          <TextField
            label={OFFERS.toDays}
            neededLater={OFFERS.toDaysEmpty}
            type="number"
            min={0}
            max={36_500}
            {...typed(at, 'toDays')}
          />
          <TextField
            label={OFFERS.maxDiscount}
            inputMode="decimal"
            autoComplete="off"
            required
            {...typed(at, 'maxDiscountPercent')}
          />
          <IconButton icon="trash" label={`${OFFERS.removeBand} ${at + 1}`} onClick={() => remove(at)} />
        </fieldset>
      ))}
      <p data-add>
        <Button small icon="plus" onClick={() => onChange(withBand(bands))}>
          {OFFERS.addBand}
        </Button>
      </p>
    </div>
  );
}
