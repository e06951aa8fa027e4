import type { Operation } from '../openapi.ts';
import { named } from './walk.ts';

/** What an operation that changes something answers with. */
export type Answered =
  /** The thing as it is then. `at`: where it is read again, a path of the description; `Location` of what was made. */
  | { kind: 'thing'; type: string; at: string }
  /** A sentence, as the published contract says, and where the thing is, in `Link: <…>; rel="self"`. */
  | { kind: 'message'; at: string }
  /** A sentence, where there is no thing to show: it is gone, or the answer must not tell whether there is one. */
  | { kind: 'sentence' }
  /** 204 without a body. */
  | { kind: 'nothing' }
  /** What the operation is for, and no thing that is kept and read again. */
  | { kind: 'result'; what: string };

const auth = '/api/v1/security/auth';
const workflows = '/api/v1/workflows';
const booking = '/api/v1/interfaces/booking/{teamId}/{token}';

/** Operations of the published contract that answer with a sentence, and where the thing is that they change. */
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

/** Others of the contract: what they change is gone, or nobody is told whether it is there. */
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

const signIn = 'an access token, and who has signed in';
const stays = 'the access by tasks that the principal of the share gave, and that stays';
const results: Record<string, string> = {
  'POST /ws/api/agents/presets/apply': 'what of the agent was set, and what was kept since a person had changed it',
  'POST /api/v1/smartdoc/documents/move': 'the Documents as they are then, in the order in which they were named',
  'DELETE /api/v1/smartdoc/folders/{id}/shares/{shareId}': stays,
  'DELETE /api/v1/smartdoc/folders/{id}/access/{grantId}': stays,
  'DELETE /api/v1/smartdoc/documents/{id}/access/{grantId}': stays,
  'POST /api/v1/smartdoc/documents/download': 'an archive of the files, as it is read',
  'POST /api/v1/document-templates/{id}/preview': 'the PDF, which is not kept',
  'POST /api/v1/registries/{typeId}/records/import/preview': 'how the file would be read, which is not kept',
  'POST /api/v1/issued-documents/verify': 'what is known of a code',
  'POST /api/v1/evidence': 'the EvidencePack as it begins, which a job writes',
  'POST /api/v1/signatures/bulk': 'the SignatureBatch as it begins, which goes on by itself',
  'POST /api/v1/signatures/verify': 'what is known of the file’s signatures',
  'POST /api/v1/signatures/public/{token}/code': 'where the code was mailed, in part',
  'POST /api/v1/signatures/public/{token}/code/check': 'that the code was right, and a session in a header',
  'POST /api/v1/signatures/public/{token}/sign': 'that it is signed, and where the request stands then',
  'POST /api/v1/signatures/public/{token}/decline': 'that it is declined, and where the request stands then',
  'POST /api/v1/signatures/public/{token}/delegate': 'that it is passed on, and where the request stands then',
  [`POST ${auth}/verify-email`]: signIn,
  [`POST ${auth}/login`]: `${signIn}; or a challenge`,
  [`POST ${auth}/refresh`]: 'a new pair of tokens',
  [`POST ${auth}/verify-totp`]: signIn,
  [`POST ${auth}/sso/link`]: 'where the browser goes on, at the provider',
  [`POST ${auth}/passkeys/login`]: signIn,
  [`POST ${auth}/verify-passkey`]: signIn,
  [`POST ${auth}/reauthenticate`]: 'a new access token',
  [`POST ${auth}/2fa/enable-init`]: 'what an authenticator app is set up with, shown once',
  [`POST ${auth}/2fa/regenerate-codes`]: 'backup codes, shown once',
  [`POST ${auth}/passkeys/options`]: 'what a browser is asked with (WebAuthn)',
  [`POST ${auth}/passkeys/login/options`]: 'what a browser is asked with (WebAuthn)',
  [`POST ${auth}/verify-passkey/options`]: 'what a browser is asked with (WebAuthn)',
  [`POST ${auth}/reauthenticate/options`]: 'what a browser is asked with (WebAuthn)',
  [`POST ${auth}/staff/login`]: `${signIn}; or a challenge`,
  [`POST ${auth}/staff/verify-totp`]: signIn,
  [`POST ${auth}/staff/refresh`]: 'a new pair of tokens',
  [`POST ${auth}/staff/reauthenticate`]: 'a new access token',
  [`POST ${auth}/staff/totp/setup-init`]: 'what an authenticator app is set up with, shown once',
  [`POST ${auth}/staff/totp/regenerate-backup`]: 'backup codes, shown once',
  'POST /api/v1/interfaces/public/{token}/upload': 'the file as it was taken, by the identifier that answers name it by',
  'POST /api/v1/interfaces/api/{token}/upload': 'the file as it was taken, by the identifier that answers name it by',
  'POST /api/v1/interfaces/public/{token}/submit': 'what was submitted, by its identifier, and a sentence for who did it',
  'POST /api/v1/interfaces/api/{token}/submit': 'what was submitted, by its identifier',
  'POST /api/v1/interfaces/public/{token}/draft/link': 'whether a mail goes out',
  'PUT /api/v1/interfaces/public/{token}/draft': 'the SubmissionDraft, as its session alone reads it',
  'POST /api/v1/interfaces/public/{token}/draft/resume': 'the SubmissionDraft, as the session that begins with it reads it',
  'POST /api/v1/interfaces/{id}/publish': 'the Interface, as it is then, with its links',
  'POST /api/v1/interfaces/task-links': 'the link to the form of a task, to whom that is given',
  'POST /api/v1/interfaces/{id}/preview': 'the link to the page of the draft, shown only then',
  'POST /api/v1/interfaces/{id}/rotate-token': 'the Interface, as it is then, with its links',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/suspend': 'whether it is suspended: staff are shown nothing else of it',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/resume': 'whether it is suspended: staff are shown nothing else of it',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/dismiss-reports': 'how many reports are ended: none of them is kept',
  'POST /api/v1/tasks/complete': 'a result for each: its status, and the Task or the problem',
  'POST /api/v1/tasks/reassign': 'a result for each: its status, and the Task or the problem',
  'POST /api/v1/interfaces/{id}/calendar/feed': 'the new address of the feed, shown in the Calendar too',
  'POST /api/v1/team/invitations/preview': 'what an invitation is to, by its link',
  'POST /api/v1/team/invitations/accept': signIn,
  'PUT /api/v1/interfaces/{id}/calendar/busy': 'the addresses as they were given; what each of them says is found out afterwards',
  'POST /ws/api/agents/mcp-servers/{serverId}/sign-in': 'where a person signs in and allows it',
  'POST /ws/api/agents/{agentId}/runs': 'the AgentRun that was asked for, by its identifier',
  'POST /ws/api/agents/cron/{id}/run': 'the AgentRun that was asked for, by its identifier',
  'POST /ws/api/agents/runs/{id}/cancel': 'the AgentRun that is to end, by its identifier',
  'PUT /ws/api/agents/skills/file': 'the AgentSkillFile, as it is then, read again by the name of its skill',
  'DELETE /ws/api/agents/skills/{skillName}': 'that it is deleted, by its identifier',
  'DELETE /ws/api/agents/cron/{id}': 'that it is deleted, by its identifier',
  'POST /api/v1/webhooks/{id}/recover': 'how much is sent again',
  'POST /oauth/register': 'what a program was registered as (RFC 7591)',
  [`POST ${auth}/connected-apps`]: 'where the browser goes on, with a code that is good once',
  [`POST ${auth}/connected-apps/preview`]: 'what a program asks for',
  'POST /oauth/token': 'an access token (RFC 6749)',
  'POST /oauth/revoke': 'an empty object (RFC 7009)',
  'POST /oauth/introspect': 'what a token is good for (RFC 7662)',
};

