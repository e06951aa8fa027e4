import type { FieldKind } from '../sealing/index.ts';

/** The kinds of fields. */
export const fieldKinds = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const satisfies readonly FieldKind[];
