import { type Static, type TObject, type TProperties, Type } from 'typebox';

/**
 * An act that only the audit journal keeps. `data` is the shape of what its entry says: what is worth knowing later, never a
 * secret. `texts` names the members that people have written, such as titles and reasons: see `redaction.ts`.
 */
export type AuditAction<Data extends TObject = TObject, Texts extends string = string> = {
  readonly type: string;
  readonly target: string | undefined;
  readonly data: Data;
  readonly texts: readonly Texts[];
};

/**
 * An act that is also announced: to listeners in the same transaction, and to webhook endpoints after it. The envelope's
 * `data` is `{<thing>Id, teamId, data: {…}}`, whose inner `data` is thin: ids and titles only.
 */
export type EventType<Data extends TObject = TObject, Texts extends string = string> = AuditAction<Data, Texts> & {
  readonly target: string;
  readonly description: string;
  /**
   * The scope that opens what such events are about. An API client's endpoint gets them only while the client holds it.
   */
  readonly scope: string;
  /** True when who subscribes must name the type or its family, since `*` does not bring it. */
  readonly requiresExplicitSubscription: boolean;
  /** The member of the inner `data` that names the one endpoint that gets it, whatever that subscribes to; others never do. */
  readonly toEndpoint?: string;
  /** An example of the inner `data`, checked against the shape by the tests. */
  readonly example: Static<Data>;
};

/** Whoever records an act with texts says whether what it is about stands behind a barrier. */
export type Where<Texts extends string> = [Texts] extends [never] ? [] : [barred: boolean];

const acts = new Map<string, AuditAction>();
const eventTypes = new Map<string, EventType>();

/** Every act defined so far, announced or not: what entries of the journal may say. */
export const actCatalogue: ReadonlyMap<string, AuditAction> = acts;

/** Every announced type defined so far: the catalogue of webhook events. */
export const eventCatalogue: ReadonlyMap<string, EventType> = eventTypes;

function define<T extends AuditAction>(act: T): T {
  if (acts.has(act.type)) throw new Error(`the act ${act.type} is defined twice`);
  acts.set(act.type, act);
  return act;
}

const nothing = Type.Object({});

/** Defines an audit-only act. `target` names the kind of thing acted on, `members` what its entry says beyond that. */
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

/** Defines an event type; a type is defined once. `target` is the thing in lower camel case: `task` makes `taskId`. */
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
