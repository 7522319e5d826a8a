import { addDays, DAY, type LocalDate, startOfDay } from '../../../kernel/calendar.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Channel, PolicyPack } from '../../policy/rules/policy-pack.ts';
import { type ClientReplay, createReplay, type ReplayedContact } from '../../policy/rules/replay.ts';
import type { ReplayRunner } from '../ports/replay-runner.ts';
import { type ContactsAsked, contactsToReplay, type LedgerPlace } from '../queries/replayed-contacts.ts';

/** Both days are included, as they are in Brasília. */
interface ReplayPeriod {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly sandbox: boolean;
}

const BRASILIA = -3;
const PAGE = 1_000;

/** What the rules call the channel that carried a message. */
const CHANNEL_OF_SENDER: Readonly<Record<string, Channel>> = { twilio: 'sms', zenvia: 'sms', email: 'email' };

/** The contacts of the period, and those before it that a cap may still count, page by page. */
async function* pagesOf(tx: () => Tx, { from, to, sandbox }: ReplayPeriod): AsyncGenerator<readonly ReplayedContact[]> {
  const first = new Date(startOfDay(from, BRASILIA) - COUNTED_CONTACT_DAYS * DAY);
  const before = new Date(startOfDay(addDays(to, 1), BRASILIA));
  let after: LedgerPlace | null = null;
  for (;;) {
    const asked: ContactsAsked = { sandbox, from: first, before, after, limit: PAGE };
    const rows = await tx().transactional((reading) => contactsToReplay(reading, asked), { readOnly: true });
    yield rows.map(({ at, areaCode, channel, purpose, debtId: _, ...row }) => ({
      ...row,
      at: at.getTime(),
      areaCode: areaCode ?? '',
      purpose: purpose === 'reminder' || purpose === 'agreement' ? purpose : ('collection' as const),
      channel: CHANNEL_OF_SENDER[channel ?? ''] ?? 'whatsapp',
    }));
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE || after === null) return;
  }
}

const startOf = ({ from }: ReplayPeriod): number => startOfDay(from, BRASILIA);

const NOTHING: Omit<ClientReplay, 'clientId'> = { contacts: 0, forbidden: 0, unknownPlace: 0, byRule: [] };

/** How many of a client's own contacts a pack would have forbidden. Nothing is changed. */
export const replayPolicy =
  ({ db, policy, replays }: Pick<SharedDeps, 'db' | 'policy'> & { readonly replays: ReplayRunner }) =>
  async (clientId: string, pack: PolicyPack, period: ReplayPeriod): Promise<Omit<ClientReplay, 'clientId'>> => {
    const job = { clientId, pack, holidays: policy.holidays.rules, from: startOf(period) };
    const [found] = await replays.run(
      job,
      pagesOf(() => db.tenant(clientId), period),
    );
    return found ?? NOTHING;
  };

/** The same over the contacts of every client, for the operator. The contacts of all count for the caps together. */
export async function replayForAll(
  { db, policy }: Pick<SharedDeps, 'db' | 'policy'>,
  pack: PolicyPack,
  period: ReplayPeriod,
): Promise<readonly ClientReplay[]> {
  const replay = createReplay({ pack, holidays: policy.holidays, from: startOf(period) });
  for await (const contacts of pagesOf(() => db.system(), period)) for (const contact of contacts) replay.add(contact);
  return replay.result();
}
