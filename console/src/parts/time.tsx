import type { JSX } from 'react';
import { useFormat } from '../texts/format.ts';

/** A time: relative within a week, with the exact one in its title. `exact` always shows the zone, for deadlines. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }): JSX.Element {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.exact(at)} className="numbers">
      {exact ? format.exact(at) : format.relative(at)}
    </time>
  );
}
