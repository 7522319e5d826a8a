import type { Database } from '../../platform/database/database.ts';
import { startOutboxListener } from '../../platform/database/outbox-listener.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createOutboxStore } from '../../platform/temporal/outbox-store.ts';
import { prepareEngine } from '../../platform/temporal/prepare-engine.ts';
import { startRelay } from '../../platform/temporal/relay.ts';
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
