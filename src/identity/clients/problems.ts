import { defineProblems } from '../../platform/problems.ts';

export const clientProblems = defineProblems({
  unknown_scope: {
    status: 422,
    title: 'There is no such scope',
    help: 'Scopes are `<area>:read` and `<area>:write`; `GET /.well-known/oauth-authorization-server` lists them as `scopes_supported`.',
  },
  scope_not_held: {
    status: 403,
    title: 'You cannot give what you do not have',
    help: 'An API client or an agent gets at most the scopes of whoever makes or changes it, and a client’s secret is shown only to somebody who holds all of its scopes. Ask an owner or administrator of the team.',
  },
  folder_not_found: {
    status: 422,
    title: 'There is no such folder',
    help: '`folderIds` names folders of your team by their identifiers. List them with `GET /api/v1/smartdoc/folders/` and check it.',
  },
  scope_not_confinable: {
    status: 422,
    title: 'The scope cannot be confined to folders',
    help: 'The journal and webhooks tell what happens in the whole team. Leave their scopes out, or make another client or agent for them without `folderIds`.',
  },
  takeover_required: {
    status: 409,
    title: 'The client waits for somebody to take it over',
    help: 'Who answered for the client has left the team, or their password was reset. Look at what it is for, and take it over with `POST /api/v1/security/clients/{id}/take-over`, or delete it.',
  },
  client_limit: {
    status: 409,
    title: 'The team has as many API clients as there can be',
    help: 'Delete a client that is no longer used.',
  },
  expiry_in_past: {
    status: 422,
    title: 'The end lies in the past',
    help: 'Send a time in the future as `expiresAt`, or `null` for a client that does not end by itself.',
  },
  invalid_request: {
    status: 400,
    title: 'The token request is not well-formed',
    help: 'Send the parameters once each, as `application/x-www-form-urlencoded`, and authenticate in one way: by HTTP Basic, or by `client_id` and `client_secret` in the body (RFC 6749 §2.3.1).',
  },
  invalid_client: {
    status: 401,
    title: 'The API client is not accepted',
    help: 'The client is unknown or deactivated, has ended, or its secret is wrong or was replaced. Check both, or make a new secret with `rotate-secret`.',
  },
  invalid_grant: {
    status: 400,
    title: 'What was shown is not good for that',
    help: 'A code or refresh token has ended, was used before, or was given for another program, address, verifier or resource: ask the person again (RFC 6749 §5.2). A client may revoke only tokens that were issued to it (RFC 7009 §2.1).',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'The grant type is not supported',
    help: 'API clients use `grant_type=client_credentials` (RFC 6749 §4.4), programs that a person has connected `authorization_code` and `refresh_token`.',
  },
  invalid_target: {
    status: 400,
    title: 'There is no such resource here',
    help: 'A token is for the operations of this service or for its MCP server, each under its own address (RFC 8707). Leave `resource` out for the operations.',
  },
  invalid_scope: {
    status: 400,
    title: 'The scope cannot be granted',
    help: 'Ask for scopes that the client was given, separated by spaces, or leave `scope` out for all of them.',
  },
});
