import { expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { createRecordingChannel } from '../../testing/engine.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { collectionWorkflowId } from '../../workflows/ids.ts';
import { DAY, HOUR, nextWednesday, offsetTo, type Shifted, startShifted } from '../clock/shifted-deployment.ts';

const provider = await opened(new FakeMercadoPago({ webhookSecret: 'payment_webhook_secret-of-the-tests' }).start());
const keeper = await opened(startApp());
const recording = createRecordingChannel();

const PERSON = { debtorName: 'Lia Prado', debtorPhone: '+5511980061000', debtorCpf: cpfOf(620_000_001) };
const OTHER = { debtorName: 'Rui Alves', debtorPhone: '+5511980061001', debtorCpf: cpfOf(620_000_002) };
const OPENING = nextWednesday(11);
const LONG = { timeoutMs: 90_000, everyMs: 250 };

const at = (moment: number): Promise<Shifted> =>
  startShifted({ offsetMs: offsetTo(moment), provider, recording, keeper });

/** A campaign with real people: of the same debt of each of these persons. */
async function launched({ app, launch }: Shifted, persons: readonly object[]) {
  const client = await app.newClient();
  await verifyCompany(keeper.query, client.id);
  const campaignId = await client.createCampaign();
  const dueDate = new Date(OPENING - 40 * DAY).toISOString().slice(0, 10);
  await client.importJson(
    campaignId,
    persons.map((person, n) => debtInput(n, { ...person, dueDate })),
  );
  await launch(client, campaignId);
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  return { client, ids: items.map(({ id }: { id: string }) => id) as string[] };
}

const toPerson = () => recording.sent.filter(({ phone }) => phone === PERSON.debtorPhone);

it('“isto não é meu” for one client keeps every other client from the number, and neither learns of the other', async () => {
  let deployment = await at(OPENING);
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
  const ask = async ({ token }: TestClient, path: string): Promise<any> =>
    (await deployment.app.call('GET', path, { bearer: token })).body;
  const debtOf = (client: TestClient, id: string) => ask(client, `/api/debts/${id}`);
  try {
    const first = await launched(deployment, [PERSON]);
    const [id = ''] = first.ids;
    await until('the person is contacted', async () => toPerson().length > 0, LONG);
    const path = new URL((await debtOf(first.client, id)).rightsUrl).pathname;
    const answer = await fetch(`${deployment.app.url}${path}/nao-e-meu`, {
      method: 'POST',
      headers: { origin: deployment.app.url },
      body: new URLSearchParams(),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/PD-\d{4}-[0-9A-Z]{11}/)]);
    await until('the debt is stopped', async () => (await debtOf(first.client, id)).status === 'STOPPED', LONG);

    // What the first client has said, with its answer, is all that ever reaches the number.
    await until('the wish is confirmed', async () => toPerson().at(-1)?.purpose === 'reply', LONG);
    const said = toPerson().length;

    // A week later the contact of the first client fills no opening any more.
    await deployment.stop();
    deployment = await at(OPENING + 7 * DAY + 2 * HOUR);
    const second = await launched(deployment, [PERSON, OTHER]);
    const [same = '', other = ''] = second.ids;
    const verdicts = async (debtId: string) =>
      (await debtOf(second.client, debtId)).timeline.filter(({ kind }: { kind: string }) => kind === 'verdict');
    await until('the other person is contacted', async () => (await verdicts(other)).at(-1)?.allowed === true, LONG);
    // The plan gives the first opening away like a full week of the person; at the next one the gate decides.
    const firstAt = await until(
      'the person is planned',
      async () => {
        const [row] = await keeper.query<{ at: Date | null }>('select next_contact_at as at from debts where id = $1', [
          same,
        ]);
        return row?.at ?? null;
      },
      LONG,
    );
    expect(firstAt.getTime()).toBeGreaterThan(OPENING + 13 * DAY);
    await deployment.stop();
    deployment = await at(firstAt.getTime() + HOUR);
    await deployment.temporal.workflow.getHandle(collectionWorkflowId(same)).signal('stateChanged');
    const [verdict] = await until(
      'the person is decided about',
      async () => {
        const all = await verdicts(same);
        return all.length > 0 ? all : null;
      },
      LONG,
    );
    expect(verdict).toMatchObject({ allowed: false, rules: ['scheduling'] });
    expect(toPerson()).toHaveLength(said);

    const { debt, ...seen } = {
      debt: await debtOf(second.client, same),
      inbox: (await ask(second.client, '/api/inbox')).items,
      requests: (await ask(second.client, '/api/rights-requests')).items,
    };
    expect(seen).toEqual({ inbox: [], requests: [] });
    expect(debt.status).not.toBe('STOPPED');
    expect(JSON.stringify(debt)).not.toMatch(/wrong|nao-e-meu|não é meu/i);
    expect(JSON.stringify(debt)).not.toContain(first.client.id);
    const stopped = JSON.stringify(await debtOf(first.client, id));
    for (const foreign of [second.client.id, same, other]) expect(stopped).not.toContain(foreign);
  } finally {
    await deployment.stop();
  }
});
