/** The description of the API and its groups of operations, in the order of typical work. */

export const apiDescription = `The open, self-hosted backend for legal and compliance document work.

**A client that acts for a person** signs in with \`login\` (and \`verifyTotp\`), which sets the refresh token as a cookie. It renews with \`refresh\`, which
accepts the token in the cookie or the body and returns the next one in the body. **An API client** gets a token with \`getClientToken\`.
Both send \`Authorization: Bearer <access token>\`.

Errors are problem documents (RFC 9457) with a stable \`code\`; each has a page at its \`type\`. Lists accept \`limit\` and \`cursor\`; \`Link\` has
the next page. A POST with an \`Idempotency-Key\` can be repeated. Resources have versions: \`ETag\`, \`If-Match\`, \`If-None-Match\`.`;

export const apiTags = [
  { name: 'Account security', description: 'Registration, sign-in, second factors, sessions and the profile of a person' },
  { name: 'Team', description: 'The team, its members, invitations and quotas' },
  { name: 'Groups', description: 'Groups of members, for shares' },
  { name: 'Directories', description: 'Directories that provision members by SCIM 2.0, with their tokens and log' },
  { name: 'Single sign-on', description: 'Connections of a team to identity providers' },
  { name: 'API clients', description: 'Clients with their own secrets and tokens (OAuth 2.0)' },
  { name: 'Folders', description: 'Trees of folders and their shares' },
  { name: 'Matters', description: 'Cases with clients, content, access, barriers and deadlines' },
  { name: 'Barriers', description: 'Information barriers on folders, and emergency access' },
  { name: 'Documents', description: 'Documents with their versions, files and grants' },
  { name: 'Workflows', description: 'Steps for a document, and workflow templates' },
  { name: 'Tasks', description: 'Reviews, approvals, signatures and other tasks of users' },
  { name: 'Approvals', description: 'Approval policies, and rounds in which several people decide' },
  { name: 'Signatures', description: 'Signature requests and their results' },
  { name: 'Evidence', description: 'Packs with the records and proofs of a document, workflow or signature request' },
  { name: 'Interfaces', description: 'Forms and booking forms for people without an account, and their submissions' },
  { name: 'Public interfaces', description: 'Operations with a link: read and submit a form, book, and the API channel' },
  { name: 'Bookings', description: 'Calendars, free slots and bookings' },
  { name: 'Document templates', description: 'Templates of a team, and documents from them' },
  { name: 'Registries', description: 'Typed records of a team, with their history' },
  { name: 'Agents', description: 'The AI agents of a team, with their settings, permissions and shares' },
  { name: 'Agent jobs', description: 'Schedules, instructions and results of agent runs' },
  { name: 'Overview', description: 'Names and downloads of resources of all types' },
  { name: 'Webhooks', description: 'Endpoints for events, and the delivery log' },
  { name: 'Audit', description: 'The audit journal, its tree and its proofs' },
  { name: 'Key sets', description: 'Public keys that verify tokens, checkpoints and deliveries' },
  { name: 'Staff authentication', description: 'Sign-in of platform staff' },
  { name: 'Staff operations', description: 'Operations of platform staff for teams and users' },
  { name: 'Operation', description: 'Health of the service' },
  { name: 'Development', description: 'Not in production' },
];
