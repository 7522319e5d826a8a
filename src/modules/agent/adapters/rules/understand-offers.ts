import type { Intent } from '../../../debts/rules/intents.ts';
import type { Conversation, Understanding } from '../../../messaging/ports/collection-agent.ts';
import { besideOffers, offerTaken } from './offer-words.ts';
import { type ProposalSaid, proposalIn } from './proposal.ts';

/** What always wins over an offer. Hardship wins when the debtor says more than that only so much is possible. */
const STOPS: readonly Intent[] = ['opt_out', 'wrong_person', 'dispute'];
const TO_A_PERSON: readonly Intent[] = ['hardship', 'human'];
/** The least probability at which what stands beside an offer counts. */
const SURE = 0.6;
/** What else of the message is answered beside the offer. */
const ANSWERED_TOO: readonly Intent[] = ['question', 'already_paid'];

type Understand = (message: string) => Understanding;

/**
 * Understands a message as an answer to offers, where the client makes any; null when it is none. In doubt it is a wish
 * to negotiate, which is answered by the offers once more and binds nobody.
 */
export function understandOffers(
  message: string,
  conversation: Pick<Conversation, 'offers' | 'today' | 'isBusinessDay'>,
  understood: Understanding,
  understand: Understand,
): Understanding | null {
  const { offers } = conversation;
  if (offers == null || understood.intent === 'opt_out' || understood.also.includes('opt_out')) return null;
  const taken = offerTaken(message, offers);
  if (taken?.kind === 'named') return { ...answered(understood), intent: 'accept_offer', offerNumber: taken.number };
  if (taken?.kind === 'count') return { ...answered(understood), intent: 'propose', proposal: { count: taken.count } };
  if (taken !== null) return { ...answered(understood), intent: 'negotiate', offerOpen: taken.kind };
  if (understood.mentionsDeath) return null;
  const said = proposalIn(message, conversation, offers.listed.length > 0);
  if (said !== null && isProposed(said, understood, understand)) {
    return { ...answered(understood), intent: 'propose', proposal: said.proposal };
  }
  const beside = offers.standing.length === 0 ? null : besideOffers(message);
  if (beside === null || !isFree(beside, understood, understand)) return null;
  return { ...answered(understood), intent: 'negotiate', offerOpen: 'unclear' };
}

/** What comes before a proposal that names no amount. Whoever has no money at all needs a person, and no other plan. */
const BEFORE_OTHERS: readonly Intent[] = [...STOPS, 'already_paid', 'human'];

/** Whether a message proposes what was found in it. */
function isProposed({ proposal, beside }: ProposalSaid, whole: Understanding, understand: Understand): boolean {
  if (!isFree(beside, whole, understand)) return false;
  if (proposal.monthlyCentavos !== undefined) return true;
  const stops = proposal.isCheaper === true ? [...BEFORE_OTHERS, 'hardship'] : BEFORE_OTHERS;
  return !stops.includes(whole.intent);
}

/** Whether nothing beside the words about an offer stops it. */
function isFree(beside: string, whole: Understanding, understand: Understand): boolean {
  const rest = understand(beside);
  if (STOPS.includes(rest.intent) && rest.confidence >= SURE) return false;
  return !(TO_A_PERSON.includes(rest.intent) && rest.confidence >= SURE && whole.intent === rest.intent);
}

const answered = (understood: Understanding): Understanding => {
  const also = [understood.intent, ...understood.also].filter((intent) => ANSWERED_TOO.includes(intent));
  const topics = understood.topics.filter((topic) => topic !== 'unknown');
  return {
    intent: 'negotiate',
    date: null,
    confidence: 1,
    also: topics.length === 0 ? also.filter((intent) => intent !== 'question') : also,
    topics,
    mentionsDeath: false,
  };
};
