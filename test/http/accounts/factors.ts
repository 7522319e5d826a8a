import { Secret, TOTP } from 'otpauth';
import type { App } from '../../../testing/app.ts';
import type { LoggedIn } from './accounts.ts';

const PATH = '/api/onboarding/me/totp';

/** The code of the present step, or of one beside it. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A code that no step near has. */
export const wrongCodeOf = (secret: string): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
};

/** Time passes for the members: codes of the present step can be used again. */
export const nextCodes = (app: App) => app.query('update second_factors set last_step = 0');

/** The minutes until these moments of a table, each begun minute as a whole one, without those that are not set. */
export async function minutesUntil(
  app: App,
  moment: string,
  table: string,
  where: Readonly<Record<string, string>>,
): Promise<number[]> {
  const [[column, value]] = Object.entries(where) as [[string, string]];
  const found = await app.query<{ minutes: number }>(
    `select distinct ceil(extract(epoch from ${moment} - now()) / 60)::int as minutes from ${table}
     where ${column} = $1 and ${moment} is not null`,
    [value],
  );
  return found.map(({ minutes }) => minutes);
}

export interface Factor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets an app up for the member of a session. */
export async function setUpFactor(app: App, { token }: Pick<LoggedIn, 'token'>): Promise<Factor> {
  const { secret } = (await app.post<{ secret: string }>(PATH, undefined, token)).body;
  const confirmed = await app.post<Factor>(`${PATH}/confirm`, { code: codeOf(secret) }, token);
  if (confirmed.status !== 200) throw new Error(`POST ${PATH}/confirm: ${confirmed.status}`);
  await nextCodes(app);
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}
