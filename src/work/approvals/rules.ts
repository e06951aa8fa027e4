import { type Static, Type } from 'typebox';
import { checkCondition, condition, evaluateCondition, type Field, fieldsMissing } from '#fields';
import { nearestName } from '../../platform/http/known-members.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { type FieldError, fieldError } from '../../platform/problems.ts';

/** Limits of a policy. A round has at most {@link ruleLimits.candidates} candidates, so a rule has at most as many places. */
export const ruleLimits = { rules: 20, needs: 10, sources: 20, candidates: 50, expiresInHours: 8_760, bytes: 16 * 1024 };

/** The participants that a policy can exclude from the decision. */
export const exclusions = ['creator', 'uploader', 'submitter', 'requester'] as const;
export type Exclusion = (typeof exclusions)[number];
/** The exclusions of a policy that has no `exclude`. */
export const defaultExclusions: readonly Exclusion[] = ['creator', 'uploader', 'submitter'];
/** The value of `onMissing` that makes a decision fail if an answer is missing. */
export const refuse = 'refuse';

const need = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: ruleLimits.candidates, description: 'The number of people who must approve' }),
    from: Type.Array(
      Type.String({
        maxLength: 100,
        description:
          '`user:<id>`, `group:<id>`, `role:owner`, `role:admin`, `role:member`, or `parameter:<name>` for a person that the workflow or tool call names',
      }),
      { minItems: 1, maxItems: ruleLimits.sources, uniqueItems: true, description: 'The people who can fill these places' },
    ),
  },
  { additionalProperties: false, title: 'ApprovalNeed' },
);

const rule = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$', description: 'Unique in the policy' }),
    when: Type.Optional(condition),
    need: Type.Array(need, { minItems: 1, maxItems: ruleLimits.needs, description: 'Each person fills one place of one of these needs' }),
  },
  { additionalProperties: false, title: 'ApprovalRule' },
);

