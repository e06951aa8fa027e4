import { defineProblems } from '../../platform/problems.ts';

export const clientProblems = defineProblems({
  unknown_scope: {
    status: 422,
    title: 'Unknown scope',
    help: 'Scopes are `<area>:read` and `<area>:write`; `GET /.well-known/oauth-authorization-server` lists them as `scopes_supported`.',
  },
  scope_not_held: {
    status: 403,
    title: 'You cannot grant a scope that you lack',
    help: 'An API client or an agent gets at most the scopes of the caller who creates or changes it. A client’s secret is shown only to callers who hold all its scopes. Ask an owner or administrator of the team.',
  },
  folder_not_found: {
    status: 422,
    title: 'Folder not found',
    help: '`folderIds` must name folders of your team by identifier. List them with `GET /api/v1/smartdoc/folders/`.',
  },
  scope_not_confinable: {
    status: 422,
    title: 'The scope cannot be confined to folders',
    help: 'The journal and webhooks disclose actions of the whole team. Omit their scopes, or create another client or agent for them without `folderIds`.',
  },
  takeover_required: {
    status: 409,
    title: 'The client waits for a takeover',
    help: 'The responsible user has left the team, or their password was reset. Check the purpose of the client. Take it over with `POST /api/v1/security/clients/{id}/take-over`, or delete it.',
  },
  approval_policy_not_found: {
    status: 404,
    title: 'Approval policy not found',
    help: 'The team has no policy of this name. List the policies with `GET /api/v1/approval-policies`.',
  },
  client_limit: {
    status: 409,
    title: 'Too many API clients',
    help: 'A team has at most 100 API clients. Delete a client that is no longer used.',
  },
  expiry_in_past: {
    status: 422,
    title: 'Expiry in the past',
    help: 'Send a future time as `expiresAt`, or `null` for a client without expiry.',
  },
  invalid_request: {
    status: 400,
    title: 'Invalid token request',
    help: 'Send each parameter once, as `application/x-www-form-urlencoded`. Authenticate by HTTP Basic, or by `client_id` and `client_secret` in the body, not both (RFC 6749 §2.3.1).',
  },
  invalid_client: {
    status: 401,
    title: 'Invalid API client',
    help: 'The client is unknown, deactivated or expired, or its secret is wrong or replaced. Check the client ID and the secret, or create a new secret with `rotate-secret`.',
  },
  invalid_grant: {
    status: 400,
    title: 'Invalid grant',
    help: 'The code or refresh token is expired or used. Or it belongs to another app, redirect address, code verifier or resource. Start a new authorization (RFC 6749 §5.2). A client may revoke only tokens that were issued to it (RFC 7009 §2.1).',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'The grant type is not supported',
    help: 'API clients use `grant_type=client_credentials` (RFC 6749 §4.4). Connected apps use `authorization_code` and `refresh_token`.',
  },
  invalid_target: {
    status: 400,
    title: 'Unknown resource',
    help: 'A token is valid either for the operations of this service or for its MCP server (RFC 8707). Send the address of the MCP server as `resource`, or omit `resource` for the operations.',
  },
  invalid_scope: {
    status: 400,
    title: 'The scope cannot be granted',
    help: 'Request scopes of the client, separated by spaces, or omit `scope` for all of them.',
  },
});
