import type { JSX } from 'react';
import type { FieldKind } from './draft.ts';

const shapes: Record<FieldKind, string> = {
  signature: 'M3 16c3-8 6-12 8-11 3 2-5 10-3 11 2 0 3-4 5-4 1 0 0 3 2 3 1 0 2-1 3-1M3 21h18',
  initials: 'M4 18l4-12 4 12M5.5 14h5M15 6v12M15 6h3a3 3 0 0 1 0 6h-3',
  name: 'M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c0-4 3-6 7-6s7 2 7 6',
  date: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  text: 'M5 6h14M12 6v13M9 19h6',
  checkbox: 'M4 4h16v16H4zM8 12l3 3 5-6',
};

/** The icon of a kind of field. */
export const FieldIcon = ({ kind }: { kind: FieldKind }): JSX.Element => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[kind]} />
  </svg>
);
