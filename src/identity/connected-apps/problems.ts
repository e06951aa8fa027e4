import { defineProblems } from '../../platform/problems.ts';

export const connectedAppProblems = defineProblems({
  authorization_request_expired: {
    status: 422,
    title: 'Authorization request expired',
    help: 'A user has 15 minutes to allow an app. Start again in the app.',
  },
  connected_app_limit: {
    status: 409,
    title: 'Too many connected apps',
    help: 'Disconnect an app that you no longer use. `GET /api/v1/security/auth/connected-apps` lists them.',
  },
  no_scopes_requested: {
    status: 403,
    title: 'No available scope requested',
    help: 'The app requests none of your scopes. Ask an administrator of your team for another role.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'Invalid redirect address',
    help: 'Send one to ten `redirect_uris`: https addresses, or http on the user’s own machine (`localhost`, `127.0.0.1`, `[::1]`), without a fragment (RFC 7591 §3.2.2).',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'Invalid client metadata',
    help: 'Connected apps have no secret: omit `token_endpoint_auth_method` or send `none`. Request only the grants `authorization_code` and `refresh_token` (RFC 7591 §3.2.2).',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Too many unused registrations',
    help: 'The limit of registered apps is reached. Unused registrations are deleted after a day. Try again later, or publish a metadata document of the app at an https address.',
  },
});
