import { defineProblems } from '../../../platform/problems.ts';

export const serverProblems = defineProblems({
  mcp_server_limit: {
    status: 409,
    title: 'The team has as many MCP servers as it may',
    help: 'A team has at most 20 MCP servers. Delete one that no agent needs.',
  },
  mcp_server_exists: {
    status: 409,
    title: 'There is an MCP server of this name',
    help: 'A team has one MCP server of a `slug`, which stands before the names of its tools. Change that one, or call the new one otherwise.',
  },
  mcp_tool_changed: {
    status: 409,
    title: 'The tool is not as you have seen it',
    help: 'A tool is switched on as it is described in what you have read: `hash` says which description that is. Have the server checked, read it again, look at what the tool says now, and send its `hash`.',
  },
  mcp_url_not_allowed: {
    status: 422,
    title: 'The address cannot be used',
    help: 'An MCP server is reached over https, at a public address, without a user name or a fragment in it. Whoever runs the service can allow private addresses (`MCP_SERVERS_ALLOW_PRIVATE`, `MCP_SERVERS_ALLOW_CIDRS`).',
  },
  mcp_sign_in_invalid: {
    status: 400,
    title: 'The answer belongs to no sign-in of yours',
    help: 'The answer of an authorization server is taken once, within ten minutes, and in the session in which the sign-in was begun. Begin again.',
  },
  mcp_sign_in_callback_invalid: {
    status: 400,
    title: 'The answer is not handed to this page',
    help: '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
  },
  mcp_sign_in_refused: {
    status: 422,
    title: 'The sign-in was refused',
    help: 'The authorization server did not allow it, does not take its answer, or the answer is from another one. Begin again, and sign in there with an account that may use the server.',
  },
  mcp_sign_in_unavailable: {
    status: 422,
    title: 'Nobody can sign in for this server',
    help: 'A server that people sign in for names its authorization server (RFC 9728), and that describes itself (RFC 8414), does PKCE with S256, and takes this service as a program: by a document, by registration (RFC 7591), or by the `clientId` that you have registered there. All of it is reached as the server is. Where the server takes a key instead, set its `credential`.',
  },
});
