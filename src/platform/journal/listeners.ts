import type { Static, TObject } from 'typebox';
import type { EventListener, Scope } from '../scope.ts';
import type { AuditAction } from './audit-actions.ts';
import type { DomainEvent } from './domain-event.ts';

export type { EventListener, DomainEvent };

/**
 * Whether an event has a type. Each name is defined once (`defineEvent`), and `record` accepts only data of its schema, so the name determines the
 * type of the data.
 */
function isOf<Data extends TObject>(event: DomainEvent, { type }: AuditAction<Data>): event is DomainEvent<Static<Data>> {
  return event.type === type;
}

/** Creates a listener for events or audit actions of one type, with typed data. */
export function on<Data extends TObject>(
  type: AuditAction<Data>,
  hear: (scope: Scope, event: DomainEvent<Static<Data>>) => Promise<void>,
): EventListener {
  const listener = async (scope: Scope, event: DomainEvent): Promise<void> => {
    if (isOf(event, type)) await hear(scope, event);
  };
  return Object.assign(listener, { subscribes: type.type });
}

/** The listeners of each event type, by listener list. */
const known = new WeakMap<readonly EventListener[], Map<string, readonly EventListener[]>>();

/** Returns the listeners for an event type in order. Cached, because most listeners handle only one type. */
export function listenersOf(listeners: readonly EventListener[], type: string): readonly EventListener[] {
  const ofType = known.get(listeners) ?? new Map<string, readonly EventListener[]>();
  known.set(listeners, ofType);
  const hearing = ofType.get(type) ?? listeners.filter(({ subscribes }) => subscribes === undefined || subscribes === type);
  ofType.set(type, hearing);
  return hearing;
}
