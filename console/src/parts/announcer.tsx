import type { JSX } from 'react';
import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Lets screen readers say a result, such as `Completed. 6 left.` */
export function announce(message: string): void {
  // A text that is equal to the last one is announced again only if it differs.
  text = text === message ? `${message}\u00A0` : message;
  for (const listener of listeners) listener();
}

/** The live region of the page. */
export function Announcer(): JSX.Element {
  const said = useSyncExternalStore(subscribe, () => text);
  return (
    <div className="apart" role="status" aria-live="polite">
      {said}
    </div>
  );
}
