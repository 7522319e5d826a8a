import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const put = (client: Awaited<ReturnType<typeof app.newClient>>, policy: unknown) =>
  client.call('PUT', '/api/offers/policy', policy);

describe('/api/offers/policy', () => {
  it('stores the policy, shows it to its client alone, and removes it', async () => {
    const client = await app.newClient();
    expect(await client.call('GET', '/api/offers/policy')).toMatchObject({ status: 200, body: null });
    const { graceMoves: _, ...without } = OFFERS_POLICY;
    expect(await put(client, { ...without, personAbove: 5000.5 })).toMatchObject({
      status: 200,
      body: { ...OFFERS_POLICY, personAbove: 5000.5 },
    });
    expect((await client.call('GET', '/api/offers/policy')).body).toEqual({ ...OFFERS_POLICY, personAbove: 5000.5 });
    expect((await (await app.newClient()).call('GET', '/api/offers/policy')).body).toBeNull();
    expect(await put(client, null)).toMatchObject({ status: 200, body: null });
    expect((await client.call('GET', '/api/offers/policy')).body).toBeNull();
    const versions = await app.query<{ version: number; removed: boolean }>(
      'select version, policy is null as removed from offer_policies where client_id = $1 order by version',
      [client.id],
    );
    expect(versions).toEqual([
      { version: 1, removed: false },
      { version: 2, removed: true },
    ]);
  });

  it('takes a login and no API key', async () => {
    const client = await app.newClient();
    const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
    const answer = await app.call('PUT', '/api/offers/policy', { body: OFFERS_POLICY, bearer: apiKey });
    expect(answer).toMatchObject({ status: 401, body: { code: 'access_token_required' } });
    expect((await app.call('GET', '/api/offers/policy', { bearer: apiKey })).status).toBe(200);
  });

  const band = { fromDays: 1, toDays: 90, maxDiscountPercent: 10 };
  it.each([
    ['bands that overlap', { bands: [band, { ...band, fromDays: 90, toDays: 200 }] }, '/bands/1/fromDays'],
    ['a band that ends before it begins', { bands: [{ ...band, toDays: 0 }] }, '/bands/0/toDays'],
    ['more than 100 %', { bands: [{ ...band, maxDiscountPercent: 100.01 }] }, '/bands/0/maxDiscountPercent'],
    ['all of the debt', { bands: [{ ...band, maxDiscountPercent: 100 }] }, '/bands/0/maxDiscountPercent'],
    ['a third decimal', { bands: [{ ...band, maxDiscountPercent: 1.005 }] }, '/bands/0/maxDiscountPercent'],
    ['days below 0', { bands: [{ ...band, fromDays: -1 }] }, '/bands/0/fromDays'],
    ['another base', { discountOn: 'principal' }, '/discountOn'],
    ['an entry above 100 %', { minEntryPercent: 101 }, '/minEntryPercent'],
    ['instalments below one real', { minInstalment: 0.99 }, '/minInstalment'],
    ['a fraction of a centavo', { minInstalment: 10.001 }, '/minInstalment'],
    ['more than 60 instalments', { maxInstalments: 61 }, '/maxInstalments'],
    ['no instalment', { maxInstalments: 0 }, '/maxInstalments'],
    ['a first payment in a year', { maxDaysToFirst: 91 }, '/maxDaysToFirst'],
    ['an offer that holds for a year', { holdDays: 91 }, '/holdDays'],
    ['endless answers', { maxOffers: 51 }, '/maxOffers'],
    ['an amount of nothing', { personAbove: 0 }, '/personAbove'],
    // biome-ignore-start lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
    ['a breach after four days', { breach: { afterDays: 4, then: 'keep' } }, '/breach/afterDays'],
    ['a breach after 61 days', { breach: { afterDays: 61, then: 'keep' } }, '/breach/afterDays'],
    ['an unknown end', { breach: { afterDays: 15, then: 'sell' } }, '/breach/then'],
    // biome-ignore-end lint/suspicious/noThenProperty: see above.
    ['four moves', { graceMoves: 4 }, '/graceMoves'],
    ['instalments behind an entry of everything', { minEntryPercent: 100 }, '/maxInstalments'],
    ['instalments larger than what is offered', { minInstalment: 300, personAbove: 599.99 }, '/maxInstalments'],
  ])('refuses %s', async (_, change, pointer) => {
    const { status, body } = await put(await app.newClient(), { ...OFFERS_POLICY, ...change });
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('tells all problems of a body at once', async () => {
    const bands = [
      { ...band, maxDiscountPercent: 1.005 },
      { fromDays: 200, toDays: 199, maxDiscountPercent: 10 },
    ];
    const { body } = await put(await app.newClient(), {
      ...OFFERS_POLICY,
      bands,
      minEntryPercent: 101,
      minInstalment: 0,
      maxOffers: 51,
    });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/bands/0/maxDiscountPercent',
      '/minEntryPercent',
      '/minInstalment',
      '/maxOffers',
      '/bands/1/toDays',
    ]);
    const wrong = await put(await app.newClient(), { ...OFFERS_POLICY, bands: bands.slice(1), maxOffers: 'two' });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/maxOffers' }, { pointer: '/bands/0/toDays' }]);
    const unreadable = await put(await app.newClient(), { ...OFFERS_POLICY, bands: [...bands, 'none'], maxOffers: 51 });
    expect(unreadable.body.errors).toMatchObject([
      { pointer: '/bands/0/maxDiscountPercent' },
      { pointer: '/bands/2' },
      { pointer: '/maxOffers' },
    ]);
  });

  it('stores policies that come at once one after the other', async () => {
    const client = await app.newClient();
    const answers = await Promise.all([1, 2, 3, 4].map((maxOffers) => put(client, { ...OFFERS_POLICY, maxOffers })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('says by an example which offer can never be made', async () => {
    const { body } = await put(await app.newClient(), { ...OFFERS_POLICY, minInstalment: 300, personAbove: 599.99 });
    expect(body.errors[0]).toMatchObject({ code: 'never_offered' });
    expect(body.errors[0].message).toContain('of R$ 599,99 an entry of R$ 299,99 leaves R$ 300,00');
    const usable = { ...OFFERS_POLICY, minInstalment: 300, personAbove: 600, bands: [] };
    expect((await put(await app.newClient(), usable)).status).toBe(200);
  });
});
