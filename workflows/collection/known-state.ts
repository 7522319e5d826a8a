import type { DebtKnowledge, KnownContact, KnownEvent } from '../../src/modules/debts/rules/debt-task.ts';
import type { Work } from '../contract.ts';

/** A cap looks back 168 hours and counts three contacts; the others keep the timeline complete. */
const MOST_CONTACTS = 10;

interface Known {
  readonly contacts: readonly KnownContact[];
  readonly lastHeard: KnownEvent | null;
}

export interface Knowledge {
  learn(work: Work, known: DebtKnowledge | undefined): void;
  state(): Known;
}

/**
 * What the workflow remembers of a debt beside the database: its latest contacts, and how far the timeline went when it
 * last answered or settled something. Activities compare this with a database that may have been restored.
 */
export function createKnowledge(before: Known | undefined): Knowledge {
  let contacts = before?.contacts ?? [];
  let lastHeard = before?.lastHeard ?? null;
  return {
    learn(work, known) {
      const contact = known?.contact ?? null;
      if (contact !== null && !contacts.some(({ id }) => id === contact.id)) {
        contacts = [...contacts, contact].slice(-MOST_CONTACTS);
      }
      if (work !== 'contacting') lastHeard = known?.event ?? lastHeard;
    },
    state: () => ({ contacts, lastHeard }),
  };
}
