import { defineAct } from '../platform/journal/acts.ts';

export const keyRotated = defineAct('key.rotated', 'key');
