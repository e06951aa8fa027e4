import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { createTasks, type NewTask, type TaskDocument } from '#tasks';
import { fieldsNamed } from '#fields';
import { canonicalJson, hashOfJson } from '../../../platform/canonical-json.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { canFill, emptyPlaces, type Seats } from '../quorum.ts';
import { type ApproverSource, chooseRule, type Rule, ruleLimits, type Rules, sourceOf } from '../rules.ts';
import { roundEventData } from './event-data.ts';
import { approvalRequested } from './events.ts';
import * as queries from './queries.ts';

/** The subject of a decision: a step of a workflow, or a tool call. */
export type RoundSubject = {
  type: 'step' | 'tool_call';
  /** Unique among the subjects of the type. A subject has one open round. */
  id: string;
  step?: { workflowId: string; stepId: string };
  /** The requester of a tool call: the person of the agent or app, or the API client. */
  requesterId?: string;
  argsSha256?: string;
  /** The type of the votes. */
  taskType: string;
  /** The documents that the decision is about. The votes are about the first. */
  documents: readonly TaskDocument[];
  /** The document whose barrier applies. */
  about: string | null;
  barred: boolean;
  /** The persons whom rules name as `parameter:<name>`. */
  people: Readonly<Record<string, string>>;
  /** Returns an answer that conditions of rules name; undefined if it is missing. */
  answerOf: (field: string) => unknown;
  /** Whether a person may decide on this subject, in addition to the rules. Delegates too. */
  admits?: (person: string) => Promise<boolean>;
  /** Returns the vote of a candidate. */
  taskFor: (person: string) => NewTask;
};

/** The rules of a round, and the policy that they come from. */
export type RoundRules = { rules: Rules; policy?: { name: string; version: number } };

/** Why a round cannot begin. */
export type RoundFailure = { code: 'policy_input_missing' | 'no_eligible_assignee' | 'too_many_candidates'; detail: string };

/**
 * Begins a round: chooses the rule, fixes the candidates and creates one task for each. Returns the identifier, or the
 * reason why the round cannot begin. In that case nothing changes. The caller has locked the subject, which has no open
 * round.
 */
export async function beginRound(scope: Scope, subject: RoundSubject, given: RoundRules): Promise<{ id: string } | RoundFailure> {
  const { db, team } = scope;
  const { rules } = given;
  const { rule, missing } = chooseRule(rules, subject.answerOf);
  if (!rule)
    return {
      code: 'policy_input_missing',
      detail: `Answers that decide which rule applies are missing: ${missing.slice(0, 20).join(', ')}.`,
    };
  const previous = (await db.first(queries.latestRound, { team, subjectType: subject.type, subjectId: subject.id }))?.id ?? null;
  const eligible = await db.all(queries.eligibleCandidates, {
    team,
    sources: JSON.stringify(sourcesOf(rule, subject.people)),
    type: subject.taskType,
    about: subject.about,
    exclude: rules.exclude,
    requester: subject.requesterId ?? null,
    workflow: subject.step?.workflowId ?? null,
    documents: subject.documents.map(({ referred }) => referred.id),
    versions: subject.documents.map(({ referred }) => referred.version ?? null),
    previous,
  });
  const candidates = eligible.length > ruleLimits.candidates ? eligible : await admitted(subject, eligible);
  const failure = failureOf(rule, candidates);
  if (failure) return failure;
  const id = await insert(scope, subject, { ...given, rule, candidates, previous });
  return { id };
}

/** Returns the people who can fill the places of each need. A parameter without a value does not name a user. */
export function sourcesOf({ need }: Rule, people: Readonly<Record<string, string>>): (ApproverSource & { place: number })[] {
  return need.flatMap(({ from }, place) =>
    from.flatMap((one) => {
      const source = sourceOf(one);
      if (source?.kind !== 'parameter') return source ? [{ ...source, place }] : [];
      const value = Object.hasOwn(people, source.value) ? people[source.value] : undefined;
      return value === undefined ? [] : [{ kind: 'user' as const, value, place }];
    }),
  );
}

type Candidates = readonly { id: string; places: readonly number[] }[];

async function admitted({ admits }: RoundSubject, candidates: Candidates): Promise<Candidates> {
  if (!admits) return candidates;
  const found: Candidates[number][] = [];
  for (const one of candidates) if (await admits(one.id)) found.push(one);
  return found;
}

