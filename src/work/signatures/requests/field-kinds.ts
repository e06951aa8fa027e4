import type { FieldKind } from '../sealing/index.ts';

/** What a field takes. */
export const fieldKinds = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const satisfies readonly FieldKind[];