/** The answer of an operation where it went well: its status, and the schema where it has one. */
function success({ responses }: Operation): { status: string; schema: any } {
  const [status = '', answer] = Object.entries<any>(responses).find(([code]) => code.startsWith('2')) ?? [];
  return { status, schema: answer?.content?.['application/json']?.schema };
}

const withoutSlash = (path: string) => path.replace(/\/$/, '');

/** Where a thing is read that an operation answers with: its own address, or that without the verb behind, or what that is a part of. */
function readAt(operation: Operation, reads: ReadonlySet<string>): string | undefined {
  const own = withoutSlash(operation.path);
  if (operation.path === '/ws/api/agents/start') return '/ws/api/agents/stop';
  const above = (path: string) => path.replace(/\/[^/]+$/, '');
  const before = above(own);
  return [own, before, above(before), above(above(before))].find((path) => reads.has(path));
}

/** What each operation that changes something answers with; one that follows no rule and is not named above is left out. */
export function answersOf(operations: readonly Operation[]): Map<string, Answered> {
  const reads = new Set(operations.filter(({ method }) => method === 'GET').map(({ path }) => withoutSlash(path)));
  const found = new Map<string, Answered>();
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

function inWords(answer: Answered): [string, string] {
  switch (answer.kind) {
    case 'thing':
      return [`${answer.type}, as it is then`, answer.at.startsWith('`') ? answer.at : `\`GET ${answer.at}\``];
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

/** What docs/reference/generated/answers.md says, as Markdown. */
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
    return `## ${tag}\n\n| operation | status | answers with | read again |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `${introduction}${areas.join('\n')}`;
}
