import { handsOverShared } from '#folders';
import { templateHandedOver } from './events.ts';
import { handOverTemplates, templateGrants } from './queries.ts';

export const templateListener = handsOverShared({
  grants: templateGrants,
  handOver: handOverTemplates,
  handedOver: templateHandedOver,
});
