import type { TObject } from 'typebox';
import type { Static } from 'typebox';

/** An act that only the audit journal keeps: `data` says what is worth knowing later, never a secret. */
export type Act = { readonly type: string; readonly target: string | undefined };

/**
 * An act that is also announced: to listeners in the same transaction, and to webhook endpoints after it. The envelope's
 * `data` is `{<thing>Id, teamId, data: {…}}`.
 */
export type EventType<Data extends TObject = TObject> = Act & {
  readonly target: string;
  readonly description: string;
  /**
   * A scope without which nobody sees what such an event carries: who subscribes needs it and must name the type or its
   * family, since `*` does not bring it.
   */
  readonly scope?: string;
  /** Shape of the inner `data`: thin, ids and titles only. */
  readonly data: Data;
  /** An example of the inner `data`, checked against the shape by the tests. */
  readonly example: Static<Data>;
};

const eventTypes = new Map<string, EventType>();

/** Every announced type defined so far: the catalogue of webhook events. */
export const eventCatalogue: ReadonlyMap<string, EventType> = eventTypes;

/** Defines an audit-only act. `target` names the kind of thing acted on. */
export function defineAct(type: string, target?: string): Act {
  return { type, target };
}

/** Defines an event type; a type is defined once. `target` is the thing in lower camel case: `task` makes `taskId`. */
export function defineEvent<const Data extends TObject>(event: {
  type: string;
  target: string;
  description: string;
  scope?: string;
  data: Data;
  example: Static<Data>;
}): EventType<Data> {
  if (eventTypes.has(event.type)) throw new Error(`the event type ${event.type} is defined twice`);
  eventTypes.set(event.type, event);
  return event;
}
