import type { Database } from '../db/database.ts';
import { startOutboxListener } from '../db/outbox-listener.ts';
import { serviceClock } from '../runtime/service-clock.ts';
import { createOutboxStore } from '../temporal/outbox-store.ts';
import { prepareEngine } from '../temporal/prepare-engine.ts';
import { startRelay } from '../temporal/relay.ts';
import { createRelayMetrics } from './counters.ts';
import type { ServiceParts } from './service-parts.ts';

export async function openRelay(
  { config, logger, gateway, metrics, closing }: ServiceParts,
  db: Database,
): Promise<void> {
  const engine = prepareEngine({ gateway, logger });
  closing(engine.stop);
  const relay = startRelay({
    store: createOutboxStore(db.pool),
    gateway,
    logger,
    metrics: createRelayMetrics(metrics.registry),
    now: serviceClock(config.clockOffset),
  });
  closing(relay.stop);
  const listener = startOutboxListener({ url: db.url, onWork: relay.wake });
  closing(listener.stop);
}
