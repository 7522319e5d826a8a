import { SETTINGS } from '../../texts/campaign-settings.ts';
import { MAX_SEQUENCE_STEPS } from '../../texts/server-names.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { Submit } from '../../ui/form.tsx';
import { type Step, withChange, withoutStep, withStep } from './sequence.ts';
import styles from './settings.module.css';

type Value = Step['kind'] | Step['tone'];

const WORDS: Readonly<Record<Value, string>> = { ...SETTINGS.kinds, ...SETTINGS.tones };

const optionsOf = (values: readonly Value[]) => values.map((value) => ({ value, label: WORDS[value] }));

/** The contacts of the campaign in their order; the product's, or its own. */
export function SequenceField({
  steps,
  defaults,
  submit,
  onChange,
}: {
  readonly steps: readonly Step[] | null;
  readonly defaults: readonly Step[];
  readonly submit: Submit;
  readonly onChange: (next: readonly Step[] | null) => void;
}) {
  return (
    <fieldset className={styles['group']}>
      <legend>{SETTINGS.sequence}</legend>
      <p className={styles['lead']}>{steps === null ? SETTINGS.sequenceDefault : SETTINGS.sequenceOwn}</p>
      {steps === null ? (
        <Button small onClick={() => onChange(defaults.length === 0 ? withStep([]) : defaults)}>
          {SETTINGS.edit}
        </Button>
      ) : (
        <>
          <ol>
            {steps.map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: A step is its place in the sequence; it has no other name.
              <li key={at} className={styles['step']}>
                <StepFields step={step} at={at} steps={steps} submit={submit} onChange={onChange} />
              </li>
            ))}
          </ol>
          <div className={styles['stepButtons']}>
            {steps.length < MAX_SEQUENCE_STEPS && (
              <Button small icon="plus" onClick={() => onChange(withStep(steps))}>
                {SETTINGS.add}
              </Button>
            )}
            <Button small onClick={() => onChange(null)}>
              {SETTINGS.useDefault}
            </Button>
          </div>
        </>
      )}
    </fieldset>
  );
}

function StepFields({
  step,
  at,
  steps,
  submit,
  onChange,
}: {
  readonly step: Step;
  readonly at: number;
  readonly steps: readonly Step[];
  readonly submit: Submit;
  readonly onChange: (next: readonly Step[]) => void;
}) {
  const isLast = at === steps.length - 1;
  const kinds: readonly Step['kind'][] = at === 0 ? ['first'] : isLast ? ['reminder', 'last'] : ['reminder'];
  return (
    <fieldset>
      <legend className={styles['stepHead']}>
        {SETTINGS.stepOf(at + 1)}
        {at > 0 && (
          <IconButton icon="trash" label={SETTINGS.remove(at + 1)} onClick={() => onChange(withoutStep(steps, at))} />
        )}
      </legend>
      <div className={styles['fields']}>
        <SelectField
          label={SETTINGS.kind}
          options={optionsOf(kinds)}
          value={step.kind}
          onChange={({ target }) => onChange(withChange(steps, at, { kind: target.value as Step['kind'] }))}
          error={submit.errorAt(`/sequence/${at}/kind`)}
        />
        <SelectField
          label={SETTINGS.tone}
          options={optionsOf(['friendly', 'neutral', 'firm'])}
          value={step.tone}
          onChange={({ target }) => onChange(withChange(steps, at, { tone: target.value as Step['tone'] }))}
          error={submit.errorAt(`/sequence/${at}/tone`)}
        />
        <TextField
          label={SETTINGS.wait}
          type="number"
          required
          min={isLast ? 0 : 1}
          max={90}
          value={step.thenWaitDays}
          onChange={({ target }) => onChange(withChange(steps, at, { thenWaitDays: Number(target.value) }))}
          error={submit.errorAt(`/sequence/${at}/thenWaitDays`)}
        />
      </div>
    </fieldset>
  );
}
