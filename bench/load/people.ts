import type { Client } from 'pg';

/** A debtor who has a Pix code. */
export interface Debtor {
  readonly debtId: string;
  readonly phone: string;
  readonly charge: string;
}

const CHARGED = `
  select d.id as "debtId", d.debtor_phone as phone, c.provider_payment_id as charge, c.created_at::text as at
  from charges c join debts d on d.id = c.debt_id
  where c.provider_payment_id is not null and c.created_at > $1::timestamptz - interval '5 seconds'
  order by c.created_at`;
const ASK_EVERY_MS = 1_000;
/** Only so many of the newest are polled and looked at; the pages of older debts are rarely open. */
const OPEN_PAGES = 500;

/** Finds the debtors whom the service has charged, so that they can pay, write and look at their page. */
export class People {
  readonly #owner: Client;
  readonly #known = new Set<string>();
  /** Those who have done nothing yet, the oldest first. */
  readonly #waiting: Debtor[] = [];
  readonly #open: Debtor[] = [];
  readonly #paid: Debtor[] = [];
  #newest = '2000-01-01T00:00:00Z';
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> = Promise.resolve();
  failure: unknown;

  constructor(owner: Client) {
    this.#owner = owner;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#asking = this.ask().catch((error: unknown) => {
        this.failure = error;
      });
    }, ASK_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#asking;
  }

  async ask(): Promise<void> {
    const { rows } = await this.#owner.query<Debtor & { at: string }>(CHARGED, [this.#newest]);
    for (const { at, ...debtor } of rows) {
      this.#newest = at;
      if (this.#known.has(debtor.charge)) continue;
      this.#known.add(debtor.charge);
      this.#waiting.push(debtor);
      this.#open.push(debtor);
      if (this.#open.length > OPEN_PAGES) this.#open.shift();
    }
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The one who has waited longest does something now. */
  next(): Debtor | undefined {
    return this.#waiting.shift();
  }

  paid(debtor: Debtor): void {
    this.#paid.push(debtor);
  }

  get payers(): readonly Debtor[] {
    return this.#paid;
  }

  /** A debtor whose page is open. */
  any(random: () => number): Debtor | undefined {
    return this.#open[Math.floor(random() * this.#open.length)];
  }
}
