/** The description of the API as a whole, and its groups of operations in the order of the work. */

export const apiDescription = `The open, self-hosted backend for legal and compliance document work.

**A program for a person** signs in with \`login\` (and \`verifyTotp\`), which sets the refresh token as a cookie, and renews with \`refresh\`, which
takes it from the cookie or the body and gives the next one in the body. **A program by itself** gets a token with \`getClientToken\`.
Both send \`Authorization: Bearer <access token>\`.

Errors are problem documents (RFC 9457) with a stable \`code\`; each has a page at its \`type\`. Lists take \`limit\` and \`cursor\`; \`Link\` leads to
the next page. A POST with an \`Idempotency-Key\` can be repeated. What is changed is tagged: \`ETag\`, \`If-Match\`, \`If-None-Match\`.`;

export const apiTags = [
  { name: 'Account security', description: 'Registration, signing in, the second factor, sessions, the profile of a person' },
  { name: 'Team', description: 'The team, its people, invitations, quotas' },
  { name: 'Groups', description: 'Groups of members, which shares name' },
  { name: 'Single sign-on', description: 'Connections to the providers that a team’s people sign in through' },
  { name: 'API clients', description: 'Programs that work by themselves: their secrets and tokens (OAuth 2.0)' },
  { name: 'Folders', description: 'Trees of folders and their shares' },
  { name: 'Barriers', description: 'Information barriers on folders, and emergency access' },
  { name: 'Documents', description: 'Documents with their versions, files and grants' },
  { name: 'Workflows', description: 'Steps that a document goes through, and templates of them' },
  { name: 'Tasks', description: 'What somebody is asked to do: reviews, approvals, signatures, tasks' },
  { name: 'Signatures', description: 'Requests that people sign a document, and what became of them' },
  { name: 'Evidence', description: 'What is known of a document, a workflow or a request for signatures, with proofs, as one file' },
  { name: 'Interfaces', description: 'Forms and booking forms that people without an account answer, and what they answered' },
  { name: 'Public interfaces', description: 'What the holder of a link can do: read a form, answer it, book, and the API channel' },
  { name: 'Bookings', description: 'Calendars, what is free in them, and what is booked' },
  { name: 'Document templates', description: 'Templates of a team, and the documents that are made from them' },
  { name: 'Registries', description: 'Typed records of a team, with their history' },
  { name: 'Agents', description: 'The AI agents of a team: what they are, what they may do, and who may use them' },
  { name: 'Agent jobs', description: 'When agents run, what they are told, and what came of it' },
  { name: 'Webhooks', description: 'Endpoints that are told of events, and the log of deliveries' },
  { name: 'Audit', description: 'The journal of every act, its tree and its proofs' },
  { name: 'Key sets', description: 'Public keys that verify tokens, checkpoints and deliveries' },
  { name: 'Staff authentication', description: 'Signing in of those who run the service' },
  { name: 'Staff operations', description: 'What those who run the service do for teams and users' },
  { name: 'Operation', description: 'Whether the service is up' },
  { name: 'Development', description: 'Not in production' },
];
