import { type Static, type TObject, type TProperties, Type } from 'typebox';

/**
 * An audit action that is recorded only in the audit journal. `data` is the schema of the entry: useful details, never a
 * secret. `texts` lists members with text that users wrote, such as titles and reasons: see `redaction.ts`.
 */
export type AuditAction<Data extends TObject = TObject, Texts extends string = string> = {
  readonly type: string;
  readonly target: string | undefined;
  readonly data: Data;
  readonly texts: readonly Texts[];
};

/**
 * An audit action that is also sent as an event: to listeners in the same transaction, and to webhook endpoints after it. The `data` of the envelope
 * is `{<resource>Id, teamId, data: {…}}`; the inner `data` contains only ids and titles.
 */
export type EventType<Data extends TObject = TObject, Texts extends string = string> = AuditAction<Data, Texts> & {
  readonly target: string;
  readonly description: string;
  /** The scope to read the resource of the event. An endpoint of an API client gets the event only while the client has it. */
  readonly scope: string;
  /** Whether an endpoint must subscribe to the type or its family explicitly, because `*` does not include it. */
  readonly requiresExplicitSubscription: boolean;
  /** The member of the inner `data` with the only endpoint that gets the event, regardless of its subscriptions. */
  readonly toEndpoint?: string;
  /** An example of the inner `data`. Tests check it against the schema. */
  readonly example: Static<Data>;
};

/** Whether a barrier applies to the resource of an action. Callers must pass it for actions with texts. */
export type Where<Texts extends string> = [Texts] extends [never] ? [] : [barred: boolean];

const acts = new Map<string, AuditAction>();
const eventTypes = new Map<string, EventType>();

/** All audit actions, announced or not. */
export const actCatalogue: ReadonlyMap<string, AuditAction> = acts;

/** All event types: the catalogue of webhook events. */
export const eventCatalogue: ReadonlyMap<string, EventType> = eventTypes;

function define<T extends AuditAction>(act: T): T {
  if (acts.has(act.type)) throw new Error(`the audit action ${act.type} is defined twice`);
  acts.set(act.type, act);
  return act;
}

const nothing = Type.Object({});

/** Defines an audit action without an event. `target` is the kind of its resource, `members` are the details of its entry. */
export function defineAuditAction(type: string, target?: string): AuditAction<typeof nothing, never>;
export function defineAuditAction<const Members extends TProperties, const Texts extends string = never>(
  type: string,
  target: string | undefined,
  members: Members,
  texts?: readonly Texts[],
): AuditAction<TObject<Members>, Texts>;
export function defineAuditAction(type: string, target?: string, members?: TProperties, texts: readonly string[] = []): AuditAction {
  return define({ type, target, data: members === undefined ? nothing : Type.Object(members), texts });
}

/** Defines an event type. Each type is defined once. `target` is the kind of resource in lower camel case: `task` gives `taskId`. */
export function defineEvent<const Data extends TObject, const Texts extends string = never>(event: {
  type: string;
  target: string;
  description: string;
  scope: string;
  requiresExplicitSubscription?: true;
  toEndpoint?: keyof Static<Data> & string;
  data: Data;
  texts?: readonly Texts[];
  example: Static<Data>;
}): EventType<Data, Texts> {
  const defined = define({ requiresExplicitSubscription: false, texts: [], ...event });
  eventTypes.set(event.type, defined);
  return defined;
}
