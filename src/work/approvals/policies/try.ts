import { readableDocument } from '#documents';
import { fieldsNamed } from '#fields';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { didYouMean } from '../../../platform/http/known-members.ts';
import { notFound } from '../../../platform/identifiers.ts';
import { type FieldError, fieldError } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { emptyPlaces, type Seats } from '../quorum.ts';
import { sourcesOf } from '../rounds/begin.ts';
import { roundProblems } from '../rounds/problems.ts';
import { eligibleCandidates } from '../rounds/queries.ts';
import { chooseRule, type Rule, ruleLimits, type Rules } from '../rules.ts';
import { excludedFromTrial } from './queries.ts';
import { neverApplied } from './reachable.ts';
import type { Trial, TryBody, Warning } from './schemas.ts';
import { checkedRules, findPolicy } from './service.ts';

type Team = Pick<ReadScope | Scope, 'db' | 'team'>;
type Candidates = { id: string; places: number[] }[];

/** The members who can fill the places of a rule, without exclusions. */
const candidatesOf = (
  { db, team }: Team,
  rule: Rule,
  people: Readonly<Record<string, string>> = {},
  about: string | null = null,
): Promise<Candidates> =>
  db.all(eligibleCandidates, {
    team,
    sources: JSON.stringify(sourcesOf(rule, people)),
    type: 'approval',
    about,
    exclude: [],
    requester: null,
    workflow: null,
    documents: [],
    versions: [],
    previous: null,
  });

/** Returns the number of places of each need that remain empty. */
function emptyOf({ need }: Rule, candidates: Candidates): number[] {
  const seats: Seats = { counts: need.map(({ count }) => count), candidates: new Map(candidates.map(({ id, places }) => [id, places])) };
  return emptyPlaces(
    seats,
    candidates.map(({ id }) => id),
  );
}

/** Returns the candidates of each rule, by its identifier. */
const candidatesByRule = (scope: Team, rules: readonly Rule[], about: string | null = null): Promise<Record<string, Candidates>> =>
  pipelined(Object.fromEntries(rules.map((rule) => [rule.id, () => candidatesOf(scope, rule, {}, about)])));

/** Returns an error for each rule that names more members than a round has candidates. `about`: the document whose barrier applies. */
export async function tooManyCandidates(scope: Team, { rules }: Pick<Rules, 'rules'>, about: string | null = null): Promise<FieldError[]> {
  const found = await candidatesByRule(scope, rules, about);
  return rules.flatMap(({ id }, index) =>
    (found[id]?.length ?? 0) > ruleLimits.candidates ? [fieldError(`/rules/${index}/need`, tooMany, 'maxItems')] : [],
  );
}
const tooMany = `names more than ${ruleLimits.candidates} members`;

/** Returns the rules that never apply, and the rules whose places cannot be filled today. A parameter can name any member. */
export async function warningsOf(scope: Team, { rules, onMissing }: Rules): Promise<Warning[]> {
  const never = neverApplied(rules, onMissing);
  const found = await candidatesByRule(scope, rules);
  return rules.flatMap((rule, index): Warning[] => {
    const pointer = `/rules/${index}`;
    const candidates = found[rule.id] ?? [];
    const isNever = never.has(rule.id)
      ? [{ pointer, reason: 'never applies: its condition cannot hold, or earlier rules apply first', rule: 'never' }]
      : [];
    if (candidates.length > ruleLimits.candidates) return [...isNever, { pointer: `${pointer}/need`, reason: tooMany, rule: 'many' }];
    const isOpen = rule.need.some(({ from }) => from.some((one) => one.startsWith('parameter:')));
    const missing = emptyOf(rule, candidates).flatMap((left, need) =>
      left === 0 || isOpen
        ? []
        : [{ pointer: `${pointer}/need/${need}`, reason: `has ${left} more places than eligible members today`, rule: 'unfilled' }],
    );
    return [...isNever, ...missing];
  });
}

