import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { addDays, localDate } from '../src/kernel/calendar.ts';
import { acceptOffer } from '../src/modules/agreements/use-cases/accept-offer.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { createPersonKeys } from '../src/platform/shared/person-keys.ts';
import { createCollectionWorkflows } from '../src/platform/temporal/collection-workflows.ts';
import { SECRETS } from './app.ts';
import type { CampaignsApp, TestClient } from './campaigns-app.ts';
import { cpfOf, type DebtInput, debtInput } from './debts.ts';
import { OFFERS_POLICY } from './offers-policy.ts';
import { opened } from './opened.ts';

let persons = 0;

/** One person with debts, whom their client may offer an agreement; the debts are in the order in which they are given. */
export interface OfferedPerson {
  readonly cpf: string;
  readonly ids: readonly string[];
  readonly campaignIds: readonly string[];
}

export interface GivenMoney {
  readonly centavos: number;
  readonly refundedCentavos?: number;
  readonly instalment?: number | null;
}

/** Makes agreements as a debtor does who accepts an offer, and stores what comes of them; no workflow runs for them. */
export async function startAgreements(app: CampaignsApp) {
  const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
  const deps = {
    db,
    now: () => new Date(),
    policy: loadPolicy(),
    personKeys: createPersonKeys(SECRETS['PERSON_SECRET']!),
    workflows: createCollectionWorkflows({ sandboxMaxWaitMs: 1_000 }),
  };

  /** Imports debts of one person, each list into a campaign of its own, and launches these in the sandbox. */
  async function newPerson(
    client: TestClient,
    campaigns: readonly (readonly Partial<DebtInput>[])[] = [[{}]],
    policy: object = OFFERS_POLICY,
  ): Promise<OfferedPerson> {
    expect((await client.call('PUT', '/api/offers/policy', policy)).status).toBe(200);
    persons += 1;
    const cpf = cpfOf(400_000_000 + persons);
    const dueDate = addDays(localDate(Date.now(), -3), -100);
    const ids: string[] = [];
    const campaignIds: string[] = [];
    for (const [index, debts] of campaigns.entries()) {
      const campaignId = await client.createCampaign();
      campaignIds.push(campaignId);
      const inputs = debts.map((given, at) =>
        debtInput(500_000 + persons * 100 + index * 10 + at, {
          debtorCpf: cpf,
          debtorPhone: `+55119${String(60_000_000 + persons)}`,
          dueDate,
          originalAmount: 1000,
          ...given,
        }),
      );
      expect((await client.importJson(campaignId, inputs)).body.imported).toBe(debts.length);
      expect((await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`)).status).toBe(200);
      const rows = await app.query<{ id: string }>('select id from debts where campaign_id = $1 order by position', [
        campaignId,
      ]);
      ids.push(...rows.map(({ id }) => id));
    }
    return { cpf, ids, campaignIds };
  }

  /** Accepts the offer with this number; 1 pays all of it today, with the largest discount. */
  async function accept(clientId: string, debtId: string, number = 1): Promise<string> {
    const accepted = await db
      .tenant(clientId)
      .transactional((tx) => acceptOffer(tx, deps, { clientId, debtId, offer: { number }, by: 'page', in: null }));
    if (accepted.kind !== 'accepted') throw new Error(`The offer is not accepted: ${accepted.kind}`);
    return accepted.agreementId;
  }

  /** Offers are made when they are first asked for. */
  async function agree(client: TestClient, person: OfferedPerson, number = 1): Promise<string> {
    expect((await client.call('GET', `/api/debts/${person.ids[0]}/offers`)).body.reason).toBeNull();
    return accept(client.id, person.ids[0]!, number);
  }

  /** Stores money that came by an agreement, as it stands while the agreement is active. */
  async function pay(agreementId: string, { centavos, refundedCentavos = 0, instalment = 1 }: GivenMoney) {
    const id = randomUUID();
    await app.query(
      `insert into charges (id, client_id, debt_id, agreement_id, instalment, attempt, provider, provider_payment_id,
         provider_payment_key, status, amount_centavos, paid_centavos, refunded_centavos, expires_at, approved_at, paid_at,
         credited_on)
       select $1::uuid, client_id, debt_id, id, $3::int, (select count(*) + 1 from charges where debt_id = agreements.debt_id),
         'sandbox', $1::uuid::text, $1::uuid::text, 'APPROVED', $4::bigint, $4::bigint, $5::bigint, now(), now(), now(), current_date
       from agreements where id = $2`,
      [id, agreementId, instalment, centavos, refundedCentavos],
    );
    return id;
  }

  /** Credits a part of a payment to a debt, as the end of the agreement does. */
  async function credit(paymentId: string, debtId: string, centavos: number) {
    const id = randomUUID();
    await app.query(
      `insert into charges (id, client_id, debt_id, part_of, attempt, provider, status, amount_centavos, paid_centavos,
         principal_centavos, expires_at, approved_at, paid_at, credited_on, settled_centavos, covered_centavos)
       select $1::uuid, client_id, $3::uuid, id, (select count(*) + 1 from charges as own where own.debt_id = $3::uuid), 'agreement',
         'APPROVED', $4::bigint, $4::bigint, $4::bigint, now(), now(), paid_at, credited_on, $4::bigint, $4::bigint
       from charges where id = $2`,
      [id, paymentId, debtId, centavos],
    );
    return id;
  }

  const end = (agreementId: string, status: 'COMPLETED' | 'BROKEN' | 'CANCELLED') =>
    app.query('update agreements set status = $2, ended_at = now() where id = $1', [agreementId, status]);

  return { newPerson, accept, agree, pay, credit, end };
}
