/**
 * The texts of a domain for the API description: prose, errors and examples, separate from the routes.
 * They are loaded when the description is first requested, so they do not slow down the start.
 */

/** The text of one operation. The callers, and what follows from its route, are added automatically. */
export type OperationText = {
  /** The effect, the limits, and the effect of a repeated request, in Markdown. */
  text: string;
  /** Types of the journal entries that the operation writes. The event catalogue defines the types that are also events. */
  records?: readonly string[];
  /** Error codes in addition to those that follow from the declaration of the route. */
  problems?: readonly string[];
  /** Error codes that follow from the declaration of the route but never occur. */
  never?: readonly string[];
  /** An example of a request body. */
  body?: unknown;
  /** The response to that body. */
  answer?: unknown;
  /** Examples of different responses, by name. */
  otherAnswers?: Record<string, unknown>;
};

/** The texts of a domain: operations by `operationId`, and members by `Schema.member` or by `member` for all schemas. */
export type DomainText = { operations: Record<string, OperationText>; members?: Record<string, string> };

/** The texts of all domains. */
export type DescriptionTexts = { operations: ReadonlyMap<string, OperationText>; members: ReadonlyMap<string, string> };

/** Combines the texts of the domains. Throws if two domains describe the same operation or member. */
export function collectDescriptionTexts(domains: readonly DomainText[]): DescriptionTexts {
  const operations = new Map<string, OperationText>();
  const members = new Map<string, string>();
  const add = <T>(into: Map<string, T>, name: string, value: T) => {
    if (into.has(name)) throw new Error(`two domains describe ${name}`);
    into.set(name, value);
  };
  for (const domain of domains) {
    for (const [name, text] of Object.entries(domain.operations)) add(operations, name, text);
    for (const [name, text] of Object.entries(domain.members ?? {})) add(members, name, text);
  }
  return { operations, members };
}
