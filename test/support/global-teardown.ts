import { house } from './house.ts';

export default async function globalTeardown(): Promise<void> {
  await house().close();
}
