import type { Static, TObject } from 'typebox';
import type { EventListener, Scope } from '../scope.ts';
import type { EventType } from './acts.ts';
import type { HeardEvent } from './heard-event.ts';

export type { EventListener, HeardEvent };

/** A name is defined once (`defineEvent`) and `record` takes what the type's shape says: so the name tells the shape. */
function isOf<Data extends TObject>(event: HeardEvent, { type }: EventType<Data>): event is HeardEvent<Static<Data>> {
  return event.type === type;
}

/** Hears events of one type, with the data that the type says. */
export function on<Data extends TObject>(
  type: EventType<Data>,
  hear: (scope: Scope, event: HeardEvent<Static<Data>>) => Promise<void>,
): EventListener {
  return async (scope, event) => {
    if (isOf(event, type)) await hear(scope, event);
  };
}
