import type { Static, TObject } from 'typebox';
import type { EventListener, Scope } from '../scope.ts';
import type { Act } from './acts.ts';
import type { HeardEvent } from './heard-event.ts';

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

type Heard = { ofType: Map<string, readonly EventListener[]>; foreseeing: readonly EventListener[] };
const known = new WeakMap<readonly EventListener[], Heard>();

function heardBy(listeners: readonly EventListener[]): Heard {
  const before = known.get(listeners);
  if (before) return before;
  const heard = {
    ofType: new Map<string, readonly EventListener[]>(),
    foreseeing: listeners.filter(({ foresees }) => foresees !== undefined),
  };
  known.set(listeners, heard);
  return heard;
}

/** Those of the listeners that hear events of a type, in their order. Of many each hears one type: they are looked through once a type. */
export function listenersOf(listeners: readonly EventListener[], type: string): readonly EventListener[] {
  const { ofType } = heardBy(listeners);
  const hearing = ofType.get(type) ?? listeners.filter(({ hears }) => hears === undefined || hears === type);
  ofType.set(type, hearing);
  return hearing;
}

/**
 * Says that something will most likely be recorded in this transaction: what listeners ask of the database then leaves with what is sent
 * now, and nobody waits for it at the end. Called once the rows of the act are held.
 */
export function foresee(scope: Scope): void {
  for (const { foresees } of heardBy(scope.listeners).foreseeing) foresees?.(scope);
}
