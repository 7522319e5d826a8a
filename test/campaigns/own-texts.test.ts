import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();

const TEXT = 'Bom dia, {{nome}}! Aqui é da {{credor}}: há {{pagamentos}}. Veja aqui: {{link}}';
const SHORT = '{{nome}}, veja {{pagamentos}}: {{link}}';
const draft = async (): Promise<string> => `/api/campaigns/${await client.createCampaign()}/texts`;
const codes = (body: { errors: { pointer: string; code: string }[] }) =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('own wording', () => {
  it('is saved in versions, listed, and returned to the product’s', async () => {
    const path = await draft();
    expect((await client.call('GET', path)).body).toEqual({
      items: [],
      placeholders: ['{{nome}}', '{{credor}}', '{{link}}', '{{pagamentos}}'],
    });
    expect((await client.call('PUT', `${path}/1`, { text: TEXT })).status).toBe(204);
    expect((await client.call('PUT', `${path}/1`, { text: TEXT, short: SHORT })).status).toBe(204);
    expect((await client.call('GET', path)).body.items).toMatchObject([
      { step: 1, version: 2, text: TEXT, short: SHORT },
    ]);
    for (let time = 0; time < 2; time += 1) expect((await client.call('DELETE', `${path}/1`)).status).toBe(204);
    expect((await client.call('GET', path)).body.items).toEqual([]);
    await client.call('PUT', `${path}/1`, { text: TEXT });
    expect((await client.call('GET', path)).body.items).toMatchObject([{ version: 4 }]);
  });

  it.each<[object, string[]]>([
    [{ text: '' }, ['/text too_short']],
    [{ text: 'x'.repeat(1_001) }, ['/text too_long']],
    [{ text: 'Bom dia! {{link}}' }, ['/text placeholder_missing']],
    [{ text: 'Bom dia, {{nome}}!' }, ['/text placeholder_missing']],
    [{ text: '{{nome}} {{link}} {{cpf}}' }, ['/text placeholder_unknown']],
    [{ text: '{{nome}}, pague ou o seu nome vai para o SPC: {{link}}' }, ['/text text_threat']],
    [{ text: '{{nome}}, seu calote foi notado: {{link}}' }, ['/text text_shame']],
    [{ text: '{{nome}}, vamos falar com a sua família: {{link}}' }, ['/text text_third_party']],
    [{ text: '{{nome}}, pague com 50% de desconto: {{link}}' }, ['/text text_number', '/text text_marketing']],
    [{ text: '{{nome}}, pague com abatimento: {{link}}' }, ['/text text_marketing']],
    [{ text: '{{nome}}, agora é 30% OFF: {{link}}' }, ['/text text_number', '/text text_marketing']],
    [{ text: TEXT, short: '{{nome}}, no feirão sai mais barato: {{link}}' }, ['/short text_marketing']],
    [{ text: '{{nome}}, parcele ou aproveite: {{link}}' }, ['/text text_offer', '/text text_marketing']],
    [{ text: '{{nome}}, negocie o seu acordo: {{link}}' }, ['/text text_offer']],
    [{ text: '{{nome}}, pague em www.golpe.com ou {{link}}' }, ['/text text_link']],
    [{ text: TEXT, short: '{{nome}}, pague hoje: {{link}}' }, ['/short text_date']],
  ])('%j is refused', async (wording, expected) => {
    const path = await draft();
    const { status, body } = await client.call('PUT', `${path}/1`, wording);
    expect([status, codes(body)]).toEqual([400, expected]);
    expect((await client.call('GET', path)).body.items).toEqual([]);
  });

  it('is told in Portuguese which words make it advertising', async () => {
    const path = await draft();
    const wording = {
      text: '{{nome}}, no FEIRÃO há condição especial: {{link}}',
      short: '{{nome}}, Desenrola: {{link}}',
    };
    const { status, body } = await client.call('PUT', `${path}/1`, wording);
    expect([status, codes(body)]).toEqual([400, ['/text text_marketing', '/short text_marketing']]);
    expect(body.errors[0].message).toMatch(/^As palavras “FEIRÃO”, “condição especial” transformam/);
    expect(body.errors[1].message).toMatch(/^A palavra “Desenrola” transforma/);
    // The company may be called so, and its name is no offer.
    const named = { text: '{{nome}}, aqui é da {{credor}}. Você pode ver opções: {{link}}' };
    expect((await client.call('PUT', `${path}/1`, named)).status).toBe(204);
  });

  it('cannot deny what the terms of late payment charge', async () => {
    const late = await app.newClient();
    const path = `/api/campaigns/${await late.createCampaign()}/texts/1`;
    const wording = { text: `${TEXT} Tudo sem juros nem multa.` };
    expect((await late.call('PUT', path, wording)).status).toBe(204);
    await late.call('PUT', '/api/terms', TERMS);
    expect(codes((await late.call('PUT', path, wording)).body)).toEqual(['/text text_false_claim']);
    expect((await late.call('PUT', path, { text: TEXT })).status).toBe(204);
  });

  it('is previewed as a person, a person with several debts and a company read it, with what speaks against it', async () => {
    const path = await draft();
    const { status, body } = await client.call('POST', `${path}/preview`, { text: TEXT, short: SHORT });
    expect([status, body.problems]).toEqual([200, []]);
    expect(body.examples.map(({ text }: { text: string }) => text.split('\n')[0])).toEqual([
      expect.stringContaining('Bom dia, Maria! Aqui é da Escola Aurora: há um pagamento em aberto.'),
      expect.stringContaining('Bom dia, João! Aqui é da Escola Aurora: há 3 pagamentos em aberto.'),
      expect.stringContaining('Bom dia, Padaria Sol Nascente Ltda!'),
    ]);
    expect(body.examples[0].text).toContain('responda PARAR');
    expect(body.examples[0].short).toContain('Escola Aurora: Maria, veja um pagamento em aberto');
    const refused = await client.call('POST', `${path}/preview`, { text: '{{nome}}, a polícia vai: {{link}}' });
    expect(refused.body.problems).toMatchObject([{ pointer: '/text', code: 'text_threat' }]);
    expect((await client.call('GET', path)).body.items).toEqual([]);
  });

  it('of an archived campaign cannot change, and another client’s is not found', async () => {
    const path = await draft();
    const other = await app.newClient();
    for (const [method, to] of [
      ['GET', path],
      ['PUT', `${path}/1`],
      ['DELETE', `${path}/1`],
      ['POST', `${path}/preview`],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { text: TEXT };
      expect([method, (await other.call(method, to, body)).status]).toEqual([method, 404]);
    }
    await client.importJson(path.split('/').at(-2)!, [debtInput(7)]);
    await client.call('POST', `${path.replace(/\/texts$/, '')}/archive`);
    expect((await client.call('PUT', `${path}/1`, { text: TEXT })).body.code).toBe('campaign_state');
  });
});

describe('own rules of a client', () => {
  const NONE = { hours: null, weekdays: null, caps: [], daysAfterDue: null };

  it('replace each other in versions, and another client has none of them', async () => {
    const owner = await app.newClient();
    expect((await owner.call('GET', '/api/policy/own')).body).toEqual({ version: 0, since: null, ...NONE });
    const rules = {
      hours: { from: '10:00', to: '16:00' },
      weekdays: ['mon', 'wed'],
      caps: [{ count: 1, hours: 72 }],
      daysAfterDue: 5,
    };
    const { status, body } = await owner.call('PUT', '/api/policy/own', { ...rules, unknown: 1 });
    expect([status, body]).toEqual([200, expect.objectContaining({ version: 1, ...rules })]);
    expect((await owner.call('PUT', '/api/policy/own', {})).body).toMatchObject({ version: 2, ...NONE });
    expect((await client.call('GET', '/api/policy/own')).body.version).toBe(0);
  });

  it('take the hours with no member around them too', async () => {
    const owner = await app.newClient();
    const hours = { from: '10:00', to: '16:00' };
    const { status, body } = await owner.call('PUT', '/api/policy/own', { ...hours, daysAfterDue: 2 });
    expect([status, body]).toMatchObject([200, { ...NONE, hours, daysAfterDue: 2 }]);
    expect((await owner.call('GET', '/api/policy/own')).body.hours).toEqual(hours);
  });

  it.each<[object, string]>([
    [{ hours: { from: '18:00', to: '19:00' } }, '/hours'],
    [{ hours: {} }, '/hours/from'],
    [{ from: '20:00', to: '21:00' }, '/hours'],
    [{ from: '10:00', to: '10:30' }, '/to'],
    [{ from: '10:00', to: '25:00' }, '/to'],
    [{ from: '10h', to: 16 }, '/from'],
    [{ weekdays: ['sun'] }, '/weekdays'],
    [{ weekdays: ['segunda'] }, '/weekdays/0'],
    [{ caps: [{ count: 0, hours: 24 }] }, '/caps/0/count'],
    [{ caps: [{ count: 1, hours: 169 }] }, '/caps/0/hours'],
    [{ daysAfterDue: 366 }, '/daysAfterDue'],
  ])('%j are refused at %s', async (rules, pointer) => {
    const { status, body } = await client.call('PUT', '/api/policy/own', rules);
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });

  it('take the token of a person, and no API key', async () => {
    const { body } = await client.call('POST', '/api/onboarding/me/api-key');
    const answer = await app.call('PUT', '/api/policy/own', { body: {}, bearer: body.apiKey });
    expect(answer).toMatchObject({ status: 401, body: { code: 'access_token_required' } });
  });
});
