import { defineProblems } from '../../platform/problems.ts';

export const connectedAppProblems = defineProblems({
  authorization_request_expired: {
    status: 422,
    title: 'Authorization request expired',
    help: 'A user has 15 minutes to allow a program. Start again in the program.',
  },
  connected_app_limit: {
    status: 409,
    title: 'Too many connected apps',
    help: 'Disconnect one that you no longer use: `GET /api/v1/security/auth/connected-apps` lists them.',
  },
  no_scopes_requested: {
    status: 403,
    title: 'No available scope requested',
    help: 'A program may have at most your own rights. Ask an administrator of your team for another role.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'Invalid redirect address',
    help: 'Name one to ten `redirect_uris`: https addresses, or http on the person’s own machine (`localhost`, `127.0.0.1`, `[::1]`), without a fragment (RFC 7591 §3.2.2).',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'Invalid client metadata',
    help: 'Connected apps have no secret: omit `token_endpoint_auth_method` or send `none`. Request only the grants `authorization_code` and `refresh_token` (RFC 7591 §3.2.2).',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Too many unused registrations',
    help: 'The limit of programs without a connection is reached. They are deleted after a day: try again later, or describe the program by a document at an https address.',
  },
});