/** The members of a policy that say who decides. A step can have them in its `config.approval`. */
export const ruleMembers = {
  rules: Type.Array(rule, {
    minItems: 1,
    maxItems: ruleLimits.rules,
    description: 'The first rule whose condition holds applies. The last rule has no condition',
  }),
  exclude: Type.Optional(
    Type.Array(Type.Enum([...exclusions]), {
      maxItems: exclusions.length,
      uniqueItems: true,
      description: `The people who do not decide. The default is ${defaultExclusions.map((one) => `\`${one}\``).join(', ')}`,
    }),
  ),
  onMissing: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The effect of a missing answer that decides a condition: `refuse` (default), or the id of the rule that applies',
    }),
  ),
  onRejection: Type.Optional(
    Type.Enum(['first', 'quorum'], {
      description: '`first` (default): a rejection ends the round. `quorum`: the round ends when it cannot be approved any more',
    }),
  ),
  expiresInHours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: ruleLimits.expiresInHours, description: 'Hours until an open round expires' }),
  ),
};

const rulesInput = Type.Object(ruleMembers, { additionalProperties: false });
/** The rules of a policy as a client sends them. */
export type RulesInput = Static<typeof rulesInput>;
export type Rule = RulesInput['rules'][number];
/** The rules of a policy with its defaults. Rounds copy them. */
export type Rules = Required<Omit<RulesInput, 'expiresInHours'>> & Pick<RulesInput, 'expiresInHours'>;

/** The roles whose members can decide. Viewers, guests and auditors decide only if they are named in person. */
export const decidingRoles = ['owner', 'admin', 'member'] as const;
const kinds = ['user', 'role', 'group', 'parameter'] as const;
/** People who can fill a place. `value` is an identifier, a role or the name of a parameter. */
export type ApproverSource = { kind: (typeof kinds)[number]; value: string };

/** Parses a member of `from`, such as `role:admin`; undefined if it does not name a source. */
export function sourceOf(from: string): ApproverSource | undefined {
  const cut = from.indexOf(':');
  const kind = kinds.find((one) => one === from.slice(0, cut));
  const value = from.slice(cut + 1);
  if (kind === 'parameter') return /^\S(?:.{0,48}\S)?$/u.test(value) ? { kind, value } : undefined;
  if (kind === 'role') return decidingRoles.some((role) => role === value) ? { kind, value } : undefined;
  return kind !== undefined && isUuid(value) ? { kind, value: value.toLowerCase() } : undefined;
}

/** Returns the rules with defaults, and with identifiers in lower case. */
export function withDefaults(input: RulesInput): Rules {
  const { rules, exclude = [...defaultExclusions], onMissing = refuse, onRejection = 'first', expiresInHours } = input;
  const sources = (from: readonly string[]) => [...new Set(from.map((one) => (/^(?:user|group):/.test(one) ? one.toLowerCase() : one)))];
  return {
    rules: rules.map((one) => ({ ...one, need: one.need.map(({ count, from }) => ({ count, from: sources(from) })) })),
    exclude: exclusions.filter((one) => exclude.includes(one)),
    onMissing,
    onRejection,
    ...(expiresInHours === undefined ? {} : { expiresInHours }),
  };
}

/** Returns rules that exclude the requester too. */
export const withoutRequester = (rules: Rules): Rules => ({ ...rules, exclude: [...new Set([...rules.exclude, 'requester' as const])] });

/** The place of rules in a request, and the fields that their conditions may name. By default these are any fields, of unknown types. */
type RulesPlace = { at?: string; fieldOf?: (name: string) => Field | undefined; unknown?: (name: string) => string };

/**
 * Returns the errors of rules that fit the schema: sources, conditions, unique identifiers, and a last rule without condition. `at` is the pointer of
 * the object with the rules.
 */
export function ruleErrors(input: RulesInput, { at = '', fieldOf, unknown }: RulesPlace = {}): FieldError[] {
  const get = fieldOf ?? ((id: string): Field => ({ id, type: 'hidden' }));
  const ids = input.rules.map(({ id }) => id);
  const errors = input.rules.flatMap((one, index) => {
    const here = `${at}/rules/${index}`;
    const place = {
      get,
      at: `${here}/when`,
      name: 'when',
      unknown: unknown ?? ((name: string) => `names an unknown field: ${name.slice(0, 100)}`),
    };
    return [
      ...(one.id === refuse ? [fieldError(`${here}/id`, 'is reserved: it is a value of `onMissing`', 'id')] : []),
      ...(ids.indexOf(one.id) === index ? [] : [fieldError(`${here}/id`, 'must be unique', 'unique')]),
      ...orderErrors(one, `${here}/when`, index === input.rules.length - 1),
      ...(one.when === undefined ? [] : checkCondition(one.when, place)),
      ...needErrors(one, here),
    ];
  });
  const { onMissing = refuse } = input;
  const known = [refuse, ...ids];
  if (!known.includes(onMissing))
    errors.push(fieldError(`${at}/onMissing`, withNearest('must be `refuse` or the id of a rule', onMissing, known), 'rule'));
  if (Buffer.byteLength(JSON.stringify(input)) > ruleLimits.bytes)
    errors.push(fieldError(`${at}/rules`, `have more than ${ruleLimits.bytes / 1024} KiB of JSON`, 'maxBytes'));
  return errors;
}

const withNearest = (reason: string, name: string, known: Iterable<string>): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? reason : `${reason}: did you mean \`${nearest}\`?`;
};

function orderErrors({ when }: Rule, at: string, isLast: boolean): FieldError[] {
  if (isLast && when !== undefined) return [fieldError(at, 'must be absent: the last rule applies if no other does', 'last')];
  return isLast || when !== undefined ? [] : [fieldError(at, 'is required: only the last rule has no condition', 'required')];
}

function needErrors({ need: needs }: Rule, at: string): FieldError[] {
  const places = needs.reduce((sum, { count }) => sum + count, 0);
  return [
    ...(places > ruleLimits.candidates
      ? [fieldError(`${at}/need`, `has ${places} places: the maximum is ${ruleLimits.candidates}`, 'maxItems')]
      : []),
    ...needs.flatMap(({ from }, index) =>
      from.flatMap((one, place) => {
        const reason = sourceError(one);
        return reason === undefined ? [] : [fieldError(`${at}/need/${index}/from/${place}`, reason, 'from')];
      }),
    ),
  ];
}

/** Returns the error of a member of `from`. */
function sourceError(from: string): string | undefined {
  if (sourceOf(from)) return undefined;
  const [kind = '', ...rest] = from.split(':');
  if (rest.length === 0 || !kinds.some((one) => one === kind))
    return withNearest(
      `must begin with one of ${kinds.map((one) => `\`${one}:\``).join(', ')}`,
      `${kind}:`,
      kinds.map((one) => `${one}:`),
    );
  if (kind === 'role') return withNearest(`must name one of the roles ${decidingRoles.join(', ')}`, rest.join(':'), decidingRoles);
  return kind === 'parameter'
    ? 'must name a parameter in at most 50 characters'
    : `must have the identifier of a ${kind} after \`${kind}:\``;
}

/** The rule that applies, or the fields without the answer that decides. `missing` without a rule: the decision must fail. */
export type ChosenRule = { rule: Rule; missing?: string[] } | { rule?: undefined; missing: string[] };

/**
 * Chooses the first rule whose condition holds. If a missing answer decides a condition, `onMissing` names the rule that applies; without it, no rule applies. Never
 * skips a rule because an answer is missing.
 */
export function chooseRule({ rules, onMissing }: Rules, answerOf: (field: string) => unknown): ChosenRule {
  for (const one of rules) {
    const result = one.when === undefined || evaluateCondition(one.when, answerOf);
    if (result === false) continue;
    if (result === true) return { rule: one };
    const missing = one.when === undefined ? [] : fieldsMissing(one.when, answerOf);
    const instead = rules.find(({ id }) => id === onMissing);
    return instead ? { rule: instead, missing } : { missing };
  }
  throw new Error('no rule applies, but the last rule must have no condition');
}
