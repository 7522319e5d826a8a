import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { newestRules } from '../../policy/queries/client-rules.ts';
import {
  ALL_AREA_CODES,
  type AreaCodes,
  type ContactHours,
  EACH_AREA_CODE,
  stricterPack,
  type VersionedOwnRules,
  withoutWindow,
} from '../../policy/rules/campaign-settings.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import { areaCodesOfDebtors, campaignsByHours } from '../queries/area-codes.ts';

interface Settings {
  readonly collectsFor: CollectsFor;
  readonly own: VersionedOwnRules | null;
  readonly hours: ContactHours | null;
  /** The campaigns that keep these hours. */
  readonly campaigns: readonly { readonly id: string; readonly name: string }[];
  /** The member of the body that asks for them. */
  readonly pointer: string;
}

const MAX_NAMED = 10;

function noOpening(pointer: string, debtors: readonly AreaCodes[], campaign: string | null): AppError {
  const named = debtors.slice(0, MAX_NAMED).map((codes) => codes.join(' with '));
  const codes = debtors.length > MAX_NAMED ? [...named, '…'] : named;
  const whose = campaign === null ? '' : ` for debtors of the campaign "${campaign}"`;
  const message = `With the rules of the policy, your own rules and the hours of the campaign, no moment is left${whose} in the area codes ${codes.join(', ')}`;
  return new AppError('validation_failed', { errors: [{ pointer, code: 'hours_empty', message }] });
}

type Deps = Pick<CollectionDeps, 'policy' | 'now'>;

const closedBy =
  ({ policy: { pack, holidays }, now }: Deps, { collectsFor, own, hours }: Omit<Settings, 'campaigns' | 'pointer'>) =>
  <Codes extends AreaCodes>(debtors: readonly Codes[]): readonly Codes[] =>
    withoutWindow(stricterPack(bindingPack(pack, collectsFor), own, hours), holidays, now().getTime(), debtors);

/** Refuses rules of a client that close the day in any area code: its next campaign may have debtors there. */
export function requireOpeningsEverywhere(
  deps: Deps,
  { pointer, ...rules }: Omit<Settings, 'hours' | 'campaigns'>,
): void {
  const without = closedBy(deps, { ...rules, hours: null })(EACH_AREA_CODE);
  if (without.length > 0) throw noOpening(pointer, without, null);
}

/**
 * Refuses settings that leave no moment to contact a debtor of these campaigns, or anybody at all: nothing that the
 * client sets may leave debts without a next contact.
 */
export async function requireOpenings(tx: Tx, deps: Deps, settings: Settings): Promise<void> {
  const { campaigns, pointer } = settings;
  const closed = closedBy(deps, settings);
  // Hours that suit somebody who may be anywhere suit every debtor, and most hours do.
  if (closed([ALL_AREA_CODES]).length === 0) return;
  for (const { id, name } of campaigns) {
    const without = closed(await areaCodesOfDebtors(tx, id));
    if (without.length > 0) throw noOpening(pointer, without, name);
  }
  const nobody = closed(EACH_AREA_CODE).length === EACH_AREA_CODE.length;
  if (nobody) throw noOpening(pointer, EACH_AREA_CODE, campaigns[0]?.name ?? null);
}

/**
 * Refuses that a client collects for others while its own rules and the hours of its campaigns leave a debtor no moment
 * within the rules that bind only collectors.
 */
export const requireOpeningsOfCollector =
  (deps: Deps) =>
  async (tx: Tx, clientId: string): Promise<void> => {
    const pointer = '/collectsFor';
    const collectsFor = 'others';
    const own = (await newestRules(tx, clientId)) ?? null;
    if (own !== null) requireOpeningsEverywhere(deps, { collectsFor, own, pointer });
    for (const { hours, campaigns } of await campaignsByHours(tx, clientId)) {
      await requireOpenings(tx, deps, { collectsFor, own, hours, campaigns, pointer });
    }
  };
