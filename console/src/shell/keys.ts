import { useEffect, useRef } from 'react';

const storageKey = 'singleKeys';

/** Returns whether the person types a text, so that letters are no shortcuts. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
const dialogIsOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** Shortcuts of one letter. A person can switch them off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: (): boolean => localStorage.getItem(storageKey) !== 'off',
  switch(on: boolean): void {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  },
  /**
   * Runs an action for a letter, anywhere on the page except in fields and dialogs. An action that returns `false` leaves the letter to others. With
   * `isFirst`, the action comes before those of rows and screens, and they do not get its letter.
   */
  useKeys(actions: Readonly<Record<string, () => unknown>>, isFirst = false): void {
    const latest = useRef(actions);
    latest.current = actions;
    useEffect(() => {
      const onKeyDown = (event: KeyboardEvent) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
        const action = latest.current[event.key];
        if (action === undefined || !singleKeys.areOn() || dialogIsOpen()) return;
        if (action() === false) return;
        event.preventDefault();
        if (isFirst) event.stopImmediatePropagation();
      };
      document.addEventListener('keydown', onKeyDown, isFirst);
      return () => document.removeEventListener('keydown', onKeyDown, isFirst);
    }, [isFirst]);
  },
};
