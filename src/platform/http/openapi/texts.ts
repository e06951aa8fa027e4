/**
 * What a domain says of its operations for whoever reads the description of the API: prose, problems and examples, beside the routes
 * and apart from them. It is loaded when the description is first asked for, and costs a start nothing.
 */

/** What is said of one operation. Who may call it, and what follows from its route, is added to that. */
export type OperationText = {
  /** What it does, what bounds it and what a repetition does, as Markdown. */
  text: string;
  /** Types of the entries it writes into the journal; which of them are announced as events is known. */
  records?: readonly string[];
  /** Codes of problems it answers with, beyond those that follow from its route. */
  problems?: readonly string[];
  /** Codes that would follow from its route, and that it never answers with. */
  never?: readonly string[];
  /** A body that it takes. */
  body?: unknown;
  /** What it answers then. */
  answer?: unknown;
  /** Other answers that look different, by what they are. */
  otherAnswers?: Record<string, unknown>;
};

/** What a domain says: of operations by their `operationId`, and of members by `Schema.member`, or `member` wherever it stands. */
export type DomainText = { operations: Record<string, OperationText>; members?: Record<string, string> };

/** What all domains say, as one. */
export type DescriptionTexts = { operations: ReadonlyMap<string, OperationText>; members: ReadonlyMap<string, string> };

/** Puts together what domains say. Throws when two speak of the same thing. */
export function gatherTexts(domains: readonly DomainText[]): DescriptionTexts {
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
