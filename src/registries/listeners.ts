import { handsOverShared } from '#folders';
import { registryHandedOver } from './events.ts';
import { handOverRegistries, registryGrants } from './queries.ts';

export const registryListener = handsOverShared({
  grants: registryGrants,
  handOver: handOverRegistries,
  handedOver: registryHandedOver,
});
