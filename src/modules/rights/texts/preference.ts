import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import { CHANNEL_NAMES, RIGHTS_TEXTS } from './rights-page.ts';

const hour = (time: string): string => `${Number(time.slice(0, 2))}h${time.endsWith('00') ? '' : time.slice(3)}`;

/** Writes a preference as it stands in a sentence: `segunda e terça, das 9h às 12h, por e-mail`. */
export function preferenceInWords({ hours, weekdays, channel }: DebtorPreference): string {
  const names = RIGHTS_TEXTS.asks.preference.weekdays;
  const days = (weekdays ?? []).map((day) => names[day] ?? '');
  return [
    ...(days.length === 0 ? [] : [days.join(', ')]),
    ...(hours === null ? [] : [`das ${hour(hours.from)} às ${hour(hours.to)}`]),
    ...(channel === null ? [] : [`por ${CHANNEL_NAMES[channel]}`]),
  ].join(', ');
}
