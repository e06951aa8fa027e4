import type { JSX } from 'react';

/** The shapes of the icons, on a grid of 24 units. */
const shapes = {
  inbox: 'M3 13h5l1.5 3h5L16 13h5M5.5 5h13L21 13v6H3v-6z',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  matter: 'M3 7h18v13H3zM9 7V4h6v3M3 12h18M12 11v2',
  template: 'M5 3h10l4 4v14H5zM8 11h8M8 15h3M13 15h3M8 7h3',
  workflow: 'M4 5h6v4H4zM14 15h6v4h-6zM7 9v8h7M10 7h7v8',
  signature: 'M3 17c3-8 6-12 8-11 3 2-5 10-3 11 2 0 3-4 5-4 1 0 0 3 2 3 1 0 2-1 3-1M3 21h18',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M10 15v4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.5.7 4 2.5 4 5.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  close: 'M6 6l12 12M18 6L6 18',
  dots: 'M5 11.2v1.6M12 11.2v1.6M19 11.2v1.6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  next: 'M9 6l6 6-6 6',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  key: 'M8 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM13 12h8v3M17 12v2',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  device: 'M4 5h16v11H4zM9 20h6M12 16v4',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  leave: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  upload: 'M12 16V5M7 10l5-5 5 5M4 19h16',
  download: 'M12 5v11M7 11l5 5 5-5M4 20h16',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  folder: 'M3 6h6l2 2h10v11H3z',
} as const;

export type IconName = keyof typeof shapes;

/** An icon without a name for screen readers, because a text is beside it or in its button. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
