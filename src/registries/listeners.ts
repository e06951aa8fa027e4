import { transfersOwnership } from '#access';
import { registryHandedOver } from './events.ts';
import { handOverRegistries } from './queries.ts';

export const registryListener = transfersOwnership({
  type: 'registry',
  handOver: handOverRegistries,
  handedOver: registryHandedOver,
});
