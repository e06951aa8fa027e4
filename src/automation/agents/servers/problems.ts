import { defineProblems } from '../../../platform/problems.ts';

export const serverProblems = defineProblems({
  mcp_server_limit: {
    status: 409,
    title: 'MCP server limit reached',
    help: 'A team can have at most 20 MCP servers. Delete one that no agent needs.',
  },
  mcp_server_exists: {
    status: 409,
    title: 'MCP server already exists',
    help: 'A team can have one MCP server of each `slug`, which is the prefix of its tool names. Change that server, or choose another `slug`.',
  },
  mcp_tool_changed: {
    status: 409,
    title: 'Tool description changed',
    help: 'The `hash` is not the hash of the current description. Check that you still trust the server, read its tools again, review the new description, and send its `hash`.',
  },
  mcp_url_not_allowed: {
    status: 422,
    title: 'MCP server URL not allowed',
    help: 'An MCP server needs an https URL with a public address, without a user name or a fragment. The operator can allow private addresses (`MCP_SERVERS_ALLOW_PRIVATE`, `MCP_SERVERS_ALLOW_CIDRS`).',
  },
  mcp_sign_in_invalid: {
    status: 400,
    title: 'Sign-in not found',
    help: 'The response of the authorization server is valid once, within ten minutes, in the session that started the sign-in. Start again.',
  },
  mcp_sign_in_callback_invalid: {
    status: 400,
    title: 'Invalid return address',
    help: '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
  },
  mcp_sign_in_refused: {
    status: 422,
    title: 'Sign-in denied',
    help: 'The authorization server denied access or rejected the code, or another server sent the response. Start again, and sign in with an account that can use the MCP server.',
  },
  mcp_sign_in_unavailable: {
    status: 422,
    title: 'Sign-in unavailable for this server',
    help: 'The MCP server must name its authorization server (RFC 9728), which must publish its metadata (RFC 8414) and support PKCE with S256. It must accept this service as a client: by a metadata document, by registration (RFC 7591), or by the `clientId` that you registered there. The rules for the address of an MCP server also apply to the authorization server. If the server uses a key instead, set its `credential`.',
  },
});
