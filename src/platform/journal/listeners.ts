import type { Static, TObject } from 'typebox';
import type { EventListener, Scope } from '../scope.ts';
import type { AuditAction } from './audit-actions.ts';
import type { DomainEvent } from './domain-event.ts';

export type { EventListener, DomainEvent };

/** A name is defined once (`defineEvent`) and `record` takes what the type's shape says: so the name tells the shape. */
function isOf<Data extends TObject>(event: DomainEvent, { type }: AuditAction<Data>): event is DomainEvent<Static<Data>> {
  return event.type === type;
}

/** Hears events of one type, or acts of one type that are not announced, with the data that the type says. */
export function on<Data extends TObject>(
  type: AuditAction<Data>,
  hear: (scope: Scope, event: DomainEvent<Static<Data>>) => Promise<void>,
): EventListener {
  const listener = async (scope: Scope, event: DomainEvent): Promise<void> => {
    if (isOf(event, type)) await hear(scope, event);
  };
  return Object.assign(listener, { subscribes: type.type });
}

/** The listeners of each type of event, by the list that they are from. */
const known = new WeakMap<readonly EventListener[], Map<string, readonly EventListener[]>>();

/** Those of the listeners that hear events of a type, in their order. Of many each hears one type: they are looked through once a type. */
export function listenersOf(listeners: readonly EventListener[], type: string): readonly EventListener[] {
  const ofType = known.get(listeners) ?? new Map<string, readonly EventListener[]>();
  known.set(listeners, ofType);
  const hearing = ofType.get(type) ?? listeners.filter(({ subscribes }) => subscribes === undefined || subscribes === type);
  ofType.set(type, hearing);
  return hearing;
}
