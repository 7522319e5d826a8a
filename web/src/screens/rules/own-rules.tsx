import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnRules } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { may } from '../../session/may.ts';
import { RULES } from '../../texts/rules.ts';
import { timeOfField } from '../../time-field.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { bodyOf, capFields, isInDays, KEY } from './own-rules-body.ts';
import styles from './rules.module.css';

/** The company's own rules, which can only be stricter. */
export function OwnRulesPanel() {
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.getOwnRules() });
  return (
    <Panel title={RULES.own}>
      <p className={styles['lead']}>{RULES.ownLead}</p>
      <Loaded query={query}>{(rules) => <OwnRulesForm key={rules.version} rules={rules} />}</Loaded>
    </Panel>
  );
}

function OwnRulesForm({ rules }: { readonly rules: OwnRules }) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const days = RULES.weekdayNames.map(({ key }) => key).filter((key) => form.get(key) === 'on');
    const body = bodyOf(rules, {
      from: textOf(form, 'from'),
      to: textOf(form, 'to'),
      days,
      count: textOf(form, 'count'),
      perDays: textOf(form, 'perDays'),
      daysAfterDue: textOf(form, 'daysAfterDue'),
    });
    queries.setQueryData(KEY, await quita.changeOwnRules({ body }));
    announce(RULES.savedOwn);
  });
  const [cap, ...otherCaps] = rules.caps;
  const { count, perDays } = capFields(cap);
  return (
    <form onSubmit={submit.onSubmit}>
      <ProblemSummary failed={submit.failed} />
      <fieldset disabled={!may('manage')}>
        <div className={styles['fields']}>
          <TextField
            label={RULES.from}
            name="from"
            type="time"
            defaultValue={timeOfField(rules.hours?.from)}
            error={submit.errorAt('/hours/from') ?? submit.errorAt('/hours')}
          />
          <TextField
            label={RULES.to}
            name="to"
            type="time"
            defaultValue={timeOfField(rules.hours?.to)}
            error={submit.errorAt('/hours/to')}
          />
          <TextField
            label={RULES.perDays}
            name="count"
            type="number"
            min={1}
            max={100}
            defaultValue={count}
            error={submit.errorAt('/caps') ?? submit.errorAt('/caps/0/count')}
          />
          <TextField
            label={RULES.inDays}
            name="perDays"
            type="number"
            min={1}
            max={7}
            hint={cap === undefined || isInDays(cap) ? undefined : RULES.inHours(cap.hours)}
            defaultValue={perDays}
            error={submit.errorAt('/caps/0/hours')}
          />
          <TextField
            label={RULES.afterDue}
            name="daysAfterDue"
            type="number"
            min={0}
            max={365}
            defaultValue={rules.daysAfterDue ?? ''}
            error={submit.errorAt('/daysAfterDue')}
          />
        </div>
        {otherCaps.length > 0 && <p className={styles['lead']}>{RULES.otherCaps(otherCaps)}</p>}
        <fieldset>
          <legend>{RULES.weekdaysAllowed}</legend>
          <div className={styles['days']}>
            {RULES.weekdayNames.map(({ key, label }) => (
              <CheckboxField
                key={key}
                label={label}
                name={key}
                defaultChecked={rules.weekdays === null || rules.weekdays.includes(key)}
              />
            ))}
          </div>
        </fieldset>
        <Button right="manage" type="submit" kind="primary" busy={submit.busy}>
          {RULES.saveOwn}
        </Button>
      </fieldset>
    </form>
  );
}
