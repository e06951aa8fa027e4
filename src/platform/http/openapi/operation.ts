import type { FastifySchema, RouteOptions } from 'fastify';
import { type Access, isPersonal, requiredScopes } from '../access.ts';
import { deprecationText } from '../deprecation.ts';
import { header, type HeaderName, parameter, type ParameterName } from './parts.ts';
import type { Facts } from './operation-metadata.ts';
import { refusalsOf } from './error-responses.ts';
import { eventCatalogue } from '../../journal/audit-actions.ts';
import { asForm, asJson, contentOfType, type Json, withoutNull } from './schemas.ts';
import type { OperationText, DescriptionTexts } from './texts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the response is a file that supports ranges and 304. */
    sendsFile?: boolean;
    /** Whether the handler itself sets the entity tag and returns 304. */
    tagsItself?: boolean;
    /** Whether the response can link to related resources. */
    linksToMore?: boolean;
    /** Whether a list ignores `Prefer: count=…`, because it does not read all its items in one order. */
    uncounted?: boolean;
    /** Whether responses are stored under an `Idempotency-Key`. Default: POST operations of authenticated callers. */
    storesResponse?: boolean;
  }
}

/** The member that holds the metadata until the description is complete. */
const factsMember = 'x-facts';

/** Returns the accepted credentials. One of them is sufficient; an empty object means that no credential is required. */
function securityOf(access: Access | undefined): Record<string, string[]>[] {
  switch (access?.kind) {
    case 'user':
      return [{ accessToken: requiredScopes(access) }];
    case 'staff':
      return [{ staffToken: [] }];
    case 'public':
      return access.credential ? [{}, { accessToken: [] }] : [];
    default:
      return [];
  }
}

/** Adds the access of a route to its schema, and the metadata for {@link finishOperation}. */
export function describeRoute({ schema, url, route }: { schema: FastifySchema; url: string; route: RouteOptions }): {
  schema: FastifySchema;
  url: string;
} {
  const { config = {} } = route;
  const { access } = config;
  const facts: Facts = {
    access,
    // SCIM describes its operations itself.
    shape: config.errorShape === undefined || config.errorShape === 'scim' ? 'problem' : config.errorShape,
    lenientBody: config.lenientBody === true,
    requiresIfMatch: config.requiresIfMatch === true,
    returnsSingleResource: config.returnsSingleResource === true || config.tagsItself === true,
    linksToMore: config.linksToMore === true,
    uncounted: config.uncounted === true,
    storesResponse: route.method === 'POST' && (config.storesResponse ?? (access?.kind === 'user' || access?.kind === 'staff')),
    sendsFile: config.sendsFile === true,
    unlimited: config.unlimited === true,
    deprecated: config.deprecated,
    consumes: schema?.consumes ?? [],
    produces: schema?.produces ?? [],
  };
  const scope = access?.kind === 'user' ? access.scope : undefined;
  const extended = {
    ...schema,
    security: schema?.security ?? securityOf(access),
    'x-access': access?.kind ?? 'public',
    ...(scope ? { 'x-required-scope': scope } : {}),
    ...(access?.kind === 'user' && access.roles ? { 'x-roles': access.roles } : {}),
    ...(access && isPersonal(access) ? { 'x-person-only': true } : {}),
    [factsMember]: facts,
  };
  return { schema: extended, url };
}

const statusPhrases: Record<string, string> = {
  '200': 'Done',
  '201': 'Created',
  '204': 'Done; the response is empty',
  '302': 'Redirect',
  '303': 'Redirect',
};

/** Adds what follows from the metadata of an operation: headers, files, error responses and the callers. */
export function finishOperation(method: string, path: string, { [factsMember]: given, ...operation }: Json, texts: DescriptionTexts): Json {
  const facts = given as Facts;
  const text = texts.operations.get(String(operation.operationId));
  const body = requestBodyOf(operation, facts, text);
  const parameters = parametersOf(operation, facts);
  return {
    ...operation,
    ...(facts.deprecated ? { deprecated: true } : {}),
    description: [facts.deprecated && deprecationText(facts.deprecated), text?.text, recordedBy(text), whoMayCall(facts.access)]
      .filter(Boolean)
      .join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...successesOf(method, operation, facts, text),
      ...refusalsOf({ method, path, operation }, facts, text),
    },
  };
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Returns a sentence about the journal entries and webhook events of an operation. */
function recordedBy(text: OperationText | undefined): string {
  const { records = [] } = text ?? {};
  const eventTypes = records.filter((type) => eventCatalogue.has(type));
  const kept = records.filter((type) => !eventCatalogue.has(type));
  return [
    ...(eventTypes.length > 0 ? [`Recorded in the journal and sent to webhook endpoints as ${listed(eventTypes)}.`] : []),
    ...(kept.length > 0 ? [`Recorded in the journal${eventTypes.length > 0 ? ' only' : ''} as ${listed(kept)}.`] : []),
  ].join(' ');
}

function whoMayCall(access: Access | undefined): string {
  switch (access?.kind) {
    case 'staff':
      return 'For platform staff.';
    case 'user': {
      const scopes = requiredScopes(access).map((one) => `\`${one}\``);
      const scope = scopes.length === 0 ? '' : ` with the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(', ')}`;
      const roles = access.roles ? `, for ${access.roles.join(', ')}` : '';
      return isPersonal(access) ? `For a signed-in person${scope}${roles}.` : `For a person or API client${scope}${roles}.`;
    }
    case 'public':
      return access.credential ? 'For everyone, signed in or not.' : 'For everyone; no token is needed.';
    default:
      return '';
  }
}

