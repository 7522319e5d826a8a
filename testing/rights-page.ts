import type { App } from './app.ts';
import type { TestClient } from './campaigns-app.ts';
import type { DebtInput } from './debts.ts';

/** Imports a debt into a draft of the client, and opens the page of rights of its person with the digits. */
export async function openRightsPage(app: Pick<App, 'url'>, client: TestClient, input: DebtInput) {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [input]);
  const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  const { rightsUrl } = (await client.call('GET', `/api/debts/${id}`)).body;
  const path = new URL(rightsUrl).pathname;
  const post = async (action: string, fields: Readonly<Record<string, string>>): Promise<Response> => {
    const answer = await fetch(`${app.url}${path}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: app.url },
      body: new URLSearchParams(fields),
    });
    await answer.arrayBuffer();
    return answer;
  };
  const opening = await post('abrir', { digitos: input.debtorCpf.slice(-4) });
  const proof = new URL(opening.headers.get('location') ?? '', app.url).searchParams.get('v') ?? '';
  return {
    debtId: id as string,
    path,
    proof,
    /** Sends a form of the open page. */
    ask: (action: string, fields: Readonly<Record<string, string>>) => post(action, { v: proof, ...fields }),
  };
}
