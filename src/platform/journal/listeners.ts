import type { Static, TObject } from 'typebox';
import type { Scope } from '../scope.ts';
import type { EventType } from './acts.ts';

/** An event as it is kept: `body` is the serialised envelope, the exact bytes that deliveries send and sign. */
export type RecordedEvent = { id: string; type: string; teamId: string; timestamp: string; body: Buffer };

/**
 * An event as listeners hear it. `targetId` is the thing acted on, and `data` what the type says of it: never cut, and with the
 * texts of what stands behind a wall, which listeners write nowhere that others read.
 */
export type HeardEvent<Data = unknown> = RecordedEvent & { targetId: string; data: Data };

/** Hears an event in the transaction of its act: writes rows, does no I/O elsewhere. A rejection undoes the act. */
export type EventListener = (scope: Scope, event: HeardEvent) => Promise<void>;

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
