import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import { CHANNELS } from '../../policy/rules/policy-pack.ts';

/** Whole and half hours, so that few different wishes exist. */
const TIME = /^(?:[01]\d|2[0-3]):[03]0$/;
const DAY = /^[0-6]$/;

/** Reads the form of the page. Null ends what was asked before; `hours` says that no moment was asked for. */
export function readPreference(form: URLSearchParams): DebtorPreference | null | 'hours' {
  if (form.has('apagar')) return null;
  const from = form.get('de') ?? '';
  const to = form.get('ate') ?? '';
  const weekdays = [...new Set(form.getAll('dia'))]
    .filter((day) => DAY.test(day))
    .map(Number)
    .sort();
  if (!TIME.test(from) || !TIME.test(to) || from >= to || weekdays.length === 0) return 'hours';
  const channel = CHANNELS.find((one) => one === form.get('meio')) ?? null;
  return { hours: { from, to }, weekdays, channel };
}
