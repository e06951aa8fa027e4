import type { Static, TObject } from 'typebox';
import type { EventListener, Scope } from '../scope.ts';
import type { Act } from './audit-actions.ts';
import type { HeardEvent } from './domain-event.ts';

export type { EventListener, HeardEvent };

/** A name is defined once (`defineEvent`) and `record` takes what the type's shape says: so the name tells the shape. */
function isOf<Data extends TObject>(event: HeardEvent, { type }: Act<Data>): event is HeardEvent<Static<Data>> {
  return event.type === type;
}

/** Hears events of one type, or acts of one type that are not announced, with the data that the type says. */
export function on<Data extends TObject>(
  type: Act<Data>,
  hear: (scope: Scope, event: HeardEvent<Static<Data>>) => Promise<void>,
): EventListener {
  const listener = async (scope: Scope, event: HeardEvent): Promise<void> => {
    if (isOf(event, type)) await hear(scope, event);
  };
  return Object.assign(listener, { hears: type.type });
}

/** The listeners of each type of event, by the list that they are from. */
const known = new WeakMap<readonly EventListener[], Map<string, readonly EventListener[]>>();

/** Those of the listeners that hear events of a type, in their order. Of many each hears one type: they are looked through once a type. */
export function listenersOf(listeners: readonly EventListener[], type: string): readonly EventListener[] {
  const ofType = known.get(listeners) ?? new Map<string, readonly EventListener[]>();
  known.set(listeners, ofType);
  const hearing = ofType.get(type) ?? listeners.filter(({ hears }) => hears === undefined || hears === type);
  ofType.set(type, hearing);
  return hearing;
}
