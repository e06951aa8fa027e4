import type { Operation } from '../openapi.ts';
import { named } from './walk.ts';

/** The response of an operation that changes something. */
export type ExpectedResponse =
  /** The resource in its new state. `at`: the path of its read operation, or `Location` for a created resource. */
  | { kind: 'thing'; type: string; at: string }
  /** A sentence, as the published contract requires, and the address of the resource in `Link: <…>; rel="self"`. */
  | { kind: 'message'; at: string }
  /** A sentence without an address: the resource is deleted, or the response must not disclose whether it exists. */
  | { kind: 'sentence' }
  /** 204 without a body. */
  | { kind: 'nothing' }
  /** A result that is not stored as a resource. */
  | { kind: 'result'; what: string };

const auth = '/api/v1/security/auth';
const workflows = '/api/v1/workflows';
const booking = '/api/v1/interfaces/booking/{teamId}/{token}';

/** Operations of the published contract that return a sentence, with the path of the resource that they change. */
const messages: Record<string, string> = {
  [`PUT ${auth}/profile`]: `${auth}/profile`,
  [`PUT ${auth}/change-password`]: `${auth}/profile`,
  [`POST ${auth}/2fa/enable-confirm`]: `${auth}/profile`,
  [`POST ${auth}/2fa/disable`]: `${auth}/profile`,
  [`POST ${auth}/transfer-ownership`]: '/api/v1/team',
  [`POST ${auth}/staff/totp/setup-confirm`]: `${auth}/staff/profile`,
  [`POST ${auth}/staff/totp/disable`]: `${auth}/staff/profile`,
  [`POST ${workflows}/{id}/pause`]: `${workflows}/{id}`,
  [`POST ${workflows}/{id}/resume`]: `${workflows}/{id}`,
  [`POST ${workflows}/{id}/cancel`]: `${workflows}/{id}`,
};

/** Other operations of the contract with a sentence: the resource is deleted, or its existence is not disclosed. */
const sentences = new Set([
  `POST ${auth}/register`,
  `POST ${auth}/resend-verification`,
  `POST ${auth}/request-password-reset`,
  `POST ${auth}/reset-password`,
  `POST ${auth}/logout`,
  `POST ${auth}/staff/logout`,
  `DELETE ${auth}/profile`,
  'DELETE /api/v1/smartdoc/folders/{id}',
  `DELETE ${workflows}/{id}`,
  `POST ${booking}/cancel`,
  `POST ${booking}/reschedule`,
]);

