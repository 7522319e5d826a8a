import { onSessionChange, sessionState } from '../../session/session.ts';

/** The answers that are being written, by their debt. They live in this tab's memory and are stored nowhere. */
const drafts = new Map<string, string>();
let owner: string | null = null;

/**
 * Returns the unsent answers of the company that is signed in; null while the screen of an ended session goes away. They outlast a session that ends by itself, so that
 * whoever signs in again goes on writing. A sign-out removes them, as does another company.
 */
export function draftsOf(clientId: string | null): Map<string, string> {
  if (clientId !== null && owner !== clientId) {
    drafts.clear();
    owner = clientId;
  }
  return drafts;
}

onSessionChange(() => {
  const state = sessionState();
  if (state.kind === 'out' && state.reason !== 'ended') drafts.clear();
});