function failureOf({ id, need }: Rule, candidates: Candidates): RoundFailure | undefined {
  if (candidates.length > ruleLimits.candidates)
    return {
      code: 'too_many_candidates',
      detail: `The rule “${id}” names more than ${ruleLimits.candidates} members. Name smaller groups.`,
    };
  const seats: Seats = { counts: need.map(({ count }) => count), candidates: new Map(candidates.map((one) => [one.id, one.places])) };
  const people = candidates.map((one) => one.id);
  if (canFill(seats, people)) return undefined;
  const empty = emptyPlaces(seats, people).flatMap((left, place) =>
    left > 0 ? [`${left} of ${need[place]?.from.slice(0, 5).join(', ')}`] : [],
  );
  return {
    code: 'no_eligible_assignee',
    detail: `The rule “${id}” has more places than eligible members. Missing: ${empty.join('; ')}. Each member fills one place.`,
  };
}

/** Returns the versions of the documents of a subject. */
const versionsOf = ({ documents }: RoundSubject) =>
  documents.map(({ referred: { id, version, sha256 } }) => ({
    id,
    ...(version === undefined ? {} : { version }),
    ...(sha256 === undefined ? {} : { sha256 }),
  }));

type Chosen = RoundRules & { rule: Rule; candidates: Candidates; previous: string | null };

async function insert(scope: Scope, subject: RoundSubject, { rules, policy, rule, candidates, previous }: Chosen): Promise<string> {
  const { db, team, now: at } = scope;
  const id = randomUUIDv7();
  const tasks = candidates.map((one) => ({ ...subject.taskFor(one.id), approval_round_id: id }));
  const [first, ...further] = subject.documents;
  const documents = versionsOf(subject);
  const about = {
    id,
    subject_type: subject.type,
    subject_id: subject.id,
    workflow_id: subject.step?.workflowId ?? null,
    step_id: subject.step?.stepId ?? null,
    policy_name: policy?.name ?? null,
    policy_version: policy?.version ?? null,
    rule: rule.id,
    document_id: documents[0]?.id ?? null,
    document_version: documents[0]?.version ?? null,
    document_sha256: documents[0]?.sha256 ?? null,
    args_sha256: subject.argsSha256 ?? null,
    supersedes: previous,
  };
  const digest = digestOf(rules, subject.answerOf);
  db.send(queries.insertRound, {
    team,
    id,
    subjectType: subject.type,
    subjectId: subject.id,
    workflow: about.workflow_id,
    step: about.step_id,
    policy: about.policy_name,
    policyVersion: about.policy_version,
    policySha256: hashOfJson(rules),
    rule: rule.id,
    inputDigest: digest?.digest ?? null,
    inputSalt: digest?.salt ?? null,
    need: JSON.stringify(rule.need),
    exclude: rules.exclude,
    onRejection: rules.onRejection,
    requester: subject.requesterId ?? null,
    document: about.document_id,
    about: subject.about,
    version: about.document_version,
    sha256: about.document_sha256,
    documents: JSON.stringify(documents),
    argsSha256: about.args_sha256,
    supersedes: previous,
    hours: rules.expiresInHours ?? null,
    at,
    candidates: JSON.stringify(candidates.map((one, index) => ({ account: one.id, places: one.places, task: tasks[index]?.id }))),
  });
  await record(scope, approvalRequested, id, {
    ...roundEventData(about),
    candidates: candidates.map((one) => one.id),
    exclude: [...rules.exclude],
    ...(previous === null ? {} : { supersedes: previous }),
    ...(documents.length > 1 ? { documents } : {}),
  });
  await createTasks(scope, tasks, first, { barred: subject.barred, about: subject.about, further, admits: subject.admits });
  return id;
}

/** Returns a salted hash of the answers that the conditions of rules name. The answers prove it; it does not disclose them. */
function digestOf({ rules }: Rules, answerOf: (field: string) => unknown): { digest: Buffer; salt: Buffer } | undefined {
  const fields = [...new Set(rules.flatMap(({ when }) => (when === undefined ? [] : [...fieldsNamed(when)])))];
  if (fields.length === 0) return undefined;
  const answers = Object.fromEntries(fields.map((field) => [field, answerOf(field) ?? null]));
  const salt = randomBytes(32);
  return { salt, digest: createHash('sha256').update(salt).update(canonicalJson(answers)).digest() };
}