const signIn = 'an access token and the user';
const stays = 'the remaining access by tasks that the principal of the share assigned';
const results: Record<string, string> = {
  'POST /ws/api/agents/presets/apply': 'the changed settings of the agent, and the settings that a person had edited and that stay',
  'POST /api/v1/smartdoc/documents/move': 'the Documents in their new state, in the order of the request',
  'DELETE /api/v1/smartdoc/folders/{id}/shares/{shareId}': stays,
  'DELETE /api/v1/smartdoc/folders/{id}/access/{grantId}': stays,
  'DELETE /api/v1/smartdoc/documents/{id}/access/{grantId}': stays,
  'POST /api/v1/names': 'types and names of the resources that the caller may view',
  'POST /api/v1/downloads': 'an address for one download, shown once',
  'POST /api/v1/mail/bounces': 'whether the report is new',
  'POST /api/v1/smartdoc/documents/download': 'a ZIP archive of the files',
  'POST /api/v1/document-templates/{id}/preview': 'the PDF, which is not stored',
  'POST /api/v1/registries/{typeId}/records/import/preview': 'a preview of the import, which is not stored',
  'POST /api/v1/issued-documents/verify': 'the known facts about a code',
  'POST /api/v1/evidence': 'the new EvidencePack; a job writes its file',
  'POST /api/v1/signatures/bulk': 'the new SignatureBatch, which a job continues',
  'POST /api/v1/signatures/verify': 'the known facts about the signatures of the file',
  'POST /api/v1/signatures/public/{token}/code': 'a part of the address that received the code',
  'POST /api/v1/signatures/public/{token}/code/check': 'a confirmation of the code, and a session in a header',
  'POST /api/v1/signatures/public/{token}/sign': 'a confirmation of the signature, and the state of the request',
  'POST /api/v1/signatures/public/{token}/decline': 'a confirmation, and the state of the request',
  'POST /api/v1/signatures/public/{token}/delegate': 'a confirmation of the delegation, and the state of the request',
  [`POST ${auth}/verify-email`]: signIn,
  [`POST ${auth}/login`]: `${signIn}; or a challenge`,
  [`POST ${auth}/refresh`]: 'a new pair of tokens',
  [`POST ${auth}/verify-totp`]: signIn,
  [`POST ${auth}/sso/link`]: 'the URL of the provider',
  [`POST ${auth}/sso/{connectionId}/backchannel-logout`]: 'no content (OpenID Connect Back-Channel Logout 1.0)',
  [`POST ${auth}/saml/{id}/acs`]: 'a redirect of the browser to the address that completes the sign-in',
  [`POST ${auth}/passkeys/login`]: signIn,
  [`POST ${auth}/verify-passkey`]: signIn,
  [`POST ${auth}/reauthenticate`]: 'a new access token',
  [`POST ${auth}/switch-team`]: 'an access token for the team',
  [`POST ${auth}/teams`]: 'the team, which the list of teams shows',
  [`POST ${auth}/2fa/enable-init`]: 'the secret for an authenticator app, shown once',
  [`POST ${auth}/2fa/regenerate-codes`]: 'backup codes, shown once',
  [`POST ${auth}/passkeys/options`]: 'WebAuthn options for the browser',
  [`POST ${auth}/passkeys/login/options`]: 'WebAuthn options for the browser',
  [`POST ${auth}/verify-passkey/options`]: 'WebAuthn options for the browser',
  [`POST ${auth}/reauthenticate/options`]: 'WebAuthn options for the browser',
  [`POST ${auth}/staff/login`]: `${signIn}; or a challenge`,
  [`POST ${auth}/staff/verify-totp`]: signIn,
  [`POST ${auth}/staff/refresh`]: 'a new pair of tokens',
  [`POST ${auth}/staff/reauthenticate`]: 'a new access token',
  [`POST ${auth}/staff/totp/setup-init`]: 'the secret for an authenticator app, shown once',
  [`POST ${auth}/staff/totp/regenerate-backup`]: 'backup codes, shown once',
  'POST /api/v1/interfaces/public/{token}/upload': 'the uploaded file with the id that answers use',
  'POST /api/v1/interfaces/api/{token}/upload': 'the uploaded file with the id that answers use',
  'POST /api/v1/interfaces/public/{token}/submit': 'the id of the submission, and a sentence for the visitor',
  'POST /api/v1/interfaces/api/{token}/submit': 'the id of the submission',
  'POST /api/v1/interfaces/public/{token}/draft/link': 'whether Chancery sends a mail',
  'PUT /api/v1/interfaces/public/{token}/draft': 'the SubmissionDraft, which only its session can read',
  'POST /api/v1/interfaces/public/{token}/draft/resume': 'the SubmissionDraft, which only the new session can read',
  'POST /api/v1/interfaces/{id}/publish': 'the Interface in its new state, with its links',
  'POST /api/v1/interfaces/task-links': 'the link to the form of a task, for its assignee',
  'POST /api/v1/interfaces/{id}/preview': 'the link to the page of the draft, shown once',
  'POST /api/v1/interfaces/{id}/rotate-token': 'the Interface in its new state, with its links',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/suspend': 'whether the form is suspended; staff see no other data of it',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/resume': 'whether the form is suspended; staff see no other data of it',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/dismiss-reports': 'the number of dismissed reports, which are deleted',
  'POST /api/v1/approval-policies/{name}/try': 'the rule that would apply and its possible approvers, which are not stored',
  'POST /api/v1/approvals/{id}/restart': 'the new ApprovalRound; the old one is voided',
  'POST /api/v1/tasks/complete': 'a result for each task: the status, and the Task or the problem',
  'POST /api/v1/tasks/reassign': 'a result for each task: the status, and the Task or the problem',
  'POST /api/v1/smartdoc/documents/label': 'a result for each document: the status, and the Document or the problem',
  'POST /api/v1/smartdoc/documents/delete': 'a result for each document: the status, and the problem',
  'POST /api/v1/signatures/retry': 'a result for each request: the status, and the SignatureRequest or the problem',
  'POST /api/v1/webhooks/{id}/deliveries/retry': 'a result for each delivery: the status, and the WebhookDelivery or the problem',
  'POST /api/v1/team/invitations/batch': 'a result for each person: the status, and the Invitation or the problem',
  'POST /api/v1/interfaces/{id}/calendar/feed': 'the new URL of the feed, which the Calendar also shows',
  'POST /api/v1/team/directories/{id}/tokens': 'the DirectoryToken, with the token itself, shown once',
  'POST /api/v1/team/directories/{id}/links': 'the linked DirectoryUser, which the list of users shows',
  'POST /api/v1/team/invitations/preview': 'the team and the role of an invitation',
  'POST /api/v1/team/invitations/accept': signIn,
  'PUT /api/v1/interfaces/{id}/calendar/busy': 'the given addresses; Chancery reads them later',
  'POST /ws/api/agents/mcp-servers/{serverId}/sign-in': 'the URL at which a person signs in and consents',
  'POST /ws/api/agents/{agentId}/runs': 'the id of the requested AgentRun',
  'POST /ws/api/agents/cron/{id}/run': 'the id of the requested AgentRun',
  'POST /ws/api/agents/runs/{id}/cancel': 'the id of the AgentRun that will end',
  'PUT /ws/api/agents/skills/file': 'the AgentSkillFile in its new state, which you read by the name of its skill',
  'DELETE /ws/api/agents/skills/{skillName}': 'the id of the deleted skill',
  'DELETE /ws/api/agents/cron/{id}': 'the id of the deleted job',
  'POST /api/v1/webhooks/{id}/recover': 'the number of deliveries that Chancery sends again',
  'POST /oauth/register': 'the registration of the app (RFC 7591)',
  [`POST ${auth}/connected-apps`]: 'the redirect URL with a single-use code',
  [`POST ${auth}/connected-apps/preview`]: 'the access that the app requests',
  'POST /oauth/token': 'an access token (RFC 6749)',
  'POST /oauth/revoke': 'an empty object (RFC 7009)',
  'POST /oauth/introspect': 'the state and the scopes of a token (RFC 7662)',
};

