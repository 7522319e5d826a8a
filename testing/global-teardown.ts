import { testServers } from './test-servers.ts';

export default async function globalTeardown(): Promise<void> {
  await testServers().close();
}
