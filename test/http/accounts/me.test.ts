import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type App, startApp } from '../../support/app.ts';
import { me, refusal, signUp } from './accounts.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

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
  it('changes what is named and keeps the rest', async () => {
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
    };
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect((await me(app, token)).body).toEqual(expected);
    expect((await patch(token, {})).body).toEqual(expected);
    const taken = await patch(token, { cnpj: null, segment: null, address: null });
    expect(taken.body).toEqual({ ...expected, cnpj: null, segment: null, address: null });
  });

  it('takes the operator’s check away with the CNPJ that was checked', async () => {
    const { id, token } = await signUp(app);
    const verified = async () =>
      (await app.query<{ is: boolean }>('select verified_at is not null as is from clients where id = $1', [id]))[0]
        ?.is;
    await app.query('update clients set verified_at = now() where id = $1', [id]);
    await patch(token, { cnpj: '11222333000181', name: 'Outra' });
    expect(await verified()).toBe(true);
    await patch(token, { cnpj: '11.222.333/0001-81' });
    expect(await verified()).toBe(true);
    await patch(token, { cnpj: '12ABC34501DE35' });
    expect(await verified()).toBe(false);
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
  ])('%j: %s', async (body, places) => {
    const { token, name } = await signUp(app);
    expect(refusal(await patch(token, body))).toBe(`400 validation_failed ${places}`);
    expect((await me(app, token)).body).toMatchObject({ name, address: null });
  });

  it('keeps half of a character out of the database, and answers', async () => {
    const { token } = await signUp(app);
    const answer = await patch(token, { address: { ...ADDRESS, street: 'Rua \ud800' }, name: 'Loja \udfff' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ name: 'Loja \ufffd', address: { street: 'Rua \ufffd' } });
  });
});
