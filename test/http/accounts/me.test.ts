import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { confirmAddress, logIn, me, newKey, refusal, signUp } from './accounts.ts';

const app = await opened(startApp());

const ADDRESS = {
  street: 'Rua das Laranjeiras',
  number: '12-A',
  district: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01310-100',
};
const patch = (bearer: string, body: unknown) => app.call('PATCH', '/api/onboarding/me', { body, bearer });

describe('200', () => {
  it('changes the given members and keeps the others', async () => {
    const { id, email, token, trialEndsAt } = await signUp(app, { cnpj: '11222333000181' });
    const whole = { name: 'Outra', cnpj: '12.ABC.345/01DE-35', segment: 'saas', address: ADDRESS, plan: 'FREE' };
    const changed = await patch(token, whole);
    const expected = {
      id,
      email,
      plan: 'GROWTH',
      status: 'ONBOARDING',
      trialEndsAt,
      name: 'Outra',
      cnpj: '12ABC34501DE35',
      segment: 'saas',
      address: ADDRESS,
      contactEmail: null,
      lawfulGround: null,
      collectsFor: 'itself',
      autoRefundExcess: false,
      requireSecondFactor: false,
      emailConfirmed: false,
      verified: false,
      missing: ['email_confirmation', 'verification', 'payment_provider', 'channel'],
      apiKey: null,
    };
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect((await me(app, token)).body).toEqual(expected);
    expect((await patch(token, {})).body).toEqual(expected);
    const taken = await patch(token, { cnpj: null, segment: null, address: null });
    const missing = ['email_confirmation', 'verification', 'cnpj', 'address', 'payment_provider', 'channel'];
    expect(taken.body).toEqual({ ...expected, cnpj: null, segment: null, address: null, missing });
  });

  it('ends the operator’s verification when name, CNPJ, address, a sender or whose debts it collects changes', async () => {
    const { id, token, name } = await signUp(app, { cnpj: '11222333000181' });
    const check = () =>
      app.query(
        `update clients set verified_at = now(), verified_name = name, verified_cnpj = cnpj, verified_senders = '{Escola Azul}'
         where id = $1 and cnpj is not null`,
        [id],
      );
    const verified = async (body: object) => (await patch(token, body)).body['verified'];
    await check();
    expect(await verified({ name, cnpj: '11.222.333/0001-81', segment: 'saas', address: ADDRESS })).toBe(true);
    expect(await verified({ name: 'Receita Federal do Brasil' })).toBe(false);
    expect(await verified({ name })).toBe(false);
    await check();
    const { body: campaign } = await app.call('POST', '/api/campaigns', { body: { name: 'Outubro' }, bearer: token });
    const named = async (sender: string | null) => {
      const path = `/api/campaigns/${String(campaign['id'])}`;
      expect(await app.call('PATCH', path, { body: { sender }, bearer: token })).toMatchObject({ status: 200 });
      return verified({});
    };
    // The operator has seen this sender, and the name of the company itself.
    for (const seen of ['Escola Azul', name, null]) expect(await named(seen)).toBe(true);
    expect(await named('Escola Verde')).toBe(false);
    await check();
    expect(await verified({ cnpj: '12ABC34501DE35' })).toBe(false);
    await check();
    expect(await verified({ address: { ...ADDRESS, number: '999' } })).toBe(false);
    await check();
    expect(await verified({ collectsFor: 'itself' })).toBe(true);
    expect(await verified({ collectsFor: 'others' })).toBe(false);
    expect(await verified({ collectsFor: 'itself' })).toBe(false);
    await check();
    expect(await verified({ cnpj: null })).toBe(false);
    const [row] = await app.query('select verified_name, verified_cnpj from clients where id = $1', [id]);
    // Debtors read what was verified until the next check.
    expect(row).toEqual({ verified_name: name, verified_cnpj: '12ABC34501DE35' });
  });

  it.each([
    [{ name: 'PAGUE HOJE ou seu nome vai ao SERASA' }, '/name:text_threat'],
    [{ name: 'Azul https://golpe.example/pix' }, '/name:text_link'],
    [{ address: { ...ADDRESS, street: 'ÚLTIMO AVISO, Rua A' } }, '/address/street:text_false_urgency'],
    [{ address: { ...ADDRESS, district: 'Falo com seu chefe e sua família' } }, '/address/district:text_third_party'],
    [{ address: { ...ADDRESS, city: 'Caloteiro' } }, '/address/city:text_shame'],
  ])('carries to debtors no such name or address: %j', async (body, problem) => {
    const { token } = await signUp(app);
    expect(refusal(await patch(token, body))).toContain(problem);
  });

  it('stores the e-mail for debtors normalised, with any provider, and deletes it', async () => {
    const { token } = await signUp(app);
    const contact = async (contactEmail: string | null) => (await patch(token, { contactEmail })).body['contactEmail'];
    expect(await contact(' Contato@Escola-Aurora.COM.br ')).toBe('contato@escola-aurora.com.br');
    expect(await contact('escola.aurora@gmail.com')).toBe('escola.aurora@gmail.com');
    expect(await contact(null)).toBeNull();
  });

  it('states the lawful ground, changes it, and leaves an audit entry for each statement', async () => {
    const { token } = await signUp(app);
    const ground = async (body: object) => (await patch(token, body)).body['lawfulGround'];
    expect(await ground({ lawfulGround: 'contract' })).toBe('contract');
    expect(await ground({ segment: 'saas' })).toBe('contract');
    expect(await ground({ lawfulGround: 'consent' })).toBe('consent');
    expect(refusal(await patch(token, { lawfulGround: null }))).toBe(
      '400 validation_failed /lawfulGround:invalid_value',
    );
    expect((await me(app, token)).body).toMatchObject({ lawfulGround: 'consent' });
    const { items } = (await app.get<{ items: { action: string; target: string }[] }>('/api/audit', token)).body;
    const targets = items.filter(({ action }) => action === 'account_changed').map(({ target }) => target);
    expect(targets).toEqual(['lawfulGround', 'segment', 'lawfulGround']);
  });

  it('says whose debts the company collects: its own, until it says otherwise, which no other company notices', async () => {
    const [{ token }, other] = [await signUp(app), await signUp(app)];
    expect((await me(app, token)).body).toMatchObject({ collectsFor: 'itself' });
    expect((await patch(token, { collectsFor: 'others' })).body).toMatchObject({ collectsFor: 'others' });
    expect((await patch(token, { segment: 'saas' })).body).toMatchObject({ collectsFor: 'others' });
    expect((await me(app, token)).body).toMatchObject({ collectsFor: 'others' });
    expect((await me(app, other.token)).body).toMatchObject({ collectsFor: 'itself' });
    const { items } = (await app.get<{ items: { action: string; target: string }[] }>('/api/audit', token)).body;
    expect(items.filter(({ action }) => action === 'account_changed').map(({ target }) => target)).toEqual([
      'segment',
      'collectsFor',
    ]);
  });

  it('shows what a launch still needs, until the address is confirmed and the company checked', async () => {
    const { id, token } = await signUp(app, { cnpj: '11222333000181' });
    await confirmAddress(app, id);
    expect((await me(app, token)).body).toMatchObject({
      emailConfirmed: true,
      verified: false,
      missing: ['verification', 'address', 'payment_provider', 'channel'],
    });
  });

  it('shows when the key was created and, to the hour, when it was last used', async () => {
    const { id, token } = await signUp(app);
    const keyOf = async (bearer: string) =>
      (await app.get<{ apiKey: { createdAt: string; lastUsedAt: string | null } | null }>('/api/onboarding/me', bearer))
        .body.apiKey;
    const key = await newKey(app, token);
    const unused = await keyOf(token);
    expect(Date.parse(unused!.createdAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(unused!.lastUsedAt).toBeNull();
    const used = async () => (await keyOf(key))?.lastUsedAt ?? null;
    const first = await until('the use is written', async () => await used());
    expect(Date.parse(first)).toBeGreaterThan(Date.now() - 60_000);
    const set = (ago: string) =>
      app.query(`update api_keys set last_used_at = now() - $2::interval where client_id = $1 and revoked_at is null`, [
        id,
        ago,
      ]);
    await set('59 minutes');
    const recent = await used();
    await set('61 minutes');
    const old = await used();
    await until('it is written again', async () => (await used()) !== old);
    expect(recent).not.toBeNull();
    await newKey(app, token);
    expect((await keyOf(token))?.lastUsedAt).toBeNull();
    await app.call('DELETE', '/api/onboarding/me/api-key', { bearer: token });
    expect(await keyOf(token)).toBeNull();
  });
});

describe('401', () => {
  it('for a change with an API key, which may only read', async () => {
    const { email, token, name } = await signUp(app);
    const key = await newKey(app, token);
    expect(refusal(await patch(key, { name: 'Outra' }))).toBe('401 access_token_required');
    expect((await me(app, key)).body.name).toBe(name);
    expect((await patch((await logIn(app, email)).token, { name: 'Outra' })).status).toBe(200);
  });
});

describe('400', () => {
  it.each([
    [{ name: '' }, '/name:too_short'],
    [{ name: null }, '/name:invalid_type'],
    [{ cnpj: '1' }, '/cnpj:cnpj_invalid'],
    [{ segment: 'x' }, '/segment:invalid_value'],
    [{ address: 'Rua' }, '/address:invalid_type'],
    [{ address: [] }, '/address:invalid_type'],
    [{ address: { ...ADDRESS, number: undefined } }, '/address/number:required'],
    [{ address: { ...ADDRESS, number: 12 } }, '/address/number:invalid_type'],
    [
      { address: { ...ADDRESS, state: 'XX', postalCode: '1' } },
      '/address/state:invalid_value /address/postalCode:invalid_format',
    ],
    [{ address: { ...ADDRESS, street: 'a\nb' } }, '/address/street:invalid_value'],
    [{ address: { ...ADDRESS, street: 'Rua \u202eA' } }, '/address/street:invalid_value'],
    [{ name: 'Bra\u200bdesco' }, '/name:invalid_value'],
    [{ name: 'Bra\u202edesco' }, '/name:invalid_value'],
    [{ name: 'Bra\u{e0041}desco' }, '/name:invalid_value'],
    [{ contactEmail: 'ana' }, '/contactEmail:email_invalid'],
    [{ contactEmail: 7 }, '/contactEmail:invalid_type'],
    [{ collectsFor: 'everybody' }, '/collectsFor:invalid_value'],
    [{ collectsFor: null }, '/collectsFor:invalid_value'],
    [{ lawfulGround: 'legitimate_interest' }, '/lawfulGround:invalid_value'],
  ])('%j: %s', async (body, places) => {
    const { token, name } = await signUp(app);
    expect(refusal(await patch(token, body))).toBe(`400 validation_failed ${places}`);
    expect((await me(app, token)).body).toMatchObject({ name, address: null, collectsFor: 'itself' });
  });

  it('for a lone surrogate, as in the name of a debtor', async () => {
    const { token } = await signUp(app);
    const answer = await patch(token, { address: { ...ADDRESS, street: 'Rua \ud800' }, name: 'Loja \udfff' });
    expect(refusal(answer)).toBe('400 validation_failed /name:invalid_value /address/street:invalid_value');
  });
});