/** Returns the status of the success response, and its schema if it has one. */
function success({ responses }: Operation): { status: string; schema: any } {
  const [status = '', answer] = Object.entries<any>(responses).find(([code]) => code.startsWith('2')) ?? [];
  return { status, schema: answer?.content?.['application/json']?.schema };
}

const withoutSlash = (path: string) => path.replace(/\/$/, '');

/** Returns the path that reads the resource of a response: the path itself, the path without its verb, or that of the parent resource. */
function readAt(operation: Operation, reads: ReadonlySet<string>): string | undefined {
  const own = withoutSlash(operation.path);
  if (operation.path === '/ws/api/agents/start') return '/ws/api/agents/stop';
  const above = (path: string) => path.replace(/\/[^/]+$/, '');
  const before = above(own);
  return [own, before, above(before), above(above(before))].find((path) => reads.has(path));
}

/** Returns the expected response of each operation that changes something. Omits operations without a rule and without an entry above. */
export function answersOf(operations: readonly Operation[]): Map<string, ExpectedResponse> {
  const reads = new Set(operations.filter(({ method }) => method === 'GET').map(({ path }) => withoutSlash(path)));
  const found = new Map<string, ExpectedResponse>();
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const name = named(operation);
    const { status, schema } = success(operation);
    const at = status === '201' ? '`Location`' : readAt(operation, reads);
    if (name in messages) found.set(name, { kind: 'message', at: messages[name] ?? '' });
    else if (sentences.has(name)) found.set(name, { kind: 'sentence' });
    else if (name in results) found.set(name, { kind: 'result', what: results[name] ?? '' });
    else if (status === '204') found.set(name, { kind: 'nothing' });
    else if (schema?.title !== undefined && at !== undefined) found.set(name, { kind: 'thing', type: schema.title, at });
  }
  return found;
}

function inWords(answer: ExpectedResponse): [string, string] {
  switch (answer.kind) {
    case 'thing':
      return [`${answer.type} in its new state`, answer.at.startsWith('`') ? answer.at : `\`GET ${answer.at}\``];
    case 'message':
      return ['a sentence, and `Link: <…>; rel="self"`', `\`GET ${answer.at}\``];
    case 'sentence':
      return ['a sentence', ''];
    case 'nothing':
      return ['nothing', ''];
    default:
      return [answer.what, ''];
  }
}

const introduction = `<!-- Written by \`npm run generate\` from the description and test/suites/answers.ts; a test calls each operation. -->
# Responses of operations

Each resource has one shape in all operations:

- **A change** returns the resource in its new state, with the members and the \`ETag\` of a read.
  Where the published contract requires a sentence, \`Link: <…>; rel="self"\` has the address of the resource.
- **A creation** is 201. \`Location\` has the address of the resource, or of its list.
- **A deletion** is 204 without a body. Deletions of the published contract respond as it requires.
- \`createdBy\` is the creator, and \`createdByType\` is \`user\`, \`client\` or \`agent\`. An API client never counts as its creator.
  \`userId\` of a folder or document is its owner.
- **Lists** are arrays with the same members, except for details that only a single read shows. They accept \`limit\` and
  \`cursor\`: see [Lists](../errors-and-conventions.md#lists). A read has an \`ETag\`, and \`If-None-Match\` gets 304.

`;

/** Returns the Markdown of docs/reference/generated/answers.md. */
export function answersDocument(operations: readonly Operation[], tagOf: (operation: Operation) => string): string {
  const answers = answersOf(operations);
  const changing = operations.filter((operation) => answers.has(named(operation)));
  const tags = [...new Set(changing.map(tagOf))];
  const areas = tags.map((tag) => {
    const lines = changing
      .filter((operation) => tagOf(operation) === tag)
      .map((operation) => {
        const answer = answers.get(named(operation));
        const [what, where] = answer ? inWords(answer) : ['', ''];
        return `| \`${named(operation)}\` | ${success(operation).status} | ${what} | ${where} |`;
      });
    return `## ${tag}\n\n| operation | status | response | read operation |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `${introduction}${areas.join('\n')}`;
}
