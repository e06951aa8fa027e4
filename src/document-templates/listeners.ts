import { transfersOwnership } from '#access';
import { templateHandedOver } from './events.ts';
import { handOverTemplates } from './queries.ts';

export const templateListener = transfersOwnership({
  type: 'template',
  handOver: handOverTemplates,
  handedOver: templateHandedOver,
});
