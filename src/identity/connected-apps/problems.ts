import { defineProblems } from '../../platform/problems.ts';

export const connectedAppProblems = defineProblems({
  authorization_request_expired: {
    status: 422,
    title: 'What the program asked for is no longer to be answered',
    help: 'A person has 15 minutes to say whether a program may act for them. Begin again in the program.',
  },
  connected_app_limit: {
    status: 409,
    title: 'You have connected as many programs as there can be',
    help: 'Disconnect one that you no longer use: `GET /api/v1/security/auth/connected-apps` lists them.',
  },
  no_scopes_requested: {
    status: 403,
    title: 'You may do nothing of what the program asks for',
    help: 'A program may do at most what you may do yourself. Ask an administrator of your team for another role.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'The program cannot be answered there',
    help: 'Name one to ten `redirect_uris`: https addresses, or http on the person’s own machine (`localhost`, `127.0.0.1`, `[::1]`), without a fragment (RFC 7591 §3.2.2).',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'The program cannot be registered so',
    help: 'Programs of persons have no secret: leave `token_endpoint_auth_method` out or send `none`, and ask for the grants `authorization_code` and `refresh_token` alone (RFC 7591 §3.2.2).',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'No further program can be registered now',
    help: 'There are as many programs as there can be that nobody has connected yet. Those go after a day: try again later, or describe the program by a document at an https address.',
  },
});