/** Returns why answers of a trial have no effect: no condition names them, or none can compare them. */
function answerWarnings({ rules }: Rules, answers: Readonly<Record<string, unknown>>, missing: readonly string[]): Warning[] {
  const named = new Set(rules.flatMap(({ when }) => (when === undefined ? [] : [...fieldsNamed(when)])));
  return Object.keys(answers).flatMap((name): Warning[] => {
    const pointer = `/answers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!named.has(name)) return [unnamed(pointer, name, { where: 'condition', named })];
    const reason =
      'counts as missing: the condition compares another kind of value. An amount compares with `{"amount", "currency"}` in the same currency';
    return missing.includes(name) ? [{ pointer, reason, rule: 'comparison' }] : [];
  });
}

/** Returns a warning for each parameter of a trial that no rule names. */
function parameterWarnings({ rules }: Rules, parameters: object): Warning[] {
  const sources = rules.flatMap(({ need }) => need.flatMap(({ from }) => from));
  const named = new Set(sources.flatMap((one) => (one.startsWith('parameter:') ? [one.slice('parameter:'.length)] : [])));
  const unknown = Object.keys(parameters).filter((name) => !named.has(name));
  return unknown.map((name) => unnamed(`/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name, { where: 'rule', named }));
}

const unnamed = (pointer: string, name: string, { where, named }: { where: string; named: ReadonlySet<string> }): Warning => ({
  pointer,
  reason: `is not in any ${where} of the policy${didYouMean(name, named)}`,
  rule: 'reference',
});

/** Throws 422 `too_many_candidates` if there are errors. */
export function refuseTooMany(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first)
    throw roundProblems.too_many_candidates(`\`${first.pointer}\` ${first.reason}. Name smaller groups.`, { errors: errors.slice(0, 20) });
}

/** Returns the warnings of rules to store. Errors: 422 `too_many_candidates`. */
export async function warningsAtSave(scope: Scope, rules: Rules): Promise<Warning[]> {
  const warnings = await warningsOf(scope, rules);
  refuseTooMany(warnings.flatMap(({ pointer, reason, rule }) => (rule === 'many' ? [fieldError(pointer, reason, 'maxItems')] : [])));
  return warnings;
}

/**
 * Returns the rule of a policy that would apply, its candidates and its empty places. Stores nothing. Errors: 404, 422 `approval_policy_invalid`.
 */
export async function tryPolicy(scope: ReadScope, name: string, input: TryBody): Promise<Trial> {
  const { rules: stored } = await findPolicy(scope, name);
  const rules = input.rules === undefined ? stored : checkedRules(input.rules);
  const document = input.documentId === undefined ? undefined : await readableDocument(scope, input.documentId);
  if (input.documentId !== undefined && !document) throw notFound('document');
  const { answers = {} } = input;
  const { rule, missing = [] } = chooseRule(rules, (field) => (Object.hasOwn(answers, field) ? answers[field] : undefined));
  const warnings = [
    ...answerWarnings(rules, answers, missing),
    ...parameterWarnings(rules, input.parameters ?? {}),
    ...(await warningsOf(scope, rules)),
  ];
  if (!rule) return { missing, candidates: [], excluded: [], places: [], canBeFilled: false, warnings };
  const named = await candidatesOf(scope, rule, input.parameters, document?.id ?? null);
  const excluded = await scope.db.all(excludedFromTrial, {
    team: scope.team,
    exclude: rules.exclude,
    creator: input.creatorId ?? null,
    submitter: input.submitterId ?? null,
    requester: input.requesterId ?? null,
    document: document?.id ?? null,
    version: document?.version ?? null,
  });
  const candidates = named.filter(({ id }) => !excluded.some((one) => one.id === id));
  const empty = emptyOf(rule, candidates);
  return {
    rule: rule.id,
    missing,
    candidates: candidates.map(({ id, places }) => ({ userId: id, needs: places })),
    excluded: excluded.map(({ id, reason }) => ({ userId: id, reason })),
    places: rule.need.map(({ count, from }, need) => ({ count, from, empty: empty[need] ?? 0 })),
    canBeFilled: candidates.length <= ruleLimits.candidates && empty.every((left) => left === 0),
    warnings,
  };
}
