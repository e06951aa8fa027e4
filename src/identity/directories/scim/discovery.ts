import { schemaOf } from './attributes.ts';
import type { Resource } from './resources.ts';

// The documents by which clients discover the service (RFC 7643 §5 to §7).

const messages = 'urn:ietf:params:scim:api:messages:2.0';
export const listUrn = `${messages}:ListResponse`;
export const errorUrn = `${messages}:Error`;
export const defaultCount = 100;
export const maxCount = 200;
const cursorSeconds = 86_400;

export function serviceProviderConfig(baseUrl: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxCount },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: defaultCount,
      maxPageSize: maxCount,
      cursorTimeout: cursorSeconds,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the directory, created by an administrator of the team',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

export function resourceTypes(baseUrl: string): readonly (Resource & { id: string })[] {
  const typeOf = (id: 'User' | 'Group', schema: string, extensions: object) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint: `/${id}s`,
    description: id === 'User' ? 'A user of the team' : 'A group of users',
    schema,
    ...extensions,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  });
  return [
    typeOf('User', schemaOf.user, { schemaExtensions: [{ schema: schemaOf.enterprise, required: false }] }),
    typeOf('Group', schemaOf.group, {}),
  ];
}

type Attribute = Readonly<Record<string, unknown>>;

const attribute = (name: string, description: string, other: object = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...other,
});
const exact = { caseExact: true };
/** Booleans, objects and references have no case. */
const typed = (type: string) => ({ type, caseExact: undefined });

const userAttributes: readonly Attribute[] = [
  attribute('userName', 'The name by which the directory identifies the user, usually the address', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('externalId', 'The identifier of the user in the directory. A sign-in through its provider finds the user by it', exact),
  attribute('name', 'The name of the user', {
    ...typed('complex'),
    subAttributes: [
      attribute('formatted', 'The whole name'),
      attribute('familyName', 'The last name'),
      attribute('givenName', 'The first name'),
    ],
  }),
  attribute('displayName', 'The name for display'),
  attribute('title', 'The job title'),
  attribute('preferredLanguage', 'The language of the user, such as en-US'),
  attribute('locale', 'The locale of the user, such as en-US'),
  attribute('timezone', 'The IANA time zone of the user'),
  attribute('active', 'False suspends the membership in the team. A user always has a value', { ...typed('boolean'), required: true }),
  attribute('emails', 'The address at work; one is kept', {
    ...typed('complex'),
    multiValued: true,
    subAttributes: [attribute('value', 'The address'), attribute('type', 'Always `work`', { canonicalValues: ['work'] })],
  }),
];
const enterpriseAttributes: readonly Attribute[] = [
  attribute('employeeNumber', 'The number of the employee'),
  attribute('department', 'The department'),
  attribute('manager', 'The manager, who receives the work of a removed user if the directory says so', {
    ...typed('complex'),
    subAttributes: [attribute('value', 'The id of the manager', exact)],
  }),
];
const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'The name of the group, unique in the team', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The identifier of the group in the directory', exact),
  attribute('members', 'The users of the group', {
    ...typed('complex'),
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user', { ...exact, mutability: 'immutable' }),
      attribute('type', 'Always `User`', { mutability: 'immutable', canonicalValues: ['User'] }),
      attribute('$ref', 'The URL of the user', {
        ...typed('reference'),
        caseExact: true,
        mutability: 'immutable',
        referenceTypes: ['User'],
      }),
    ],
  }),
];

export function schemas(baseUrl: string): readonly (Resource & { id: string })[] {
  const schema = (id: string, name: string, description: string, attributes: readonly Attribute[]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  });
  return [
    schema(schemaOf.user, 'User', 'A user', userAttributes),
    schema(schemaOf.enterprise, 'EnterpriseUser', 'A user of an organisation', enterpriseAttributes),
    schema(schemaOf.group, 'Group', 'A group', groupAttributes),
  ];
}

export type ListPart = { total: number; startIndex?: number | undefined; nextCursor?: string | undefined };

export function listResponse(resources: readonly Resource[], { total, startIndex, nextCursor }: ListPart): Resource {
  return {
    schemas: [listUrn],
    totalResults: total,
    ...(startIndex === undefined ? {} : { startIndex }),
    itemsPerPage: resources.length,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    Resources: resources,
  };
}