/** Whether an operation returns a list by page. */
const isPaged = ({ parameters, responses }: Json): boolean =>
  (parameters ?? []).some(({ name }: Json) => name === 'cursor') &&
  responses?.['200']?.content?.['application/json']?.schema?.type === 'array';

function parametersOf(operation: Json, facts: Facts): Json[] {
  const own = (operation.parameters ?? []).map((one) => ({
    ...one,
    ...(one.name === '*' ? { name: 'path' } : {}),
    // A parameter with a default is optional.
    ...(one.schema?.default === undefined ? {} : { required: false }),
  }));
  const taken: [boolean, ParameterName][] = [
    [facts.storesResponse, 'IdempotencyKey'],
    [facts.requiresIfMatch, 'IfMatch'],
    [facts.returnsSingleResource || facts.sendsFile, 'IfNoneMatch'],
    [facts.sendsFile, 'Range'],
    [isPaged(operation) && !facts.uncounted, 'Prefer'],
  ];
  return [...own, ...taken.filter(([takes]) => takes).map(([, name]) => parameter(name))];
}

function requestBodyOf(operation: Json, { consumes, lenientBody }: Facts, text: OperationText | undefined): Json | undefined {
  const form = 'multipart/form-data';
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  if (!schema && !consumes.includes(form)) return undefined;
  const { operationId = '' } = operation;
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  const types = consumes.length === 0 ? ['application/json'] : consumes;
  const example = text?.body === undefined ? {} : { example: text.body };
  const contents = types.map((type) => {
    if (type === form) return [type, { schema: { title: `${name}Form`, ...asForm(schema) } }];
    if (type.startsWith('text/')) return [type, { schema: contentOfType(type) }];
    const plain = consumes.includes(form) ? asJson(schema ?? {}) : withoutNull(schema ?? {});
    return [type, { schema: { title: `${name}Request`, ...plain }, ...example }];
  });
  return { required: !lenientBody, content: Object.fromEntries(contents) };
}

function successesOf(method: string, operation: Json, facts: Facts, text: OperationText | undefined): Record<string, Json> {
  const binary = facts.produces.filter((type) => type !== 'application/json');
  const given = Object.entries(operation.responses ?? {}).filter(([status]) => status !== 'default');
  const answers = given.map(([status, answer]): [string, Json] => {
    const { content, headers, description } = answer;
    const files =
      !content && binary.length > 0 ? Object.fromEntries(binary.map((type) => [type, { schema: contentOfType(type) }])) : content;
    const named = Object.fromEntries(
      headersOf({ method, status, operation, answer }, facts).map((name) => [headerNames[name], header(name)]),
    );
    const said = { ...headers, ...named };
    return [
      status,
      {
        description: description === 'Default Response' ? (statusPhrases[status] ?? description) : description,
        ...(Object.keys(said).length > 0 ? { headers: said } : {}),
        ...(files ? { content: withExamples(files, text) } : {}),
      },
    ];
  });
  const tagged = { ETag: header('ETag') };
  const unchanged: [string, Json] = ['304', { description: 'Not changed since the given `ETag`', headers: tagged }];
  const part: [string, Json] = ['206', { ...answers[0]?.[1], description: 'The requested range', headers: tagged }];
  return Object.fromEntries([
    ...answers,
    ...(facts.sendsFile ? [part] : []),
    ...(facts.returnsSingleResource || facts.sendsFile ? [unchanged] : []),
  ]);
}

/** Adds the examples of the domain to a JSON response. */
function withExamples(content: Record<string, Json>, text: OperationText | undefined): Record<string, Json> {
  const { answer, otherAnswers } = text ?? {};
  const json = content['application/json'];
  if (json === undefined || answer === undefined) return content;
  const others = Object.entries(otherAnswers ?? {}).map(([name, value]) => [name, { value }]);
  const shown = others.length === 0 ? { example: answer } : { examples: { usual: { value: answer }, ...Object.fromEntries(others) } };
  return { ...content, 'application/json': { ...json, ...shown } };
}

const headerNames: Record<HeaderName, string> = {
  ETag: 'ETag',
  Link: 'Link',
  Location: 'Location',
  Warning: 'Warning',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  RetryAfter: 'Retry-After',
  XTotalCount: 'X-Total-Count',
  PreferenceApplied: 'Preference-Applied',
  IdempotencyReplayed: 'Idempotency-Replayed',
};

type DescribedResponse = { method: string; status: string; operation: Json; answer: Json };

function headersOf({ method, status, operation, answer }: DescribedResponse, facts: Facts): HeaderName[] {
  const schema = answer.content?.['application/json']?.schema;
  const pages = status === '200' && isPaged(operation);
  const shown = schema?.type === 'object' && (facts.requiresIfMatch || status === '201' || schema.properties?.id !== undefined);
  const oneThing = facts.returnsSingleResource || facts.sendsFile || shown;
  const carried: [boolean, HeaderName][] = [
    [oneThing, 'ETag'],
    // A change that returns a message links to the changed resource.
    [
      pages ||
        facts.linksToMore ||
        facts.deprecated?.successor !== undefined ||
        (method !== 'get' && ['message', 'ok'].some((member) => schema?.properties?.[member])),
      'Link',
    ],
    [pages && !facts.uncounted, 'XTotalCount'],
    [pages && !facts.uncounted, 'PreferenceApplied'],
    [['201', '302', '303'].includes(status), 'Location'],
    [facts.deprecated !== undefined, 'Deprecation'],
    [facts.deprecated?.sunset !== undefined, 'Sunset'],
    [operation.requestBody !== undefined, 'Warning'],
    [facts.storesResponse, 'IdempotencyReplayed'],
  ];
  return carried.filter(([carries]) => carries).map(([, name]) => name);
}
