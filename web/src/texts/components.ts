import { formatMoney } from '../format.ts';
import { COMPONENT_NAMES } from './server-names.ts';

type LateCharges = Readonly<Record<'fine' | 'interest' | 'correction', number>>;
type Components = LateCharges & { readonly principal: number };

const SHOWN = ['principal', 'fine', 'interest', 'correction'] as const;

/** True when late payment has added something to the principal. */
export const hasCharges = ({ fine, interest, correction }: LateCharges): boolean =>
  fine !== 0 || interest !== 0 || correction !== 0;

/** Names the parts of an amount, such as `principal R$ 100,00, multa R$ 2,00`. */
export const partsOf = (amounts: Components): string =>
  SHOWN.filter((part) => amounts[part] !== 0)
    .map((part) => `${COMPONENT_NAMES[part].toLowerCase()} ${formatMoney(amounts[part])}`)
    .join(', ');

/** Adds to a note what the recovered money was credited to, where something beside the principal was charged. */
export const withParts = (
  note: string,
  { charged, recoveredBy }: { readonly charged: LateCharges; readonly recoveredBy: Components },
): string => (hasCharges(charged) ? `${note}: ${partsOf(recoveredBy)}` : note);
