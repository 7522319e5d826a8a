/** A charge that a run has taken, as far as the queues look at it. */
export interface QueuedCharge {
  readonly clientId: string;
  readonly provider: string;
  readonly accountId: string | null;
  /** How many times in a row the account was paused before this run. */
  readonly accountFailures: number;
}

/** A client's own account is asked about so many charges at the same moment at most. */
const MAX_PER_ACCOUNT = 12;
/** So many failures without an answer in between pause an account; one is enough for an account that was paused before. */
const FAILURES_TO_PAUSE = 2;
/** An account that answers as slowly gets fewer questions at the same moment, so that it does not occupy the run. */
const SLOW_MS = 5_000;
/** Further charges of a client are taken when fewer than this many of one account wait. */
const ENOUGH_WAITING = 64;

interface Account<T> {
  readonly clientId: string;
  readonly kept: boolean;
  readonly waiting: T[];
  asking: number;
  mayAsk: number;
  failures: number;
  pausesBefore: number;
  paused: boolean;
  queued: boolean;
}

/**
 * The charges that a run has taken and has not asked about yet, in one queue for each account. The accounts alternate.
 * Each begins with one question at a time and gets one more with each quick answer, so that an account that does not
 * answer costs the others almost nothing.
 */
export function createAccountQueues<T extends QueuedCharge>() {
  const accounts = new Map<string, Account<T>>();
  /** The accounts that may be asked now, in their order. */
  const nextAccounts: Account<T>[] = [];

  function accountOf({ clientId, provider, accountId, accountFailures }: T): Account<T> {
    const key = `${clientId}:${provider}:${accountId ?? ''}`;
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const account: Account<T> = {
      clientId,
      kept: accountId !== null,
      waiting: [],
      asking: 0,
      mayAsk: 1,
      failures: 0,
      pausesBefore: accountFailures,
      paused: false,
      queued: false,
    };
    accounts.set(key, account);
    return account;
  }

  function enqueue(account: Account<T>): void {
    const ready = !account.paused && account.waiting.length > 0 && account.asking < account.mayAsk;
    if (!ready || account.queued) return;
    account.queued = true;
    nextAccounts.push(account);
  }

  return {
    /** Adds charges of accounts that are not paused. */
    add(charges: readonly T[]): void {
      for (const charge of charges) {
        const account = accountOf(charge);
        if (account.paused) continue;
        account.waiting.push(charge);
        enqueue(account);
      }
    },

    /** Returns the next charge to ask about; the caller reports the end of the question by one of the functions below. */
    next(): T | undefined {
      for (;;) {
        const account = nextAccounts.shift();
        if (account === undefined) return undefined;
        account.queued = false;
        const charge = account.paused || account.asking >= account.mayAsk ? undefined : account.waiting.shift();
        if (charge === undefined) continue;
        account.asking += 1;
        enqueue(account);
        return charge;
      }
    },

    /** Returns true when the account answers again after it was paused before this run. */
    answered(charge: T, tookMs: number): boolean {
      const account = accountOf(charge);
      const recovered = account.pausesBefore > 0;
      account.asking -= 1;
      account.failures = 0;
      account.pausesBefore = 0;
      account.mayAsk =
        tookMs > SLOW_MS ? Math.max(1, Math.floor(account.mayAsk / 2)) : Math.min(MAX_PER_ACCOUNT, account.mayAsk + 1);
      enqueue(account);
      return recovered;
    },

    /** Returns true when this failure pauses the account for the rest of the run. */
    failed(charge: T, { atOnce }: { readonly atOnce: boolean }): boolean {
      const account = accountOf(charge);
      account.asking -= 1;
      account.failures += 1;
      account.mayAsk = 1;
      if (account.paused) return false;
      account.paused = atOnce || account.pausesBefore > 0 || account.failures >= FAILURES_TO_PAUSE;
      if (account.paused) account.waiting.length = 0;
      else enqueue(account);
      return account.paused;
    },

    /** Ends a question that says nothing about the account. */
    dropped(charge: T): void {
      const account = accountOf(charge);
      account.asking -= 1;
      enqueue(account);
    },

    hasWaiting: (): boolean => nextAccounts.length > 0,

    /**
     * Returns the clients of which no further charges are to be taken now. The pause of a client's own account is stored,
     * and the others of the client are asked; the account of the deployment has no row that could store its pause.
     */
    occupiedClients(): string[] {
      const occupied = [...accounts.values()].filter(
        ({ paused, kept, waiting }) => (paused && !kept) || waiting.length >= ENOUGH_WAITING,
      );
      return [...new Set(occupied.map(({ clientId }) => clientId))];
    },
  };
}
